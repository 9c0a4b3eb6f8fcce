#pragma once
/// Columns that a run has only if they are asked for.

#include <string>
#include <string_view>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/mechanics/power.hpp"

namespace herglotz::simulate {

/// Those of the names that are computed on demand and that no observable of the system has, in the order of
/// power_columns().
std::vector<std::string> columns_on_demand(const mechanics::System& system, const std::vector<std::string>& names);
/// The value of such a column; a term that vanishes identically is 0.
symbolic::Expr value_of(const mechanics::PowerLedger& ledger, const mechanics::System& system, std::string_view name);
/// Throws std::invalid_argument that begins with "[simulation]" for a name that is no column.
void require_columns(const std::vector<analyse::Column>& columns, const std::vector<std::string>& names);

}  // namespace herglotz::simulate
