#include "herglotz/simulate/given_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::System;
using symbolic::Expr;
using Texts = std::map<std::string, std::string>;

symbolic::Scope scope_of(const System& system, const std::vector<Expr>& coordinates) {
  symbolic::Scope scope{{std::string(system.t.name()), system.t}};
  for (const Expr& symbol : coordinates) scope.emplace(std::string(symbol.name()), symbol);
  for (const auto& parameter : system.parameters) scope.emplace(std::string(parameter.symbol.name()), parameter.symbol);
  return scope;
}

Expr read(const System& system, const std::string& name, const std::string& text, const symbolic::Scope& scope) {
  try {
    return symbolic::parse(system.graph(), text, scope);
  } catch (const symbolic::ParseError& error) {
    throw Refused(name + " = '" + text + "': " + error.what());
  }
}

/// Throws Refused for a name that no coordinate has.
void require_known(const Texts& given, const std::vector<Expr>& coordinates, const std::string& what) {
  std::vector<std::string> names;
  for (const Expr& symbol : coordinates) names.emplace_back(symbol.name());
  for (const auto& [name, text] : given) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string known;
    for (const auto& one : names) known += (known.empty() ? "" : ", ") + one;
    throw Refused("unknown coordinate '" + name + "' of " + what, "use " + known);
  }
}

std::vector<Expr> all_coordinates(const System& system) {
  std::vector<Expr> all = system.algebroid.x;
  all.insert(all.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  return all;
}

}  // namespace

mechanics::AlgebroidPath read_path(const System& system, const Texts& given) {
  require_known(given, all_coordinates(system), "the path");
  const auto scope = scope_of(system, {});
  std::vector<Expr> x;
  for (const Expr& symbol : system.algebroid.x) {
    const auto text = given.find(std::string(symbol.name()));
    if (text == given.end())
      throw Refused("the path lacks the base coordinate '" + std::string(symbol.name()) + "'",
                    "give an expression in " + std::string(system.t.name()));
    x.push_back(read(system, text->first, text->second, scope));
  }
  std::vector<std::optional<Expr>> y;
  for (const Expr& symbol : system.algebroid.y) {
    const auto text = given.find(std::string(symbol.name()));
    y.push_back(text == given.end() ? std::optional<Expr>() : read(system, text->first, text->second, scope));
  }
  return mechanics::complete_path(system, x, y);
}

std::vector<Expr> read_section(const System& system, const Texts& given) {
  require_known(given, system.algebroid.y, "the section");
  const auto scope = scope_of(system, system.algebroid.x);
  std::vector<Expr> section;
  for (const Expr& symbol : system.algebroid.y) {
    const auto text = given.find(std::string(symbol.name()));
    section.push_back(text == given.end() ? system.graph().number(std::int64_t{0})
                                          : read(system, text->first, text->second, scope));
  }
  return section;
}

PathRows path_rows(const System& system, const std::vector<analyse::Column>& columns) {
  const auto values = [&](const Expr& symbol) -> const std::vector<double>& {
    const auto at =
        std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.name == symbol.name(); });
    if (at == columns.end())
      throw Refused("the rows have no column '" + std::string(symbol.name()) + "'",
                    "a path needs the time and all base and fibre coordinates");
    return at->values;
  };
  PathRows rows;
  rows.times = values(system.t);
  const auto all = all_coordinates(system);
  rows.values.resize(rows.times.size() * all.size());
  const bool backwards = rows.times.size() > 1 && rows.times.front() > rows.times.back();
  for (std::size_t j = 0; j < all.size(); ++j) {
    const auto& column = values(all[j]);
    for (std::size_t k = 0; k < rows.times.size(); ++k)
      rows.values[k * all.size() + j] = column[backwards ? rows.times.size() - 1 - k : k];
  }
  if (backwards) std::reverse(rows.times.begin(), rows.times.end());
  return rows;
}

PathFacts facts_of_path(const System& system, const PathJet& jet, const std::vector<double>& parameters,
                        const std::vector<Expr>& section, double z0, const std::vector<double>& times) {
  const auto all = all_coordinates(system);
  std::vector<double> values(2 * all.size());
  for (const double t : times) {
    jet(t, values);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
      throw Failed("the path is not finite at " + std::string(system.t.name()) + " = " + fmt::format("{:.9g}", t));
  }
  const PathFunctional path(system, jet, parameters, section);
  PathFacts facts;
  facts.admissibility_defect = path.admissibility_defect(times);
  facts.admissible = facts.admissibility_defect <= admissible_defect;
  if (!facts.admissible) return facts;
  const auto actions = path.follow(z0, times);
  facts.z_end = actions.back().z;
  if (!section.empty()) facts.variation = actions.back().variation;
  const auto forces = path.forces(z0, times);
  std::vector<analyse::Column> columns{{std::string(system.t.name()), analyse::Role::time, times}};
  for (std::size_t j = 0; j < all.size(); ++j)
    columns.push_back({std::string(all[j].name()), j < system.n() ? analyse::Role::base : analyse::Role::fibre, {}});
  columns.push_back({std::string(system.z.name()), analyse::Role::action, {}});
  for (const Expr& y : system.algebroid.y)
    columns.push_back({"force." + std::string(y.name()), analyse::Role::observable, {}});
  for (std::size_t k = 0; k < times.size(); ++k) {
    jet(times[k], values);
    std::size_t c = 1;
    for (std::size_t j = 0; j < all.size(); ++j) columns[c++].values.push_back(values[j]);
    columns[c++].values.push_back(actions[k].z);
    for (std::size_t a = 0; a < system.r(); ++a) {
      const double force = forces[k * system.r() + a];
      if (!std::isfinite(force))
        throw Failed(fmt::format("the force along {} is not finite at {} = {:.9g}", system.algebroid.y[a].name(),
                                 system.t.name(), times[k]));
      columns[c++].values.push_back(force);
      facts.largest_force = std::max(facts.largest_force, std::abs(force));
    }
  }
  facts.along.columns = std::move(columns);
  facts.along.facts.model_name = system.name;
  facts.along.facts.title = system.title;
  return facts;
}

}  // namespace herglotz::simulate
