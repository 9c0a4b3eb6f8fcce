#pragma once
/// Columns that a run has only if they are asked for.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::simulate {

/// Returns whether the system itself gives this name to a column: of its state, time, multipliers or observables.
bool is_own(const mechanics::System& system, std::string_view column);
/// Returns the names of all columns that are computed on demand row by row: power_columns(system), then "volume_rate".
std::vector<std::string> demanded_columns(const mechanics::System& system);
/// Returns the names among `names` of columns that are computed on demand row by row, without names that the
/// system gives to columns of its own, in the order of demanded_columns().
std::vector<std::string> columns_on_demand(const mechanics::System& system, const std::vector<std::string>& names);
/// Returns the values of these columns; a term that vanishes identically is 0. Throws Refused as power_ledger and
/// volume_rate do, if a column needs them.
std::vector<symbolic::Expr> values_on_demand(const mechanics::System& system, const mechanics::Equations& equations,
                                             const std::vector<std::string>& columns);
/// Returns whether `names` has a column of VolumeAlong, which is computed from all rows of a run, and which is not
/// among the `columns` that are there.
bool wants_volume(const std::vector<analyse::Column>& columns, const std::vector<std::string>& names);
/// Throws Refused, at "[simulation]", for a name that is not the name of a column.
void require_columns(const mechanics::System& system, const std::vector<analyse::Column>& columns,
                     const std::vector<std::string>& names);

}  // namespace herglotz::simulate
