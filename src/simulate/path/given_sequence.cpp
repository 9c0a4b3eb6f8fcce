#include "herglotz/simulate/given_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/analyse/exact_discrete_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "path/sequence_facts.hpp"

namespace herglotz::simulate {
namespace {

using discrete::Components;
using discrete::LegendreTransforms;
using mechanics::System;
using symbolic::Expr;

/// Parameters as a scope for expressions, and their values.
struct Constants {
  symbolic::Scope scope;
  std::vector<Expr> symbols;
  std::vector<double> values;
};

Constants constants_of(const System& system) {
  Constants constants;
  for (const auto& parameter : system.parameters) {
    constants.scope.emplace(std::string(parameter.symbol.name()), parameter.symbol);
    constants.symbols.push_back(parameter.symbol);
    constants.values.push_back(parameter.value);
  }
  return constants;
}

/// Returns the parts of a text between the commas that no parenthesis encloses.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

double value_of(const System& system, const Constants& constants, const std::string& name, const std::string& text) {
  double value = 0;
  try {
    const Expr read = symbolic::parse(system.graph(), text, constants.scope);
    value = symbolic::evaluate(symbolic::expand_lets(read), constants.symbols, constants.values);
  } catch (const symbolic::ParseError& error) {
    throw Refused(fmt::format("{} = '{}': {}", name, text, error.what()));
  }
  if (!std::isfinite(value))
    throw Refused(fmt::format("{} = '{}' has no finite value", name, text), "give a finite one");
  return value;
}

const discrete::DiscreteLagrangian& lagrangian_of(const Problem& problem) {
  if (problem.discrete) return *problem.discrete;
  if (problem.settings.galerkin)
    throw Refused("the discrete Lagrangian of rule = \"galerkin\" has no formula",
                  "take another rule, or the exact discrete Lagrangian");
  throw Refused("the model has no discrete Lagrangian",
                "add [discrete] with lagrangian = \"...\" or a rule, or take the exact discrete Lagrangian");
}

std::vector<LegendreTransforms> exact_steps(const Problem& problem, const std::vector<double>& parameters,
                                            const Sequence& of) {
  const Simulator simulator(problem.system, {}, problem.initial);
  std::vector<LegendreTransforms> steps;
  for (std::size_t k = 0; k + 1 < of.q.size(); ++k) {
    const double z0 = steps.empty() ? of.z0 : steps.back().z1;
    auto exact = analyse::exact_discrete_lagrangian(
        simulator.dynamics(), parameters, of.t0 + static_cast<double>(k) * of.h, of.q[k], of.q[k + 1], z0, of.h);
    steps.push_back({std::move(exact.p0), std::move(exact.p1), z0 + exact.value, exact.sigma});
  }
  return steps;
}

/// Reads values of each of the coordinates, which are those of the base or of the fibre.
Components read_along(const System& system, const std::vector<Expr>& coordinates, const std::string& kind,
                      const std::map<std::string, std::string>& given, const std::string& what) {
  const Constants constants = constants_of(system);
  std::vector<std::string> known;
  for (const Expr& symbol : coordinates) known.emplace_back(symbol.name());
  for (const auto& [name, text] : given)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Refused(fmt::format("unknown {} coordinate '{}' of {}", kind, name, what),
                    fmt::format("use {}", fmt::join(known, ", ")));
  Components components;
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto text = given.find(known[i]);
    if (text == given.end())
      throw Refused(fmt::format("{} lacks the {} coordinate '{}'", what, kind, known[i]), "give its values");
    const auto parts = parts_of(text->second);
    if (i == 0) components.assign(parts.size(), {});
    if (parts.size() != components.size())
      throw Refused(fmt::format("{} has {} values of {} and {} of {}", what, components.size(), known.front(),
                                parts.size(), known[i]),
                    "give each coordinate as many");
    for (std::size_t k = 0; k < parts.size(); ++k)
      components[k].push_back(value_of(system, constants, known[i], parts[k]));
  }
  return components;
}

}  // namespace

Components read_components(const System& system, const std::map<std::string, std::string>& given,
                           const std::string& what) {
  return read_along(system, system.algebroid.x, "base", given, what);
}

Components read_fibre_components(const System& system, const std::map<std::string, std::string>& given,
                                 const std::string& what) {
  return read_along(system, system.algebroid.y, "fibre", given, what);
}

Sequence starting_sequence(const Problem& problem) {
  if (problem.next.empty()) throw Refused("the model has no second position", "give positions, or add [initial.next]");
  const auto value = [](const InitialState& values, const Expr& symbol) {
    const auto at = values.find(symbol.name());
    return at == values.end() ? 0.0 : at->second;
  };
  Sequence start{{{}, {}}, value(problem.initial, problem.system.z), value(problem.initial, problem.system.t), 0};
  for (const Expr& symbol : problem.system.algebroid.x) {
    start.q[0].push_back(value(problem.initial, symbol));
    start.q[1].push_back(value(problem.next, symbol));
  }
  return start;
}

Sequence sequence_of_rows(const System& system, const std::vector<analyse::Column>& columns) {
  const auto find = [&](const Expr& symbol) {
    return std::find_if(columns.begin(), columns.end(), [&](const auto& one) { return one.name == symbol.name(); });
  };
  const auto values = [&](const Expr& symbol) -> const std::vector<double>& {
    const auto at = find(symbol);
    if (at == columns.end())
      throw Refused(fmt::format("the rows have no column '{}'", symbol.name()),
                    "a sequence needs the time and all base coordinates");
    return at->values;
  };
  constexpr double equal = 1e-9;  // relative to the step
  const auto& times = values(system.t);
  if (times.size() < 2) throw Refused(fmt::format("{} rows are not a sequence", times.size()), "give two or more");
  Sequence sequence;
  sequence.t0 = times.front();
  sequence.h = (times.back() - times.front()) / static_cast<double>(times.size() - 1);
  if (!std::isfinite(sequence.h) || sequence.h == 0)
    throw Refused(fmt::format("the rows go from {} = {:g} to {:g}", system.t.name(), times.front(), times.back()),
                  "a sequence needs times that differ");
  for (std::size_t k = 0; k < times.size(); ++k)
    if (!(std::abs(times[k] - sequence.t0 - static_cast<double>(k) * sequence.h) <= equal * std::abs(sequence.h)))
      throw Refused(fmt::format("the times of the rows are not equally far apart, at row {}", k + 1),
                    "use a run whose rows are those of its steps");
  sequence.q.resize(times.size());
  for (const Expr& symbol : system.algebroid.x) {
    const auto& column = values(symbol);
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (!std::isfinite(column[k]))
        throw Refused(fmt::format("'{}' is not finite in row {}", symbol.name(), k + 1), "give the rows of a run");
      sequence.q[k].push_back(column[k]);
    }
  }
  if (const auto z = find(system.z); z != columns.end()) sequence.z0 = z->values.front();
  return sequence;
}

Sequence continued(const Problem& problem, const Sequence& start, std::size_t steps) {
  if (start.q.size() != 2) throw Refused(fmt::format("{} positions begin no motion", start.q.size()), "give two");
  Sequence motion = start;
  motion.q = discrete::discrete_motion(problem.system, lagrangian_of(problem), constants_of(problem.system).values,
                                       start.q[0], start.q[1], start.z0, start.t0, start.h, steps)
                 .q;
  return motion;
}

SequenceFacts facts_of_sequence(const Problem& problem, const Sequence& of, const Components& dq, bool exact) {
  if (of.q.size() < 2)
    throw Refused(fmt::format("a sequence of {} positions has no steps", of.q.size()), "give two or more");
  const auto parameters = constants_of(problem.system).values;
  const auto steps =
      exact ? exact_steps(problem, parameters, of)
            : discrete::steps_along(problem.system, lagrangian_of(problem), parameters, of.q, of.z0, of.t0, of.h);
  return facts_of_steps(problem.system, steps, dq, of);
}

}  // namespace herglotz::simulate
