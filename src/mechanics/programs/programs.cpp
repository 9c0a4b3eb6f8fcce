#include "programs/programs.hpp"

#include <algorithm>
#include <string>

#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/magnitude.hpp"

namespace herglotz::mechanics {

symbolic::Program program(const System& system, const Equations& equations, std::string_view name,
                          std::vector<Expr> outputs, const std::vector<Expr>& more) {
  symbolic::Program result;
  result.name = name;
  result.graph = system.algebroid.graph;
  result.variables = equations.u;
  result.variables.insert(result.variables.end(), equations.l.begin(), equations.l.end());
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
  std::vector<Expr> state(equations.u.begin(), equations.u.end() - 1);
  state.insert(state.end(), equations.l.begin(), equations.l.end());
  return state;
}

std::vector<Expr> rate_symbols(const System& system, const Equations& equations) {
  std::vector<Expr> rates;
  for (const Expr& w : system.w()) rates.push_back(system.graph().symbol("d(" + std::string(w.name()) + ")/dt"));
  for (const Expr& l : equations.l) rates.push_back(system.graph().symbol("ell(" + std::string(l.name()) + ")"));
  return rates;
}

Matrix column(const std::vector<Expr>& v) {
  Matrix m;
  m.rows = v.size();
  m.cols = 1;
  m.entries = v;
  return m;
}

Matrix saddle_matrix(const System& system, const Equations& q) {
  const std::size_t r = q.b.size();
  Matrix K(r + q.m(), r + q.m(), system.graph().number(std::int64_t{0}));
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j) K(i, j) = q.W(i, j);
  for (std::size_t A = 0; A < q.m(); ++A)
    for (std::size_t a = 0; a < r; ++a) {
      K(a, r + A) = -q.Phi_y(A, a);
      K(r + A, a) = q.Phi_w(A, a);
    }
  return K;
}

std::vector<Expr> saddle_right_side(const Equations& q) {
  std::vector<Expr> right = q.b;
  for (const Expr& rate : q.beta) right.push_back(-rate);
  return right;
}

std::vector<Expr> residual(const System& system, const Equations& q, const std::vector<Expr>& rates) {
  const Matrix K = saddle_matrix(system, q);
  std::vector<Expr> rest = saddle_right_side(q);
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (std::size_t j = 0; j < rates.size(); ++j)
      if (!K(i, j).is_zero()) rest[i] -= K(i, j) * rates[j];
  return rest;
}

namespace {

std::vector<Expr> stage_outputs(const Equations& q) {
  std::vector<Expr> outputs = q.x_dot;
  outputs.insert(outputs.end(), q.p.begin(), q.p.end());
  for (std::size_t a = 0; a < q.f.size(); ++a) {
    Expr F = q.f[a];
    if (q.rule == Rule::nonholonomic)
      for (std::size_t A = 0; A < q.m(); ++A) F += q.l[A] * q.Phi_y(A, a);
    outputs.push_back(F);
  }
  outputs.insert(outputs.end(), {q.L, q.L_z});
  outputs.insert(outputs.end(), q.Phi.begin(), q.Phi.end());
  return outputs;
}

/// Returns the derivatives of the outputs of a stage, of which row `of_L` is L.
symbolic::SparseMatrix stage_slopes(std::vector<Expr> outputs, std::size_t of_L, const std::vector<Expr>& state) {
  // Columns are swept one after the other where they are fewer than the rows. Each sweep passes all terms of L, and
  // their products with what they move by are hundreds for each of hundreds of variables.
  constexpr std::size_t many = 64;
  if (state.size() < many) return symbolic::jacobian(outputs, state);
  const Expr L = outputs[of_L];
  outputs[of_L] = L.graph().number(std::int64_t{0});
  auto slopes = symbolic::jacobian(outputs, state);
  const auto row = symbolic::jacobian({&L, 1}, state);
  const auto place = std::ranges::find_if(slopes.entries, [&](const auto& entry) { return entry.row > of_L; });
  auto next = slopes.entries.insert(place, row.entries.begin(), row.entries.end());
  for (std::size_t k = 0; k < row.entries.size(); ++k) (next++)->row = of_L;
  return slopes;
}

}  // namespace

symbolic::Program stage_program(const System& system, const Equations& equations) {
  return program(system, equations, "stage", stage_outputs(equations));
}

SparseProgram stage_jacobian_program(const System& system, const Equations& equations) {
  const auto matrix =
      stage_slopes(stage_outputs(equations), equations.x_dot.size() + 2 * equations.p.size(), state_of(equations));
  return sparse_program(system, equations, "stage_jacobian", matrix);
}

symbolic::Program balance_program(const System& system, const Equations& equations,
                                  const std::vector<BalanceLaw>& laws) {
  std::vector<Expr> outputs{equations.L_z};
  for (const BalanceLaw& law : laws) outputs.insert(outputs.end(), {law.quantity, law.scale, law.source});
  return program(system, equations, "balance", std::move(outputs));
}

symbolic::Program hessian_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs = equations.W.entries;
  for (const Matrix* matrix : {&equations.Phi_y, &equations.Phi_w})
    outputs.insert(outputs.end(), matrix->entries.begin(), matrix->entries.end());
  return program(system, equations, "hessian", std::move(outputs));
}

symbolic::Program position_program(const System& system, const Equations& equations) {
  return program(system, equations, "position", equations.phi);
}

symbolic::Program constraints_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs;
  for (const Expr& equation : system.constraints.equations)
    outputs.push_back(symbolic::substitute(symbolic::expand_lets(equation), system.algebroid.y, equations.y));
  outputs.insert(outputs.end(), equations.Phi.begin(),
                 equations.Phi.begin() + static_cast<std::ptrdiff_t>(equations.phi.size()));
  return program(system, equations, "constraints", std::move(outputs));
}

namespace {

/// Returns a program of values that may use momenta, velocities and the energy, written as functions of the state.
symbolic::Program outputs_program(const System& system, const Equations& equations, std::string_view name,
                                  std::vector<Expr> outputs) {
  std::vector<Expr> from = system.p;
  std::vector<Expr> to = equations.p;
  from.insert(from.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  to.insert(to.end(), equations.y.begin(), equations.y.end());
  from.push_back(system.energy);
  to.push_back(equations.energy);
  for (Expr& output : outputs) output = symbolic::expand_lets(output);
  return program(system, equations, name, symbolic::substitute(outputs, from, to));
}

}  // namespace

symbolic::Program observables_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs;
  for (const Observable& observable : system.observables) outputs.push_back(observable.value);
  return outputs_program(system, equations, "observables", std::move(outputs));
}

symbolic::Program events_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs;
  for (const Event& event : system.events) outputs.push_back(event.value);
  for (const Event& event : system.events)
    for (const Expr& f : jump_functions(event)) outputs.push_back(f);
  return outputs_program(system, equations, "events", std::move(outputs));
}

symbolic::Program gap_sizes_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs;
  for (const Event& event : system.events)
    outputs.push_back(event.impact ? symbolic::magnitude(symbolic::expand_lets(event.value))
                                   : system.graph().number(std::int64_t{0}));
  return outputs_program(system, equations, "gap_sizes", std::move(outputs));
}

}  // namespace herglotz::mechanics
