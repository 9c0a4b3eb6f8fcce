#include "programs.hpp"

#include <string>

#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::mechanics {

symbolic::Program program(const System& system, const Equations& equations, std::string_view name,
                          std::vector<Expr> outputs, const std::vector<Expr>& more) {
  symbolic::Program result;
  result.name = name;
  result.graph = system.algebroid.graph;
  result.variables = equations.u;
  result.variables.insert(result.variables.end(), more.begin(), more.end());
  for (const Parameter& parameter : system.parameters) result.parameters.push_back(parameter.symbol);
  result.outputs = std::move(outputs);
  return result;
}

SparseProgram sparse_program(const System& system, const Equations& equations, std::string_view name,
                             const symbolic::SparseMatrix& matrix, const std::vector<Expr>& more) {
  SparseProgram result;
  result.rows = matrix.rows;
  result.cols = matrix.cols;
  std::vector<Expr> outputs;
  for (const symbolic::Entry& entry : matrix.entries) {
    if (entry.value.is_zero()) continue;
    result.row.push_back(entry.row);
    result.col.push_back(entry.col);
    outputs.push_back(entry.value);
  }
  result.program = program(system, equations, name, std::move(outputs), more);
  return result;
}

std::vector<Expr> state_of(const Equations& equations) {
  return {equations.u.begin(), equations.u.end() - 1};
}

std::vector<Expr> rate_symbols(const System& system) {
  std::vector<Expr> rates;
  for (const Expr& w : system.w()) rates.push_back(system.graph().symbol("d(" + std::string(w.name()) + ")/dt"));
  return rates;
}

std::vector<Expr> residual(const Equations& equations, const std::vector<Expr>& w_dot) {
  std::vector<Expr> rest = equations.b;
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (std::size_t j = 0; j < w_dot.size(); ++j) {
      const Expr& entry = equations.W(i, j);
      if (!entry.is_zero()) rest[i] -= entry * w_dot[j];
    }
  return rest;
}

namespace {

std::vector<Expr> stage_outputs(const Equations& q) {
  std::vector<Expr> outputs = q.x_dot;
  outputs.insert(outputs.end(), q.p.begin(), q.p.end());
  outputs.insert(outputs.end(), q.f.begin(), q.f.end());
  outputs.insert(outputs.end(), {q.L, q.L_z});
  return outputs;
}

}  // namespace

symbolic::Program stage_program(const System& system, const Equations& equations) {
  return program(system, equations, "stage", stage_outputs(equations));
}

SparseProgram stage_jacobian_program(const System& system, const Equations& equations) {
  const auto matrix = symbolic::jacobian(stage_outputs(equations), state_of(equations));
  return sparse_program(system, equations, "stage_jacobian", matrix);
}

symbolic::Program balance_program(const System& system, const Equations& equations,
                                  const std::vector<BalanceLaw>& laws) {
  std::vector<Expr> outputs{equations.L_z};
  for (const BalanceLaw& law : laws) outputs.insert(outputs.end(), {law.quantity, law.scale, law.source});
  return program(system, equations, "balance", std::move(outputs));
}

symbolic::Program hessian_program(const System& system, const Equations& equations) {
  return program(system, equations, "hessian", equations.W.entries);
}

symbolic::Program observables_program(const System& system, const Equations& equations) {
  std::vector<Expr> from = system.p;
  std::vector<Expr> to = equations.p;
  from.insert(from.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  to.insert(to.end(), equations.y.begin(), equations.y.end());
  from.push_back(system.energy);
  to.push_back(equations.energy);
  std::vector<Expr> outputs;
  for (const Observable& observable : system.observables) outputs.push_back(symbolic::expand_lets(observable.value));
  return program(system, equations, "observables", symbolic::substitute(outputs, from, to));
}

}  // namespace herglotz::mechanics
