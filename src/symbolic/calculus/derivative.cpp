#include "herglotz/symbolic/derivative.hpp"

#include <algorithm>
#include <array>

#include "calculus/tape_sweep.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

namespace {

Expr or_zero(Graph& graph, Expr f) {
  return f.valid() ? f : graph.number(0);
}

void append(SparseMatrix& m, std::size_t row, std::size_t col, Expr value) {
  if (value.valid() && !value.is_zero()) m.entries.push_back({row, col, value});
}

SparseMatrix jacobian_by_rows(std::span<const Expr> f, std::span<const Expr> x) {
  SparseMatrix result{f.size(), x.size(), {}};
  DependencyTape tape(f, x);
  ReverseSweep sweep(tape);
  for (std::size_t i = 0; i < f.size(); ++i) {
    sweep.run(f[i], 0);
    for (std::size_t j = 0; j < x.size(); ++j) append(result, i, j, sweep.adjoint(x[j]));
  }
  return result;
}

SparseMatrix jacobian_by_columns(std::span<const Expr> f, std::span<const Expr> x) {
  SparseMatrix result{f.size(), x.size(), {}};
  DependencyTape tape(f, x);
  ForwardSweep sweep(tape);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const Expr one = x[j].graph().number(1);
    sweep.run(x.subspan(j, 1), {&one, 1});
    for (std::size_t i = 0; i < f.size(); ++i) append(result, i, j, sweep.tangent(f[i]));
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  return result;
}

}  // namespace

std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> v) {
  if (x.size() != v.size()) {
    throw Refused("a direction needs one component for every variable");
  }
  DependencyTape tape(f, x);
  ForwardSweep sweep(tape);
  sweep.run(x, v);
  std::vector<Expr> result;
  result.reserve(f.size());
  for (const Expr output : f) result.push_back(or_zero(output.graph(), sweep.tangent(output)));
  return result;
}

Expr derivative(Expr f, Expr x) {
  const Expr one = f.graph().number(1);
  return directional_derivative({&f, 1}, {&x, 1}, {&one, 1}).front();
}

std::vector<Expr> gradient(Expr f, std::span<const Expr> x) {
  DependencyTape tape({&f, 1}, x);
  ReverseSweep sweep(tape);
  sweep.run(f, 0);
  std::vector<Expr> result;
  result.reserve(x.size());
  for (const Expr variable : x) result.push_back(or_zero(f.graph(), sweep.adjoint(variable)));
  return result;
}

SparseMatrix jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  return x.size() < f.size() ? jacobian_by_columns(f, x) : jacobian_by_rows(f, x);
}

SparseMatrix hessian(Expr f, std::span<const Expr> x) {
  const std::size_t n = x.size();
  SparseMatrix result{n, n, {}};
  const std::vector<Expr> slopes = gradient(f, x);
  DependencyTape tape(slopes, x);
  ReverseSweep sweep(tape);
  // Row i is swept for the columns j >= i only; the Hessian is symmetric.
  for (std::size_t i = 0; i < n; ++i) {
    sweep.run(slopes[i], static_cast<std::uint32_t>(i));
    for (std::size_t j = i; j < n; ++j) {
      append(result, i, j, sweep.adjoint(x[j]));
      if (j != i) append(result, j, i, sweep.adjoint(x[j]));
    }
  }
  std::sort(result.entries.begin(), result.entries.end(),
            [](const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  return result;
}

Matrix to_dense(Graph& graph, const SparseMatrix& m) {
  Matrix dense(m.rows, m.cols, graph.number(0));
  for (const Entry& entry : m.entries) dense(entry.row, entry.col) = entry.value;
  return dense;
}

}  // namespace herglotz::symbolic
