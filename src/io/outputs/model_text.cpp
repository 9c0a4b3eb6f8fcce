#include "herglotz/io/model_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/printable.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "toml/quoting.hpp"

namespace herglotz::io {
namespace {

using mechanics::System;
using symbolic::Expr;

/// Returns a bare key if the key may be bare.
std::string key_of(std::string_view key) {
  const bool ascii = std::all_of(key.begin(), key.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii && symbolic::is_identifier(key) ? std::string(key) : toml_string(key);
}

std::string written(const Expr& f) {
  return toml_string(symbolic::print(symbolic::expand_lets(f)));
}

std::string list_of(const std::vector<std::string>& entries) {
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

std::string names(const std::vector<Expr>& symbols) {
  std::vector<std::string> list;
  for (const Expr& symbol : symbols) list.push_back(toml_string(symbol.name()));
  return list_of(list);
}

/// Returns the rows of the transpose of an anchor (n x r): row a is the anchor of e_a.
std::string rows_of(const symbolic::Matrix& anchor, std::size_t n, std::size_t r) {
  std::vector<std::string> rows;
  for (std::size_t a = 0; a < r; ++a) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < n; ++i) row.push_back(written(symbolic::simplify(anchor(i, a))));
    rows.push_back(list_of(row));
  }
  return list_of(rows);
}

bool is_skew(const geometry::Algebroid& e) {
  return std::all_of(e.c.nonzero().begin(), e.c.nonzero().end(), [&](const auto& entry) {
    const auto& [k, i, j] = entry.first;
    return symbolic::simplify(symbolic::expand(entry.second + e.c(k, j, i))).is_zero();
  });
}

class Writer {
 public:
  std::string text;

  void table(const std::string& name) { text += fmt::format("\n[{}]\n", name); }
  void entry(std::string_view key, const std::string& value) { text += fmt::format("{} = {}\n", key_of(key), value); }

  void algebroid(const geometry::Algebroid& e) {
    table("algebroid");
    const bool tangent = geometry::is_tangent(e);
    entry("kind", toml_string(tangent ? "tangent" : "custom"));
    entry("base", names(e.x));
    entry("fibre", names(e.y));
    if (tangent) return;
    entry("anchor", rows_of(e.rho, e.n(), e.r()));
    if (e.rho.entries != e.sigma.entries) entry("right_anchor", rows_of(e.sigma, e.n(), e.r()));
    const bool skew = is_skew(e);
    if (!skew) entry("skew", "false");
    bool first = true;
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t j = skew ? i + 1 : 0; j < e.r(); ++j) {
        std::vector<std::string> terms;
        for (std::size_t k = 0; k < e.r(); ++k) {
          const Expr c = symbolic::simplify(e.c(k, i, j));
          if (!c.is_zero()) terms.push_back(key_of(e.y[k].name()) + " = " + written(c));
        }
        if (terms.empty()) continue;
        if (std::exchange(first, false)) table("algebroid.brackets");
        entry(fmt::format("{},{}", e.y[i].name(), e.y[j].name()), fmt::format("{{ {} }}", fmt::join(terms, ", ")));
      }
  }

  void inputs(const System& system) {
    constexpr std::array<std::string_view, 3> kinds{"hold", "linear", "spline"};
    const auto& tables = system.graph().tables();
    if (!tables.empty()) table("inputs");
    for (const auto& input : tables) {
      std::vector<double> values;
      for (const double t : input->knots) values.push_back((*input)(t));
      entry(input->name,
            fmt::format("{{ times = [{}], values = [{}], interpolation = \"{}\" }}", fmt::join(input->knots, ", "),
                        fmt::join(values, ", "), kinds.at(static_cast<std::size_t>(input->interpolation))));
    }
  }

  void dynamics(const System& system) {
    table("dynamics");
    const bool hamiltonian = system.formulation == mechanics::Formulation::hamiltonian;
    entry(hamiltonian ? "hamiltonian" : "lagrangian", written(system.generator));
    entry("action", toml_string(system.z.name()));
    entry("time", toml_string(system.t.name()));
    const std::vector<Expr>& given = system.frictions.empty() ? system.forces : system.smooth_forces;
    std::vector<std::string> forces;
    for (std::size_t a = 0; a < system.r(); ++a)
      if (!given[a].is_zero()) forces.push_back(key_of(system.algebroid.y[a].name()) + " = " + written(given[a]));
    if (!forces.empty()) entry("forces", fmt::format("{{ {} }}", fmt::join(forces, ", ")));
    if (system.constraints.rule == mechanics::Rule::none) return;
    table("constraints");
    entry("rule", toml_string(system.constraints.rule == mechanics::Rule::vakonomic ? "vakonomic" : "nonholonomic"));
    std::vector<std::string> equations;
    for (const Expr& equation : system.constraints.equations) equations.push_back(written(equation));
    entry("equations", list_of(equations));
  }

  void frictions(const System& system) {
    if (!system.frictions.empty()) table("friction");
    for (std::size_t k = 0; k < system.frictions.size(); ++k) {
      const auto& friction = system.frictions[k];
      if (mechanics::is_second_velocity(system, k)) continue;
      const bool two = k + 1 < system.frictions.size() && mechanics::is_second_velocity(system, k + 1);
      const std::string on =
          two ? list_of({written(friction.on), written(system.frictions[k + 1].on)}) : written(friction.on);
      entry(friction.name, fmt::format("{{ on = {}, static = {}, kinetic = {} }}", on, written(friction.held),
                                       written(friction.slid)));
    }
  }

  template <class List>
  void functions(const std::string& name, const List& list) {
    if (!list.empty()) table(name);
    for (const auto& one : list) entry(one.name, written(one.value));
  }

  void events(const System& system) {
    bool first = true;
    for (const auto& event : system.events) {
      if (event.impact) continue;
      if (std::exchange(first, false)) table("events");
      const char* direction = event.direction == mechanics::Direction::rising    ? "rising"
                              : event.direction == mechanics::Direction::falling ? "falling"
                                                                                 : "any";
      std::vector<std::string> set;
      for (const auto& reset : event.resets) set.push_back(key_of(reset.entry) + " = " + written(reset.value));
      entry(event.name,
            fmt::format("{{ at = {}, direction = \"{}\", stop = {}{} }}", written(event.value), direction, event.stop,
                        set.empty() ? "" : fmt::format(", set = {{ {} }}", fmt::join(set, ", "))));
    }
    impacts(system);
  }

  void impacts(const System& system) {
    bool first = true;
    for (const auto& event : system.events) {
      if (!event.impact) continue;
      if (std::exchange(first, false)) table("impacts");
      std::vector<std::string> slip;
      for (const Expr& f : event.impact->slip) slip.push_back(written(f));
      entry(event.name, fmt::format("{{ gap = {}, restitution = {}, friction = {}{} }}", written(event.value),
                                    written(event.impact->restitution), written(event.impact->friction),
                                    slip.empty() ? "" : ", slip = " + list_of(slip)));
    }
  }

  void simulation(const simulate::Settings& s) {
    table("simulation");
    if (s.method != "auto") entry("method", toml_string(s.method));
    entry("t_end", fmt::format("{}", s.t_end));
    if (s.step) entry("step", fmt::format("{}", *s.step));
    if (s.tolerance) entry("tolerance", fmt::format("{}", *s.tolerance));
    if (s.output_every) entry("output_every", fmt::format("{}", *s.output_every));
    if (s.output_step) entry("output_step", fmt::format("{}", *s.output_step));
    if (s.time_scale) entry("time_scale", written(*s.time_scale));
  }
};

}  // namespace

std::string text_of(const simulate::Problem& problem, const std::string& note) {
  if (problem.discrete) throw Refused("a model with [discrete] cannot be written", "remove that table");
  const System& system = problem.system;
  Writer writer;
  if (!note.empty()) writer.text = "# " + symbolic::one_line(note) + "\n";
  writer.table("model");
  if (!system.name.empty()) writer.entry("name", toml_string(system.name));
  if (!system.title.empty()) writer.entry("title", toml_string(system.title));
  if (!system.reference.empty()) writer.entry("reference", toml_string(system.reference));
  writer.algebroid(system.algebroid);
  if (!system.parameters.empty()) writer.table("parameters");
  for (const auto& parameter : system.parameters)
    writer.entry(parameter.symbol.name(), fmt::format("{}", parameter.value));
  writer.inputs(system);
  writer.dynamics(system);
  if (!system.symmetries.empty()) writer.table("symmetries");
  for (const auto& symmetry : system.symmetries) {
    std::vector<std::string> section;
    for (const Expr& component : symmetry.section) section.push_back(written(component));
    writer.entry(symmetry.name, list_of(section));
  }
  writer.functions("dissipated", system.dissipated);
  writer.functions("invariants", system.invariants);
  writer.functions("observables", system.observables);
  writer.frictions(system);
  writer.events(system);
  if (!system.latex.empty()) writer.table("latex");
  for (const auto& [name, latex] : system.latex) writer.entry(name, toml_string(latex));
  if (!problem.initial.empty() || problem.settings.project) writer.table("initial");
  for (const auto& [name, value] : problem.initial) writer.entry(name, fmt::format("{}", value));
  if (problem.settings.project) writer.entry("project", "true");
  writer.simulation(problem.settings);
  return writer.text;
}

}  // namespace herglotz::io
