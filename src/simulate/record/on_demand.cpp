#include "record/on_demand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/derive/volume.hpp"
#include "herglotz/mechanics/power.hpp"
#include "herglotz/simulate/volume.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {
namespace {

bool is_among(const std::vector<std::string>& names, std::string_view column) {
  return std::find(names.begin(), names.end(), column) != names.end();
}

}  // namespace

bool is_own(const mechanics::System& system, std::string_view column) {
  const auto is_named = [&](const symbolic::Expr& symbol) { return symbol.name() == column; };
  const geometry::Algebroid& e = system.algebroid;
  for (const auto* symbols : {&e.x, &e.y, &system.p, &system.constraints.multipliers})
    if (std::any_of(symbols->begin(), symbols->end(), is_named)) return true;
  return is_named(system.z) || is_named(system.t) ||
         std::any_of(system.observables.begin(), system.observables.end(),
                     [&](const auto& observable) { return observable.name == column; });
}

std::vector<std::string> demanded_columns(const mechanics::System& system) {
  auto columns = mechanics::power_columns(system);
  columns.emplace_back(mechanics::volume_column);
  return columns;
}

std::vector<std::string> columns_on_demand(const mechanics::System& system, const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  for (const auto& column : demanded_columns(system))
    if (is_among(names, column) && !is_own(system, column)) wanted.push_back(column);
  return wanted;
}

bool wants_volume(const std::vector<analyse::Column>& columns, const std::vector<std::string>& names) {
  const auto is_wanted = [&](std::string_view name) {
    return is_among(names, name) &&
           std::none_of(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
  };
  return is_wanted(volume_column) || is_wanted(volume_residual_column);
}

std::vector<symbolic::Expr> values_on_demand(const mechanics::System& system, const mechanics::Equations& equations,
                                             const std::vector<std::string>& columns) {
  std::optional<mechanics::PowerLedger> ledger;
  const auto power = [&](const std::string& name) {
    if (!ledger) ledger = mechanics::power_ledger(system, equations);
    if (name == "mechanical_energy") return ledger->mechanical_energy;
    for (const auto& term : ledger->terms)
      if (name == "power." + term.name) return term.value;
    return system.graph().number(0);
  };
  std::vector<symbolic::Expr> values;
  for (const auto& name : columns)
    values.push_back(name == mechanics::volume_column ? mechanics::volume_rate(system, equations) : power(name));
  return values;
}

void require_columns(const mechanics::System& system, const std::vector<analyse::Column>& columns,
                     const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& column : columns) known.push_back(column.name);
  auto demanded = demanded_columns(system);
  demanded.insert(demanded.end(), {volume_column, volume_residual_column});
  for (const auto& name : demanded)
    if (!is_among(known, name)) known.push_back(name);
  for (const auto& name : names) {
    if (is_among(known, name)) continue;
    const auto near = symbolic::nearest_names(name, known);
    throw Refused(
        fmt::format("[simulation] there is no column '{}'", name),
        fmt::format("{} {}", near.empty() ? "there are" : "did you mean", fmt::join(near.empty() ? known : near, ", ")),
        "[simulation]");
  }
}

}  // namespace herglotz::simulate
