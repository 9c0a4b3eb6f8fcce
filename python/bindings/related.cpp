#include "herglotz/simulate/related.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/simulate/reduce.hpp"
#include "model.hpp"
#include "texts.hpp"

namespace herglotz::python {
namespace {

namespace nb = nanobind;

/// (text of the reduced model, sentences about what it does not have).
nb::tuple reduced(const Model& model, const std::vector<std::string>& fibre) {
  const auto problem = io::parse_model(model.problem().text);
  const auto result = simulate::reduce_by_constraints(problem, fibre);
  return nb::make_tuple(io::text_of(result.problem), result.left_out);
}

std::string flow(const Model& model, const std::string& f) {
  const auto problem = io::parse_model(model.problem().text);
  const auto& system = problem.system;
  symbolic::Scope scope;
  const auto add = [&](const symbolic::Expr& symbol) { scope.emplace(std::string(symbol.name()), symbol); };
  for (const auto* list : {&system.algebroid.x, &system.algebroid.y, &system.p, &system.definitions})
    for (const auto& symbol : *list) add(symbol);
  for (const auto& parameter : system.parameters) add(parameter.symbol);
  add(system.z);
  add(system.t);
  return io::text_of(simulate::flow_of(problem, read_text(system.graph(), f, scope)));
}

std::string extended(const Model& model, const std::string& rule) {
  if (rule != "nonholonomic" && rule != "vakonomic")
    throw std::invalid_argument("unknown rule '" + rule + "'; use nonholonomic or vakonomic");
  const auto problem = io::parse_model(model.problem().text);
  return io::text_of(
      simulate::extended(problem, rule == "vakonomic" ? mechanics::Rule::vakonomic : mechanics::Rule::nonholonomic));
}

}  // namespace

void bind_related(nb::module_& module) {
  module.def("reduced", &reduced, nb::arg("model"), nb::arg("fibre"), "(text of the reduced model, what is left out).");
  module.def("flow", &flow, nb::arg("model"), nb::arg("f"), "The model whose motion is the flow of X_f.");
  module.def("extended", &extended, nb::arg("model"), nb::arg("rule"), "The model with the action as a coordinate.");
}

}  // namespace herglotz::python
