#include "summary/run_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "herglotz/analyse/run_facts.hpp"
#include "summary/budgets.hpp"

namespace herglotz::app {
namespace {

using nlohmann::ordered_json;
using NamedNumbers = std::vector<std::pair<std::string, double>>;

ordered_json row_of(const analyse::Trajectory& trajectory, std::size_t row) {
  auto values = ordered_json::object();
  for (const auto& column : trajectory.columns) values[column.name] = column.values[row];
  return values;
}

}  // namespace

void print_run_json(const analyse::Trajectory& trajectory, const std::vector<std::string>& written) {
  auto object = ordered_json::object();
  object["creator"] = "herglotz";
  analyse::for_each_fact(trajectory.facts, [&](const std::string& name, const auto& fact) {
    if constexpr (std::is_same_v<std::decay_t<decltype(fact)>, NamedNumbers>) {
      auto& names = object[name + "_names"] = ordered_json::array();
      for (const auto& pair : fact) names.push_back(pair.first);
      auto& values = object[name + "_values"] = ordered_json::array();
      for (const auto& pair : fact) values.push_back(pair.second);
    } else {
      object[name] = fact;
    }
  });
  object["rows"] = trajectory.rows();
  if (trajectory.rows() != 0) {
    object["start"] = row_of(trajectory, 0);
    object["end"] = row_of(trajectory, trajectory.rows() - 1);
  }
  auto& budgets = object["budgets"] = ordered_json::object();
  for (const auto* column : budget_columns(trajectory)) budgets[column->name] = column->values.back();
  auto& events = object["events"] = ordered_json::object();
  for (const auto& event : trajectory.events) events[event.name] = event.count();
  object["written"] = written;
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

}  // namespace herglotz::app
