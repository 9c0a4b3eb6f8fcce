#include "herglotz/symbolic/derivative.hpp"
#include "programs.hpp"

namespace herglotz::mechanics {
namespace {

Matrix column(const std::vector<Expr>& v) {
  Matrix m;
  m.rows = v.size();
  m.cols = 1;
  m.entries = v;
  return m;
}

std::vector<Expr> solved_rates(const Equations& q) {
  return q.b.empty() ? q.b : symbolic::solve(q.W, column(q.b)).entries;
}

/// The three blocks of rows one under the other.
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

symbolic::SparseMatrix sparse(const Matrix& dense) {
  symbolic::SparseMatrix m;
  m.rows = dense.rows;
  m.cols = dense.cols;
  for (std::size_t i = 0; i < dense.rows; ++i)
    for (std::size_t j = 0; j < dense.cols; ++j)
      if (!dense(i, j).is_zero()) m.entries.push_back({i, j, dense(i, j)});
  return m;
}

}  // namespace

bool eliminates_inside(const Equations& equations) {
  if (equations.b.size() > straight_line_rank) return false;
  try {
    solved_rates(equations);
    return true;
  } catch (const symbolic::SingularMatrix&) {
    return false;  // the numeric way says at which state
  }
}

symbolic::Program flow_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs = equations.x_dot;
  const auto w_dot = solved_rates(equations);
  outputs.insert(outputs.end(), w_dot.begin(), w_dot.end());
  outputs.push_back(equations.L);
  return program(system, equations, "flow", std::move(outputs));
}

SparseProgram flow_jacobian_program(const System& system, const Equations& equations) {
  const auto state = state_of(equations);
  const auto symbols = rate_symbols(system);
  // W dw_dot/du = db/du - dW/du w_dot, the right-hand side with w_dot held fixed.
  auto fixed = symbolic::jacobian(residual(equations, symbols), state);
  std::vector<Expr> values;
  for (const symbolic::Entry& entry : fixed.entries) values.push_back(entry.value);
  values = symbolic::substitute(values, symbols, solved_rates(equations));
  for (std::size_t k = 0; k < values.size(); ++k) fixed.entries[k].value = values[k];
  const Matrix w_dot_u =
      equations.b.empty() ? Matrix() : symbolic::solve(equations.W, symbolic::to_dense(system.graph(), fixed));
  symbolic::SparseMatrix middle = sparse(w_dot_u);
  middle.cols = state.size();
  const std::vector<Expr> z_dot{equations.L};
  return sparse_program(
      system, equations, "flow_jacobian",
      stacked({symbolic::jacobian(equations.x_dot, state), middle, symbolic::jacobian(z_dot, state)}));
}

symbolic::Program mass_program(const System& system, const Equations& equations) {
  std::vector<Expr> outputs = equations.x_dot;
  outputs.push_back(equations.L);
  outputs.insert(outputs.end(), equations.W.entries.begin(), equations.W.entries.end());
  outputs.insert(outputs.end(), equations.b.begin(), equations.b.end());
  return program(system, equations, "mass", std::move(outputs));
}

SparseProgram mass_jacobian_program(const System& system, const Equations& equations) {
  const auto state = state_of(equations);
  const auto symbols = rate_symbols(system);
  std::vector<Expr> rows = equations.x_dot;
  const auto rest = residual(equations, symbols);
  rows.insert(rows.end(), rest.begin(), rest.end());
  rows.push_back(equations.L);
  return sparse_program(system, equations, "mass_jacobian", symbolic::jacobian(rows, state), symbols);
}

}  // namespace herglotz::mechanics
