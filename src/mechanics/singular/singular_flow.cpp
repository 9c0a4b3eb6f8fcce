#include "herglotz/mechanics/singular_flow.hpp"

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

/// Conditions A dy/dt = right on dy/dt.
struct Rows {
  Matrix A;
  Matrix right;
};

Rows rows_of(const System& system, const Equations& q, const SingularAnalysis& analysis) {
  const std::size_t r = system.r();
  const Expr zero = system.graph().number(std::int64_t{0});
  Rows rows{Matrix(analysis.pivots.size(), r, zero), Matrix(analysis.pivots.size(), 1, zero)};
  const auto G = constraints_on_velocities(system, q, analysis);
  std::vector<Expr> along = system.algebroid.x;
  along.insert(along.end(), {system.z, system.t});
  std::vector<Expr> rates = q.x_dot;
  rates.insert(rates.end(), {q.L, system.graph().number(std::int64_t{1})});
  for (std::size_t i = 0; i < analysis.pivots.size(); ++i) {
    const std::size_t k = analysis.pivots[i];
    if (k < r) {  // p_k = dL/dy^k
      for (std::size_t a = 0; a < r; ++a) rows.A(i, a) = q.W(k, a);
      rows.right(i, 0) = q.b[k];
      continue;
    }
    const std::vector<Expr> constraint{G[k]};
    const auto slopes = symbolic::gradient(G[k], system.algebroid.y);
    for (std::size_t a = 0; a < r; ++a) rows.A(i, a) = slopes[a];
    rows.right(i, 0) = -symbolic::directional_derivative(constraint, along, rates).front();
  }
  return rows;
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

Equations singular_flow(const System& system, const Equations& equations, const SingularAnalysis& analysis) {
  if (system.constraints.rule != Rule::none)
    throw Refused("the motion of a singular Lagrangian with constraints of the model is not followed");
  Equations q = equations;
  const std::size_t r = system.r();
  const auto rows = rows_of(system, equations, analysis);
  q.W = symbolic::identity(system.graph(), r);
  if (rows.A.rows == 0) {
    q.b.assign(r, system.graph().number(std::int64_t{0}));
  } else if (rows.A.rows == r) {
    q.b = symbolic::solve(rows.A, rows.right).entries;
  } else {
    const Matrix transposed = transpose(rows.A);
    q.b = multiply(transposed, symbolic::solve(multiply(rows.A, transposed), rows.right)).entries;
  }
  return q;
}

symbolic::Program level_constraints_program(const System& system, const Equations& equations,
                                            const SingularAnalysis& analysis) {
  return program(system, equations, "level_constraints", constraints_on_velocities(system, equations, analysis));
}

symbolic::Program final_set_program(const System& system, const Equations& equations,
                                    const SingularAnalysis& analysis) {
  std::vector<Expr> G;
  for (const Expr& g : constraints_on_velocities(system, equations, analysis))
    if (!g.is_zero()) G.push_back(g);
  const auto state = state_of(equations);
  const Matrix slopes = symbolic::to_dense(system.graph(), symbolic::jacobian(G, state));
  G.insert(G.end(), slopes.entries.begin(), slopes.entries.end());
  return program(system, equations, "final_set", std::move(G));
}

}  // namespace herglotz::mechanics
