#include "record/on_demand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {

std::vector<std::string> columns_on_demand(const mechanics::System& system, const std::vector<std::string>& names) {
  std::vector<std::string> wanted;
  for (const auto& column : mechanics::power_columns()) {
    const bool own = std::any_of(system.observables.begin(), system.observables.end(),
                                 [&](const auto& observable) { return observable.name == column; });
    if (!own && std::find(names.begin(), names.end(), column) != names.end()) wanted.push_back(column);
  }
  return wanted;
}

symbolic::Expr value_of(const mechanics::PowerLedger& ledger, const mechanics::System& system, std::string_view name) {
  if (name == "mechanical_energy") return ledger.mechanical_energy;
  for (const auto& term : ledger.terms)
    if (name == "power." + term.name) return term.value;
  return system.graph().number(0);
}

void require_columns(const std::vector<analyse::Column>& columns, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& column : columns) known.push_back(column.name);
  for (const auto& name : mechanics::power_columns())
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto near = symbolic::nearest_names(name, known);
    throw Refused(
        fmt::format("[simulation] there is no column '{}'", name),
        fmt::format("{} {}", near.empty() ? "there are" : "did you mean", fmt::join(near.empty() ? known : near, ", ")),
        "[simulation]");
  }
}

}  // namespace herglotz::simulate
