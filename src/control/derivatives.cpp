#include "derivatives.hpp"

#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::control {

using mechanics::System;

StagePrograms with_derivatives(const Problem& problem, const std::string& name, const std::vector<Expr>& variables,
                               const std::vector<Expr>& functions, bool second) {
  const System& system = problem.system;
  auto& graph = system.graph();
  const auto program = [&](const std::string& what, std::vector<Expr> inputs, std::vector<Expr> outputs) {
    symbolic::Program result{name + what, system.algebroid.graph, std::move(inputs), {}, std::move(outputs)};
    for (const auto& parameter : system.parameters) result.parameters.push_back(parameter.symbol);
    return result;
  };
  StagePrograms programs;
  programs.values = program("_values", variables, functions);
  const auto entries = [&](Derivatives& to, const symbolic::SparseMatrix& matrix, bool lower) {
    for (const auto& entry : matrix.entries) {
      if (entry.value.is_zero() || (lower && entry.col > entry.row)) continue;
      to.row.push_back(entry.row);
      to.col.push_back(entry.col);
      to.program.outputs.push_back(entry.value);
    }
  };
  programs.jacobian.program = program("_jacobian", variables, {});
  entries(programs.jacobian, symbolic::jacobian(functions, variables), false);
  std::vector<Expr> inputs = variables;
  Expr weighted = graph.number(0);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    inputs.push_back(graph.symbol("mu(" + std::to_string(k) + ")"));
    weighted += inputs.back() * functions[k];
  }
  programs.hessian.program = program("_hessian", inputs, {});
  if (second) entries(programs.hessian, symbolic::hessian(weighted, variables), true);
  return programs;
}

}  // namespace herglotz::control
