#include "model.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "herglotz/control/conditions.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/mechanics/geometry_presentation.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/mechanics/readable_equations.hpp"
#include "herglotz/mechanics/singular_presentation.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "nodes.hpp"
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
  auto [start, second] = start_without_conflicts(model.problem(), initial, {next.begin(), next.end()});
  for (const auto& [name, value] : initial) start[name] = value;
  const simulate::InitialState constants(parameters.begin(), parameters.end());
  expressions_beside(model.problem(), initial, next).apply(model.problem().system, constants, start, second);
  const auto resolved = settings_of(model.problem().settings, settings);
  ProgressWatch watch(progress);
  std::string failure;
  analyse::Trajectory trajectory;
  {
    const nb::gil_scoped_release released;
    try {
      trajectory =
          model.simulator().run(start, resolved, constants, [&](double fraction) { return watch(fraction); }, second);
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
  const auto [start, next] = start_without_conflicts(problem, values);
  std::vector<std::string> gone;
  for (const auto& [name, _] : problem.initial)
    if (!start.contains(name)) gone.push_back(name);
  if (next.empty() && !problem.next.empty()) gone.emplace_back("next");
  return gone;
}

mechanics::Presentation presentation_of(const simulate::Problem& problem, const std::string& what) {
  if (what == "motion") return mechanics::equations_of_motion(problem.system, mechanics::derive(problem.system));
  if (what == "geometry") return mechanics::geometry_of(problem.system);
  if (what == "implicit") return mechanics::implicit_equations(problem.system);
  if (!problem.discrete)
    throw std::invalid_argument(
        "this system has no discrete Lagrangian; give discrete={\"rule\": \"midpoint\"} or a lagrangian");
  return discrete::discrete_equations(problem.system, *problem.discrete);
}

std::string printed(Model& model, const std::string& what, const std::string& format) {
  return mechanics::render(model.presented(what), format_named(format));
}

using Names = std::map<std::string, std::string, std::less<>>;

/// Expressions without the named subexpressions of the model, whose long repeated parts have names instead: objects
/// that are built of them are no larger than the graph. Ordinary expressions stay whole.
class Shared {
 public:
  /// Parts are called as in print where `prefix` is empty, else <prefix>_1, <prefix>_2, ...
  Shared(const std::vector<symbolic::Expr>& f, Names names, std::string prefix) : nodes_(std::move(names)) {
    if (f.empty()) return;
    std::vector<symbolic::Expr> opened;
    for (const auto& e : f) opened.push_back(symbolic::expand_lets(e));
    named_ = symbolic::common_subexpressions(opened);
    if (prefix.empty() || named_.where.empty()) return;
    const auto symbols = symbolic::free_symbols(opened);
    const auto taken = [&](const symbolic::Expr& symbol) { return symbol.name().starts_with(prefix + "_"); };
    while (std::any_of(symbols.begin(), symbols.end(), taken)) prefix += "_";
    Names parts;
    for (std::size_t k = 0; k < named_.where.size(); ++k)
      parts.emplace(named_.where[k].first, prefix + "_" + std::to_string(k + 1));
    nodes_ = Nodes(std::move(parts));
  }

  std::size_t operator[](std::size_t k) { return nodes_.place(named_.expressions.at(k)); }
  nb::list places(std::size_t first, std::size_t size) {
    const auto begin = named_.expressions.begin() + static_cast<std::ptrdiff_t>(first);
    return nodes_.places({begin, begin + static_cast<std::ptrdiff_t>(size)});
  }
  /// [(name, value), ...] in order of use.
  nb::list where() {
    nb::list list;
    for (const auto& [name, value] : named_.where)
      list.append(nb::make_tuple(nodes_.place(value.graph().symbol(name)), nodes_.place(value)));
    return list;
  }
  [[nodiscard]] const nb::list& nodes() const { return nodes_.list(); }

 private:
  symbolic::Named named_;
  Nodes nodes_;
};

/// (nodes, where, [(title of a section, [(left, right), ..]), ..]).
nb::tuple derived(Model& model, const std::string& what) {
  const auto& presentation = model.presented(what);
  Names names;
  for (const auto& notation : presentation.notation) names.emplace(notation.symbol.name(), notation.sympy);
  std::vector<symbolic::Expr> all;
  for (const auto& section : presentation.sections)
    for (const auto& equation : section.equations) all.insert(all.end(), {equation.left, equation.right});
  Shared shared(all, std::move(names), "");
  nb::list sections;
  std::size_t next = 0;
  for (const auto& section : presentation.sections) {
    nb::list rows;
    for (std::size_t row = 0; row < section.equations.size(); ++row, next += 2)
      rows.append(nb::make_tuple(shared[next], shared[next + 1]));
    sections.append(nb::make_tuple(section.title, rows));
  }
  const nb::list where = shared.where();
  return nb::make_tuple(shared.nodes(), where, sections);
}

/// (nodes, every expression of the model).
nb::tuple expressions(const Model& model) {
  const auto& system = model.problem().system;
  Nodes nodes;
  nb::dict d;
  d["generator"] = nodes.place(system.generator);
  d["forces"] = nodes.places(system.forces);
  d["constraints"] = nodes.places(system.constraints.equations);
  nb::dict symmetries;
  for (const auto& symmetry : system.symmetries) symmetries[symmetry.name.c_str()] = nodes.places(symmetry.section);
  d["symmetries"] = symmetries;
  nb::dict dissipated;
  for (const auto& f : system.dissipated) dissipated[f.name.c_str()] = nodes.place(f.value);
  d["dissipated"] = dissipated;
  nb::dict observables;
  for (const auto& observable : system.observables)
    observables[observable.name.c_str()] = nodes.place(observable.value);
  d["observables"] = observables;
  d["anchor"] = nodes.places(system.algebroid.rho.entries);
  d["right_anchor"] = nodes.places(system.algebroid.sigma.entries);
  std::vector<symbolic::Expr> brackets;
  const std::size_t r = system.r();
  for (std::size_t k = 0; k < r; ++k)
    for (std::size_t i = 0; i < r; ++i)
      for (std::size_t j = 0; j < r; ++j) brackets.push_back(system.algebroid.c(k, i, j));
  d["structure"] = nodes.places(brackets);
  return nb::make_tuple(nodes.list(), d);
}

/// (nodes, where, (W row by row, b)): W dw/dt = b + Phi_y^T ell.
nb::tuple inertia(const Model& model) {
  const auto problem = model.read_again();
  const auto equations = mechanics::derive(problem.system);
  std::vector<symbolic::Expr> all = equations.W.entries;
  all.insert(all.end(), equations.b.begin(), equations.b.end());
  Shared shared(all, {}, "mass");
  const nb::list W = shared.places(0, equations.W.entries.size());
  const nb::list b = shared.places(equations.W.entries.size(), equations.b.size());
  const nb::list where = shared.where();
  return nb::make_tuple(shared.nodes(), where, nb::make_tuple(W, b));
}

/// (nodes, where, d(x, w, z)/dt), the accelerations by elimination in the order of the rows.
nb::tuple rates(const Model& model) {
  const auto problem = model.read_again();
  const auto& system = problem.system;
  const auto equations = mechanics::readable_equations(system);
  auto outputs = mechanics::motion_program(system, equations, {}).program.outputs;
  outputs.resize(system.n() + system.r() + 1);
  Shared shared(outputs, {}, "rhs");
  const nb::list places = shared.places(0, outputs.size());
  const nb::list where = shared.where();
  return nb::make_tuple(shared.nodes(), where, places);
}

/// Reads a model, or one with an index written out site by site.
simulate::Problem problem_of(const std::string& text, const std::string& file) {
  if (!io::states_families(text, file)) return io::parse_model(text, file);
  families::Model model = io::parse_family_model(text, file);
  return families::written_out(model);
}

}  // namespace

Model::Model(const std::string& text, const std::string& file) : file_(file) {
  if (!io::states_control(text, file)) {
    problem_ = problem_of(text, file);
    return;
  }
  const control::Problem problem = io::parse_problem(text, file);
  problem_.system = problem.system;
  problem_.text = problem.text;
  for (const auto& control : problem.controls) controls_.emplace_back(control.name());
  cost_action_ = problem.cost.action.name();
  std::vector<symbolic::Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  for (const auto& [name, value] : problem.boundary.initial)
    problem_.initial[name] = symbolic::evaluate(value, symbols, values);
}

simulate::Problem Model::read_again() const {
  return problem_of(problem_.text, file_);
}

const simulate::Simulator& Model::simulator() {
  if (!controls_.empty())
    throw io::InputError(file_, 0, 0, "the model has controls, which no run knows", "solve it: system.solve()");
  const std::scoped_lock lock(mutex_);
  if (!simulator_)
    simulator_ =
        std::make_unique<simulate::Simulator>(problem_.system, compile::Options{}, problem_.initial, problem_.discrete);
  return *simulator_;
}

const mechanics::Presentation& Model::presented(const std::string& what) {
  const std::scoped_lock lock(mutex_);
  auto known = presentations_.find(what);
  if (known == presentations_.end() && !controls_.empty()) {
    if (what != "motion")
      throw std::invalid_argument("a problem of control has the conditions of its extremals alone; use equations()");
    const control::Problem own = io::parse_problem(problem_.text, file_);
    simulate::Problem holder;
    holder.system = own.system;
    known = presentations_.emplace(what, std::pair{std::move(holder), control::pontryagin_conditions(own)}).first;
  }
  if (known == presentations_.end()) {
    auto problem = read_again();
    auto presentation = presentation_of(problem, what);
    known = presentations_.emplace(what, std::pair{std::move(problem), std::move(presentation)}).first;
  }
  return known->second.second;
}

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
      .def_prop_ro("controls", [](const Model& m) { return m.controls(); })
      .def_prop_ro("cost_action", [](const Model& m) { return m.cost_action(); })
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
      .def("expressions", &expressions, "(nodes, every expression of the model).")
      .def("printed", &printed, nb::arg("what"), nb::arg("format"),
           "The equations of motion, the discrete Herglotz equations or the contact and Jacobi geometry as text.")
      .def("derived", &derived, nb::arg("what"),
           "(nodes, where, sections) of the same: long repeated parts have names.")
      .def("inertia", &inertia, "(nodes, where, (W, b)) of W dw/dt = b + Phi_y^T ell.")
      .def("rates", &rates, "(nodes, where, d(x, w, z)/dt).")
      .def(
          "followers",
          [](const Model& m, const std::vector<std::string>& names) {
            Values values;
            for (const auto& name : names) values[name] = 0;
            return expressions_beside(m.problem(), values).followers(names);
          },
          nb::arg("names"), "Names whose initial values are expressions that change with those of `names`.")
      .def("replaced_by", &replaced_by, nb::arg("names"), "Names of initial values that values of `names` replace.")
      .def("run", &run, nb::arg("initial"), nb::arg("parameters"), nb::arg("settings"), nb::arg("next"),
           nb::arg("progress").none(), "What one run reached.");
}

}  // namespace herglotz::python
