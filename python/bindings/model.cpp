#include "model.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;
using Values = std::map<std::string, double>;

symbolic::Format format_named(const std::string& name) {
  if (name == "text") return symbolic::Format::text;
  if (name == "latex") return symbolic::Format::latex;
  if (name == "c") return symbolic::Format::c;
  if (name == "sympy") return symbolic::Format::sympy;
  throw std::invalid_argument("unknown format '" + name + "'; use text, latex, c or sympy");
}

std::vector<std::string> names(const std::vector<symbolic::Expr>& symbols) {
  std::vector<std::string> list;
  for (const auto& symbol : symbols) list.emplace_back(symbol.name());
  return list;
}

Reached run(Model& model, const Values& initial, const Values& parameters, const nb::dict& settings, const Values& next,
            const nb::object& progress) {
  auto [start, second] = start_beside(model.problem(), initial, {next.begin(), next.end()});
  for (const auto& [name, value] : initial) start[name] = value;
  const auto resolved = settings_of(model.problem().settings, settings);
  Watch watch(progress);
  std::string failure;
  analyse::Trajectory trajectory;
  {
    const nb::gil_scoped_release released;
    try {
      trajectory = model.simulator().run(
          start, resolved, {parameters.begin(), parameters.end()}, [&](double fraction) { return watch(fraction); },
          second);
    } catch (simulate::RunFailed& failed) {
      failure = failed.what();
      trajectory = std::move(failed.partial);
    }
    trajectory.facts.model_text = model.problem().text;
  }
  return {std::move(trajectory), std::move(failure)};
}

/// Names of initial values, "next" among them, that values of `names` replace.
std::vector<std::string> replaced_by(const Model& model, const std::vector<std::string>& names) {
  const auto& problem = model.problem();
  Values values;
  for (const auto& name : names) values[name] = 0;
  const auto [start, next] = start_beside(problem, values);
  std::vector<std::string> gone;
  for (const auto& [name, _] : problem.initial)
    if (!start.contains(name)) gone.push_back(name);
  if (next.empty() && !problem.next.empty()) gone.emplace_back("next");
  return gone;
}

std::string derive(const Model& model, const std::string& format) {
  const auto& system = model.problem().system;
  return mechanics::render(mechanics::equations_of_motion(system, mechanics::derive(system)), format_named(format));
}

std::string geometry(const Model& model, const std::string& format) {
  return mechanics::render(mechanics::geometry_of(model.problem().system), format_named(format));
}

std::string derive_discrete(const Model& model, const std::string& format) {
  const auto& problem = model.problem();
  if (!problem.discrete)
    throw std::invalid_argument(
        "this system has no discrete Lagrangian; give discrete={\"rule\": \"midpoint\"} or a lagrangian");
  return mechanics::render(discrete::discrete_equations(problem.system, *problem.discrete), format_named(format));
}

nb::dict expressions(const Model& model, const std::string& format) {
  const auto& system = model.problem().system;
  symbolic::PrintOptions options;
  options.open_lets = true;
  const auto printed = [&](const symbolic::Expr& f) { return symbolic::print(f, format_named(format), options); };
  const auto all = [&](const std::vector<symbolic::Expr>& list) {
    std::vector<std::string> texts;
    for (const auto& f : list) texts.push_back(printed(f));
    return texts;
  };
  nb::dict d;
  d["generator"] = printed(system.generator);
  d["forces"] = all(system.forces);
  d["constraints"] = all(system.constraints.equations);
  nb::dict symmetries;
  for (const auto& symmetry : system.symmetries) symmetries[symmetry.name.c_str()] = all(symmetry.section);
  d["symmetries"] = symmetries;
  nb::dict observables;
  for (const auto& observable : system.observables) observables[observable.name.c_str()] = printed(observable.value);
  d["observables"] = observables;
  d["anchor"] = all(system.algebroid.rho.entries);
  d["right_anchor"] = all(system.algebroid.sigma.entries);
  std::vector<symbolic::Expr> brackets;
  const std::size_t r = system.r();
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) brackets.push_back(system.algebroid.c(k, i, j));
  d["structure"] = all(brackets);
  return d;
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_reached(module);
  nb::class_<Model>(module, "Model", "A model: a system, its start and its settings.")
      .def(nb::init<const std::string&, const std::string&>(), nb::arg("text"), nb::arg("file") = "model.toml",
           "From the text of a model file; `file` is the name used in errors. Raises ModelError.")
      .def_prop_ro("name", [](const Model& m) { return m.problem().system.name; })
      .def_prop_ro("title", [](const Model& m) { return m.problem().system.title; })
      .def_prop_ro("reference", [](const Model& m) { return m.problem().system.reference; })
      .def_prop_ro("text", [](const Model& m) { return m.problem().text; })
      .def_prop_ro("kind", [](const Model& m) { return m.problem().system.algebroid.kind; })
      .def_prop_ro("hamiltonian",
                   [](const Model& m) { return m.problem().system.formulation == mechanics::Formulation::hamiltonian; })
      .def_prop_ro("rule",
                   [](const Model& m) {
                     const auto rule = m.problem().system.constraints.rule;
                     return rule == mechanics::Rule::none        ? "none"
                            : rule == mechanics::Rule::vakonomic ? "vakonomic"
                                                                 : "nonholonomic";
                   })
      .def_prop_ro("base", [](const Model& m) { return names(m.problem().system.algebroid.x); })
      .def_prop_ro("fibre", [](const Model& m) { return names(m.problem().system.algebroid.y); })
      .def_prop_ro("momenta", [](const Model& m) { return names(m.problem().system.p); })
      .def_prop_ro("action", [](const Model& m) { return std::string(m.problem().system.z.name()); })
      .def_prop_ro("time", [](const Model& m) { return std::string(m.problem().system.t.name()); })
      .def_prop_ro("multipliers", [](const Model& m) { return names(m.problem().system.constraints.multipliers); })
      .def_prop_ro("symmetries",
                   [](const Model& m) {
                     std::vector<std::string> list;
                     for (const auto& symmetry : m.problem().system.symmetries) list.push_back(symmetry.name);
                     return list;
                   })
      .def_prop_ro("parameters",
                   [](const Model& m) {
                     Values values;
                     for (const auto& p : m.problem().system.parameters) values[std::string(p.symbol.name())] = p.value;
                     return values;
                   })
      .def_prop_ro("initial",
                   [](const Model& m) { return Values(m.problem().initial.begin(), m.problem().initial.end()); })
      .def("expressions", &expressions, nb::arg("format"), "Every expression of the model, printed.")
      .def("derive", &derive, nb::arg("format"), "The equations of motion, printed.")
      .def("derive_discrete", &derive_discrete, nb::arg("format"), "The discrete Herglotz equations, printed.")
      .def("geometry", &geometry, nb::arg("format"), "The contact and Jacobi geometry, printed.")
      .def("replaced_by", &replaced_by, nb::arg("names"), "Names of initial values that values of `names` replace.")
      .def("run", &run, nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"), nb::arg("next"),
           nb::arg("progress").none(), "What one run reached.");
}

}  // namespace herglotz::python
