#include "herglotz/symbolic/derivative.hpp"
#include "programs/held_blocks.hpp"
#include "programs/programs.hpp"

namespace herglotz::mechanics {
namespace {

/// Returns (w_dot, ell).
std::vector<Expr> solved_rates(const System& system, const Equations& q) {
  if (q.b.empty()) return {};
  return exchanging_rates(system, q);
}

/// Returns the blocks of rows, one under the other.
symbolic::SparseMatrix stacked(const std::vector<symbolic::SparseMatrix>& blocks) {
  symbolic::SparseMatrix all;
  for (const auto& block : blocks) {
    for (const symbolic::Entry& entry : block.entries)
      all.entries.push_back({entry.row + all.rows, entry.col, entry.value});
    all.rows += block.rows;
    all.cols = block.cols;
  }
  return all;
}

/// Returns rows first to last (not included) of a dense matrix.
symbolic::SparseMatrix sparse(const Matrix& dense, std::size_t first, std::size_t last, std::size_t cols) {
  symbolic::SparseMatrix m;
  m.rows = last - first;
  m.cols = cols;
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t j = 0; j < cols; ++j)
      if (!dense(i, j).is_zero()) m.entries.push_back({i - first, j, dense(i, j)});
  return m;
}

}  // namespace

bool eliminates_inside(const System& system, const Equations& equations) {
  if (equations.b.size() + equations.m() > straight_line_rank) return false;
  try {
    solved_rates(system, equations);
    return true;
  } catch (const symbolic::SingularMatrix&) {
    return false;  // the numeric elimination reports at which state it fails
  }
}

symbolic::Program flow_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs = equations.x_dot;
  auto rates = solved_rates(system, equations);
  rates.insert(rates.begin() + static_cast<std::ptrdiff_t>(equations.b.size()), equations.L);
  outputs.insert(outputs.end(), rates.begin(), rates.end());
  return program(system, equations, "flow", std::move(outputs));
}

symbolic::Program flow_program(const System& system, const Equations& equations, const std::vector<BalanceLaw>& laws) {
  auto flow = flow_program(system, equations);
  const std::span<const Expr> rates(flow.outputs);
  const std::vector<Expr> ell(rates.end() - static_cast<std::ptrdiff_t>(equations.m()), rates.end());
  std::vector<Expr> rest{equations.L_z};
  for (const BalanceLaw& law : laws) rest.push_back(law.source);
  if (equations.rule == Rule::nonholonomic) rest = symbolic::substitute(rest, equations.l, ell);
  flow.outputs.insert(flow.outputs.end(), rest.begin(), rest.end());
  return program(system, equations, "flow", std::move(flow.outputs));
}

SparseProgram flow_jacobian_program(const System& system, const Equations& equations) {
  const auto state = state_of(equations);
  const auto symbols = rate_symbols(system, equations);
  // By the derivative of the system: K d(w_dot, ell)/du = d(b, -beta)/du - dK/du (w_dot, ell), whose right-hand side
  // has the rates held fixed.
  auto fixed = symbolic::jacobian(residual(system, equations, symbols), state);
  std::vector<Expr> values;
  for (const symbolic::Entry& entry : fixed.entries) values.push_back(entry.value);
  values = symbolic::substitute(values, symbols, solved_rates(system, equations));
  for (std::size_t k = 0; k < values.size(); ++k) fixed.entries[k].value = values[k];
  Matrix rates_u;
  if (!equations.b.empty())
    rates_u = symbolic::solve(saddle_matrix(system, equations), symbolic::to_dense(system.graph(), fixed));
  const std::size_t r = equations.b.size();
  const std::vector<Expr> z_dot{equations.L};
  return sparse_program(system, equations, "flow_jacobian",
                        stacked({symbolic::jacobian(equations.x_dot, state), sparse(rates_u, 0, r, state.size()),
                                 symbolic::jacobian(z_dot, state), sparse(rates_u, r, rates_u.rows, state.size())}));
}

symbolic::Program projection_program(const System& system, const Equations& equations) {
  const std::size_t r = equations.b.size();
  std::vector<Expr> targets;
  std::vector<Expr> right;
  for (std::size_t a = 0; a < r; ++a) {
    targets.push_back(system.graph().symbol("p_hat(" + std::string(system.w()[a].name()) + ")"));
    right.push_back(targets.back() - equations.p[a]);
  }
  for (const Expr& Phi : equations.Phi) right.push_back(-Phi);
  std::vector<Expr> outputs = symbolic::solve(saddle_matrix(system, equations), column(right)).entries;
  for (std::size_t a = 0; a < r; ++a) {
    Expr impulse = system.graph().number(std::int64_t{0});
    for (std::size_t A = 0; A < equations.m(); ++A) impulse += equations.Phi_y(A, a) * outputs[r + A];
    outputs.push_back(impulse);
  }
  return program(system, equations, "projection", std::move(outputs), targets);
}

symbolic::Program mass_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs = equations.x_dot;
  outputs.push_back(equations.L);
  for (const auto* block :
       {&equations.W.entries, &equations.b, &equations.Phi_y.entries, &equations.Phi_w.entries, &equations.beta})
    outputs.insert(outputs.end(), block->begin(), block->end());
  return program(system, equations, "mass", std::move(outputs));
}

SparseProgram saddle_program(const System& system, const Equations& equations) {
  const Matrix K = saddle_matrix(system, equations);
  std::vector<Expr> outputs = equations.x_dot;
  outputs.push_back(equations.L);
  const std::vector<Expr> right = saddle_right_side(equations);
  outputs.insert(outputs.end(), right.begin(), right.end());
  SparseProgram saddle;
  saddle.rows = K.rows;
  saddle.cols = K.cols;
  for (std::size_t i = 0; i < K.rows; ++i) {
    for (std::size_t j = 0; j < K.cols; ++j) {
      if (K(i, j).is_zero()) continue;
      saddle.row.push_back(i);
      saddle.col.push_back(j);
      outputs.push_back(K(i, j));
    }
  }
  saddle.program = program(system, equations, "saddle", std::move(outputs));
  return saddle;
}

SparseProgram mass_jacobian_program(const System& system, const Equations& equations) {
  const auto state = state_of(equations);
  const auto symbols = rate_symbols(system, equations);
  std::vector<Expr> rows = equations.x_dot;
  auto rest = residual(system, equations, symbols);
  rest.insert(rest.begin() + static_cast<std::ptrdiff_t>(equations.b.size()), equations.L);
  rows.insert(rows.end(), rest.begin(), rest.end());
  return sparse_program(system, equations, "mass_jacobian", symbolic::jacobian(rows, state), symbols);
}

}  // namespace herglotz::mechanics
