#pragma once
/// Columns that a run has only if they are asked for.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/mechanics/power.hpp"

namespace herglotz::simulate {

/// Returns the names among `names` of columns that are computed on demand, without names of observables of the system,
/// in the order of power_columns().
std::vector<std::string> columns_on_demand(const mechanics::System& system, const std::vector<std::string>& names);
/// Returns the value of a column on demand; a term that vanishes identically is 0.
symbolic::Expr value_of(const mechanics::PowerLedger& ledger, const mechanics::System& system, std::string_view name);
/// Throws Refused, at "[simulation]", for a name that is not the name of a column.
void require_columns(const std::vector<analyse::Column>& columns, const std::vector<std::string>& names);

}  // namespace herglotz::simulate
