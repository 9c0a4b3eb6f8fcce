#pragma once
/// Rows of a run in loops: families, numbers of the whole, and balance laws.

#include <span>
#include <string>
#include <vector>

#include "herglotz/analyse/balance.hpp"
#include "loops/motion.hpp"
#include "record/columns.hpp"

namespace herglotz::families {

class FieldRows {
 public:
  FieldRows(const Model& model, Chosen chosen);

  /// Returns the columns that are one number a row, time first, for all runs of the model.
  static std::vector<analyse::Column> scalar_columns(const Model& model);
  /// Returns their names.
  static std::vector<std::string> scalar_names(const Model& model);

  /// Adds the present state of the motion as a row.
  void add(double t, Motion& motion);
  /// Returns rows of the same run that begin empty, without the families unless they were chosen.
  [[nodiscard]] FieldRows without_rows() const;
  [[nodiscard]] std::size_t rows() const { return columns_.front().values.size(); }
  [[nodiscard]] double last_time() const { return columns_.front().values.back(); }
  /// Returns the run with its facts, which get the largest residuals.
  FieldRun finish(analyse::RunFacts facts) &&;

 private:
  void add_laws(double t, const Observed& row);

  /// A field of multipliers, and the equations of its constraint whose multipliers it holds.
  struct OfConstraint {
    std::size_t field = 0;
    std::size_t constraint = 0;
    std::vector<std::size_t> rows{};
  };

  std::vector<std::string> symmetries_;
  std::size_t base_;
  std::vector<Index> indices_;
  std::vector<std::string> names_;  ///< of all families, coordinates first
  Chosen chosen_;
  std::vector<analyse::Column> columns_;
  std::vector<analyse::BalanceLedger> ledgers_;
  std::vector<std::size_t> scalar_multipliers_;  // columns of multipliers of each constraint
  std::vector<OfConstraint> of_constraints_;
  double largest_constraint_ = 0;
  std::vector<double> initial_{};  ///< of the quantities of the laws, once there was a row
};

}  // namespace herglotz::families
