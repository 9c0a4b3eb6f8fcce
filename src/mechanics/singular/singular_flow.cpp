#include "herglotz/mechanics/singular_flow.hpp"

#include "herglotz/symbolic/derivative.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

/// Conditions A dw/dt = right on the rates of w = (y, multipliers).
struct Rows {
  Matrix A;
  Matrix right;
};

Rows rows_of(const System& system, const Equations& q, const SingularAnalysis& analysis) {
  const ImplicitSystem& implicit = analysis.equations;
  const std::size_t size = implicit.w.size();
  const Expr zero = system.graph().number(std::int64_t{0});
  Rows rows{Matrix(analysis.pivots.size(), size, zero), Matrix(analysis.pivots.size(), 1, zero)};
  std::vector<Expr> along = implicit.v;
  along.push_back(system.t);
  std::vector<Expr> rates = implicit.X;
  rates.push_back(system.graph().number(std::int64_t{1}));
  const auto at_momenta = [&](const std::vector<Expr>& f) { return symbolic::substitute(f, system.p, q.p); };
  for (std::size_t i = 0; i < analysis.pivots.size(); ++i) {
    const std::vector<Expr> G{analysis.constraints[analysis.pivots[i]].expression};
    const auto slopes = at_momenta(symbolic::gradient(G.front(), implicit.w));
    for (std::size_t j = 0; j < size; ++j) rows.A(i, j) = slopes[j];
    rows.right(i, 0) = -at_momenta(symbolic::directional_derivative(G, along, rates)).front();
  }
  return rows;
}

/// Returns dw/dt, the shortest solution of the rows.
std::vector<Expr> rates_of(const System& system, const Rows& rows) {
  if (rows.A.rows == 0) return std::vector<Expr>(rows.A.cols, system.graph().number(std::int64_t{0}));
  if (rows.A.rows == rows.A.cols) return symbolic::solve(rows.A, rows.right).entries;
  const Matrix transposed = transpose(rows.A);
  return multiply(transposed, symbolic::solve(multiply(rows.A, transposed), rows.right)).entries;
}

/// Returns the matrix with rows of zeros below it.
Matrix with_zero_rows(const Matrix& matrix, std::size_t more, Expr zero) {
  Matrix result = matrix;
  result.rows += more;
  result.entries.insert(result.entries.end(), more * matrix.cols, zero);
  return result;
}

/// Returns the system with the multipliers as base coordinates whose rates are not velocities.
System with_multipliers_in_base(const System& system, const std::vector<Expr>& multipliers) {
  System result = system;
  result.constraints = {};
  result.gauge = {};
  geometry::Algebroid& e = result.algebroid;
  const Expr zero = system.graph().number(std::int64_t{0});
  e.x.insert(e.x.end(), multipliers.begin(), multipliers.end());
  e.rho = with_zero_rows(e.rho, multipliers.size(), zero);
  e.sigma = with_zero_rows(e.sigma, multipliers.size(), zero);
  e.integration.reset();
  return result;
}

}  // namespace

std::vector<Expr> constraints_on_velocities(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis) {
  std::vector<Expr> G;
  for (const LevelConstraint& constraint : analysis.constraints)
    G.push_back(symbolic::substitute(constraint.expression, system.p, equations.p));
  // The first r constraints define the momenta of these velocities, so they are zero here, whatever names the model has
  // for parts of its Lagrangian.
  for (std::size_t a = 0; a < system.r(); ++a) G[a] = system.graph().number(std::int64_t{0});
  return G;
}

SingularFlow singular_flow(const System& system, const Equations& equations, const SingularAnalysis& analysis) {
  const std::size_t r = system.r();
  const std::vector<Expr>& w = analysis.equations.w;
  const auto first_multiplier = static_cast<std::ptrdiff_t>(r);
  const std::vector<Expr> multipliers(w.begin() + first_multiplier, w.end());
  const std::vector<Expr> rates = rates_of(system, rows_of(system, equations, analysis));
  SingularFlow flow{multipliers.empty() ? system : with_multipliers_in_base(system, multipliers), equations};
  Equations& q = flow.equations;
  q.u = flow.system.algebroid.x;
  q.u.insert(q.u.end(), system.algebroid.y.begin(), system.algebroid.y.end());
  q.u.insert(q.u.end(), {system.z, system.t});
  q.x_dot.insert(q.x_dot.end(), rates.begin() + first_multiplier, rates.end());
  q.W = symbolic::identity(system.graph(), r);
  q.b.assign(rates.begin(), rates.begin() + first_multiplier);
  q.l.clear();
  q.rule = Rule::none;
  q.phi.clear();
  q.Phi.clear();
  q.beta.clear();
  q.equation.clear();
  q.Phi_y = q.Phi_w = Matrix{};
  return flow;
}

symbolic::Program level_constraints_program(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis) {
  return program(system, equations, "level_constraints", constraints_on_velocities(system, equations, analysis));
}

symbolic::Program final_set_program(const SingularFlow& flow, const std::vector<Expr>& constraints) {
  std::vector<Expr> G;
  for (const Expr& g : constraints)
    if (!g.is_zero()) G.push_back(g);
  const auto state = state_of(flow.equations);
  const Matrix slopes = symbolic::to_dense(flow.system.graph(), symbolic::jacobian(G, state));
  G.insert(G.end(), slopes.entries.begin(), slopes.entries.end());
  return program(flow.system, flow.equations, "final_set", std::move(G));
}

}  // namespace herglotz::mechanics
