#include "solution.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <stdexcept>

#include "bindings.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/solution_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "herglotz/report/report.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/solve/solve.hpp"
#include "model.hpp"
#include "nodes.hpp"
#include "trajectory.hpp"

namespace herglotz::python {
namespace {

/// The facts of the trajectory and those of the solution, flat: certificate.defect, switching_times.u and the like.
nb::dict facts_of(const Solved& solved) {
  nb::dict d = python::facts_of(solved.trajectory.facts);
  const control::SolutionFacts& facts = solved.facts;
  d["reason"] = facts.reason;
  d["extremal"] = control::extremal_of(facts);
  d["cost"] = facts.cost;
  d["cost_error"] = facts.cost_error;
  d["mesh_error"] = facts.mesh_error;
  d["duration"] = facts.duration;
  d["structure"] = facts.structure;
  d["intervals"] = facts.intervals;
  d["iterations"] = facts.iterations;
  d["solvers"] = facts.solvers;
  for (const auto& [control, times] : facts.switching_times)
    d[("switching_times." + control).c_str()] = array(times, {times.size()});
  for (const auto& [name, value] : facts.residuals) d[("certificate." + name).c_str()] = value;
  return d;
}

nb::list arrays_of(const Solved& solved) {
  nb::list list;
  for (const auto& column : solved.trajectory.columns)
    list.append(nb::make_tuple(column.name, name_of(column.role), array(column.values, {column.values.size()})));
  return list;
}

/// Returns the names of columns by their kind: states and controls.
nb::dict names_of(const Solved& solved) {
  const control::Iterate& iterate = solved.facts.iterate;
  nb::dict d;
  d["states"] = iterate.states;
  d["controls"] = std::vector<std::string>(iterate.algebraic.begin(),
                                           iterate.algebraic.begin() + static_cast<std::ptrdiff_t>(iterate.controls));
  return d;
}

void change_settings(control::Problem& problem, const nb::dict& settings) {
  for (const auto& [key, value] : settings) {
    const auto name = nb::cast<std::string>(key);
    if (name == "method") {
      problem.settings.method = nb::cast<std::string>(value);
    } else if (name == "tolerance") {
      problem.settings.tolerance = nb::cast<double>(value);
    } else if (name == "intervals") {
      problem.settings.intervals = nb::cast<std::size_t>(value);
      problem.guess.keeps_mesh = false;
    } else if (name == "duration") {
      io::set_value(problem, "duration", nb::cast<double>(value));
    } else {
      throw std::invalid_argument("unknown setting '" + name + "'");
    }
  }
}

Solved solve_model(const std::string& text, const std::string& file, const std::vector<std::string>& assignments,
                   const nb::dict& settings, const Solved* guess, const std::optional<std::string>& guess_file,
                   const nb::object& progress) {
  control::Problem problem = io::parse_problem(text, file);
  for (const auto& assignment : assignments) io::apply_setting(problem, assignment);
  change_settings(problem, settings);
  if (guess != nullptr) {
    io::set_guess(problem, guess->trajectory.columns, guess->facts.iterate, "guess");
  } else if (guess_file || !problem.guess.file.empty()) {
    io::read_guess(problem, guess_file.value_or(problem.guess.file));
  }
  ProgressWatch watch(progress);
  const nb::gil_scoped_release released;
  try {
    solve::Solution solution = solve::solve(problem, [&] { return watch(0); });
    return {std::move(solution.trajectory), std::move(static_cast<control::SolutionFacts&>(solution))};
  } catch (const io::InputError&) {
    throw;
  } catch (const Refused& error) {
    throw io::InputError(file, 0, 0, error.problem(), error.remedy().empty() ? "change the model" : error.remedy());
  }
}

Solved read_solution(const std::string& file) {
  auto [trajectory, solution] = io::read_solution(file);
  if (!solution)
    throw io::InputError(file, 0, 0, "this file holds a run and no solution",
                         "give a .h5 file of `herglotz solve --out` or Solution.save");
  return {std::move(trajectory), std::move(*solution)};
}

/// Returns what the constraint algorithm finds, with expressions as places in a list of nodes; None for a regular
/// Lagrangian.
nb::object constraint_set(const Model& model) {
  const auto problem = model.read_again();
  std::optional<mechanics::SingularAnalysis> found;
  {
    const nb::gil_scoped_release released;
    found = simulate::singular_analysis(problem);
  }
  if (!found) return nb::none();
  Nodes nodes;
  nb::list constraints;
  for (const auto& constraint : found->constraints)
    constraints.append(
        nb::make_tuple(constraint.level, nodes.place(constraint.expression), nodes.places(constraint.branches)));
  nb::list fields;
  for (const auto& direction : found->free) fields.append(nodes.places(direction));
  nb::dict d;
  d["levels"] = found->levels();
  d["constraints"] = constraints;
  d["variables"] = nodes.places(found->equations.w);
  d["dim_total"] = found->dim_total();
  d["dim_final"] = nb::none();
  d["dim_gauge_orbits"] = nb::none();
  d["contradiction"] = nb::none();
  if (found->contradiction) {
    d["contradiction"] = nb::make_tuple(found->contradiction->level, nodes.place(found->contradiction->expression));
  } else {
    d["dim_final"] = found->dim_final;
    if (found->dim_gauge_orbits) d["dim_gauge_orbits"] = *found->dim_gauge_orbits;
  }
  d["undetermined"] = nodes.places(found->undetermined);
  d["gauge_fields"] = fields;
  return nb::make_tuple(nodes.list(), d);
}

}  // namespace

void bind_solution(nb::module_& module) {
  nb::class_<Solved>(module, "Solved", "A solution of a problem of boundary values or control.")
      .def_prop_ro("arrays", &arrays_of, "(name, role, values) of every column.")
      .def_prop_ro("facts", [](const Solved& solved) { return facts_of(solved); })
      .def_prop_ro("names", &names_of, "Names of states and controls.")
      .def_prop_ro("complete", [](const Solved& solved) { return solved.facts.status == control::Status::solved; })
      .def_prop_ro("stopped", [](const Solved& solved) { return solved.facts.status == control::Status::stopped; })
      .def(
          "mesh",
          [](const Solved& solved) {
            const auto& iterate = solved.facts.iterate;
            return nb::make_tuple(array(iterate.times, {iterate.times.size()}),
                                  array(iterate.errors, {iterate.errors.size()}));
          },
          "(times of the nodes, estimated error of each interval).")
      .def(
          "save",
          [](const Solved& solved, const std::string& file) {
            io::write_solution(solved.trajectory, solved.facts, std::filesystem::path(file));
          },
          nb::arg("file"), "Writes a .h5 or .csv file.");
  module.def("solve", &solve_model, nb::arg("text"), nb::arg("file"), nb::arg("assignments"), nb::arg("settings"),
             nb::arg("guess").none(), nb::arg("guess_file").none(), nb::arg("progress").none(),
             "Solves the problem of a model file after assignments NAME=VALUE.");
  module.def(
      "solution_page",
      [](const Solved& solved, const std::string& equations_latex) {
        analyse::Trajectory shown = solved.trajectory;
        shown.facts.equations_latex = equations_latex;
        return report::render(shown, solved.facts);
      },
      nb::arg("solved"), nb::arg("equations_latex"), "The page of a solution.");
  module.def("read_solution", &read_solution, nb::arg("file"), "Reads a solution from its .h5 file.");
  module.def("constraint_set", &constraint_set, nb::arg("model"),
             nb::sig("def constraint_set(model: Model) -> typing.Any"),
             "(nodes, the final constraint set of a model), or None for a regular Lagrangian.");
}

}  // namespace herglotz::python
