#include "herglotz/simulate/related.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.hpp"
#include "calculus/texts.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/simulate/reduce.hpp"
#include "model.hpp"
#include "nodes.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;

/// (text of the reduced model, sentences about what it does not have).
nb::tuple reduced(const Model& model, const std::vector<std::string>& fibre) {
  const auto problem = model.read_again();
  const auto result = simulate::reduce_by_constraints(problem, fibre);
  return nb::make_tuple(io::text_of(result.problem), result.left_out);
}

/// (text of the reduced model, sentences about what it does not have, the group with its section).
nb::tuple reduced_by_symmetry(const Model& model, const std::vector<std::string>& group, bool with_group) {
  const auto problem = model.read_again();
  const auto result = simulate::reduce_by_symmetry(problem, {group, with_group});
  return nb::make_tuple(io::text_of(result.problem), result.reduction.left_out, result.group);
}

/// (names, nodes, places of the components field by field, structure constants c^C_AB in the order C, A, B, pairs that
/// are closed).
nb::tuple point_symmetries(const Model& model) {
  const auto problem = model.read_again();
  const auto found = mechanics::point_symmetries(problem.system, problem.initial);
  std::vector<symbolic::Expr> components;
  for (const auto& field : found.fields) components.insert(components.end(), field.begin(), field.end());
  std::vector<symbolic::Expr> c;
  for (std::size_t C = 0; C < found.size(); ++C)
    for (std::size_t A = 0; A < found.size(); ++A)
      for (std::size_t B = 0; B < found.size(); ++B) c.push_back(found.c(C, A, B));
  const std::size_t fields = components.size();
  components.insert(components.end(), c.begin(), c.end());
  const bool closed = std::all_of(found.closed.begin(), found.closed.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](bool one) { return one; });
  });
  return nb::make_tuple(found.names, fields, nodes_of(components), closed);
}

/// Positions and velocities (x, y) of the given system, row by row, at rows of (x', y') of its reduction with group
/// coordinates, whose names come first.
std::vector<std::vector<double>> reconstructed(const Model& model, const std::vector<std::string>& group,
                                               const std::vector<std::vector<double>>& columns,
                                               const std::vector<std::string>& names) {
  const auto problem = model.read_again();
  const auto reduced = simulate::reduce_by_symmetry(problem, {group, true});
  const auto& e = reduced.problem.system.algebroid;
  std::vector<std::size_t> places;
  for (const auto* list : {&e.x, &e.y})
    for (const auto& symbol : *list) {
      const auto at = std::find(names.begin(), names.end(), symbol.name());
      if (at == names.end())
        throw std::invalid_argument(
            "the run lacks the column '" + std::string(symbol.name()) +
            "'; it must be one of reduced(by=\"symmetry\", with_group=True) of this system, and "
            "group= must name the symmetries that were named there");
      places.push_back(static_cast<std::size_t>(at - names.begin()));
    }
  const simulate::Reconstruction reconstruction(problem.system, reduced);
  std::vector<std::vector<double>> rows;
  std::vector<double> state(places.size());
  const std::size_t size = columns.empty() ? 0 : columns.front().size();
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t k = 0; k < places.size(); ++k) state[k] = columns[places[k]].at(row);
    rows.push_back(reconstruction(state));
  }
  return rows;
}

/// (text of the model that is made, sentences about events that it does not have).
nb::tuple with_left_out(const simulate::Problem& given, const simulate::Problem& made) {
  return nb::make_tuple(io::text_of(made), simulate::events_left_out(given, made));
}

/// `field`: "" for X_f, or "constrained" for X_f^Delta, or "projected" for P(X_f).
nb::tuple flow(const Model& model, const std::string& f, const std::string& field) {
  const auto problem = model.read_again();
  const auto& system = problem.system;
  const auto function = read_text(system.graph(), f, simulate::phase_scope(system));
  if (field.empty()) return with_left_out(problem, simulate::flow_of(problem, function));
  return with_left_out(problem,
                       simulate::constrained_flow_of(problem, function,
                                                     field == "projected" ? simulate::ConstrainedField::projected
                                                                          : simulate::ConstrainedField::of_bracket));
}

nb::tuple extended(const Model& model, const std::string& rule) {
  if (rule != "nonholonomic" && rule != "vakonomic")
    throw std::invalid_argument("unknown rule '" + rule + "'; use nonholonomic or vakonomic");
  const auto problem = model.read_again();
  return with_left_out(problem, simulate::extended(problem, rule == "vakonomic" ? mechanics::Rule::vakonomic
                                                                                : mechanics::Rule::nonholonomic));
}

}  // namespace

void bind_related(nb::module_& module) {
  module.def("reduced", &reduced, nb::arg("model"), nb::arg("fibre"), "(text of the reduced model, what is left out).");
  module.def("reduced_by_symmetry", &reduced_by_symmetry, nb::arg("model"), nb::arg("group"), nb::arg("with_group"),
             "(text of the reduced model, what is left out, the group).");
  module.def(
      "point_symmetries", &point_symmetries, nb::arg("model"),
      "(names, number of components, (nodes, places of components and structure constants), whether all close).");
  module.def("reconstructed", &reconstructed, nb::arg("model"), nb::arg("group"), nb::arg("columns"), nb::arg("names"),
             "(x, y) of the given system, row by row.");
  module.def("flow", &flow, nb::arg("model"), nb::arg("f"), nb::arg("field"),
             "(model whose motion is the flow of X_f, X_f^Delta or P(X_f), events that are left out).");
  module.def("extended", &extended, nb::arg("model"), nb::arg("rule"),
             "(model with the action as a coordinate, events that are left out).");
}

}  // namespace herglotz::python
