#pragma once
/// Columns that a run stores: sites of families, and numbers of the whole.

#include <string>
#include <vector>

#include "herglotz/families/run.hpp"

namespace herglotz::families {

/// Choice of columns by names such as "energy", "q[0]", "q[::10]", "q[5:9]" or "q".
struct Chosen {
  std::vector<Field> fields;                  ///< without values; families that are not asked for are left out
  std::vector<std::string> scalars;           ///< names of other columns
  bool all = true;                            ///< nothing was chosen: everything is stored
  [[nodiscard]] std::size_t numbers() const;  ///< numbers of the fields in a row
};

/// Moves the columns of sites that the settings of the model choose into the families of the run, and drops the columns
/// that they do not choose. Throws Refused for a name that is not a column.
void collect_fields(const Model& model, FieldRun& run);

/// Reads the names in the settings of the model. Throws Refused for a name that is not a column.
Chosen chosen_columns(const Model& model, const std::vector<std::string>& scalars);
/// Reads given names.
Chosen chosen_columns(const Model& model, const std::vector<std::string>& names,
                      const std::vector<std::string>& scalars);

/// The same for a run in loops, which keeps the multipliers of constraints at sites as families.
Chosen chosen_in_loops(const Model& model, const std::vector<std::string>& names,
                       const std::vector<std::string>& scalars);

/// Returns the name of the multipliers of a constraint, a place in the model.
std::string multiplier_name(std::size_t constraint);

}  // namespace herglotz::families
