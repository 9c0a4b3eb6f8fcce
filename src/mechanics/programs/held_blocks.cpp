#include "programs/held_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "programs/programs.hpp"
#include "switches/holding_force.hpp"

namespace herglotz::mechanics {
namespace {

using Places = std::vector<std::size_t>;

/// Returns the rows and columns of a matrix.
Matrix block_of(const Matrix& matrix, const Places& rows, const Places& cols) {
  Matrix block;
  block.rows = rows.size();
  block.cols = cols.size();
  for (const std::size_t i : rows)
    for (const std::size_t j : cols) block.entries.push_back(matrix(i, j));
  return block;
}

template <class List>
List chosen(const List& list, const Places& places) {
  List result;
  for (const std::size_t i : places) result.push_back(list[i]);
  return result;
}

Places not_in(const Places& taken, std::size_t size) {
  Places all(size);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::erase_if(all, [&](std::size_t i) { return std::find(taken.begin(), taken.end(), i) != taken.end(); });
  return all;
}

bool is_of_numbers(const Matrix& rows, const Equations& q) {
  const auto moves = [&](const Expr& entry) {
    return std::any_of(q.u.begin(), q.u.end(), [&](const Expr& s) { return symbolic::depends_on(entry, s); });
  };
  return std::none_of(rows.entries.begin(), rows.entries.end(), moves);
}

/// Returns the constraint with those that have an acceleration with it or with one of these.
HeldBlock around(std::size_t constraint, const Matrix& rows, std::vector<bool>& seen) {
  HeldBlock block;
  Places next{constraint};
  seen[constraint] = true;
  while (!next.empty()) {
    const std::size_t A = next.back();
    next.pop_back();
    block.constraints.push_back(A);
    for (std::size_t a = 0; a < rows.cols; ++a) {
      if (rows(A, a).is_zero() ||
          std::find(block.accelerations.begin(), block.accelerations.end(), a) != block.accelerations.end())
        continue;
      block.accelerations.push_back(a);
      for (std::size_t B = 0; B < rows.rows; ++B)
        if (!seen[B] && !rows(B, a).is_zero()) {
          seen[B] = true;
          next.push_back(B);
        }
    }
  }
  std::sort(block.constraints.begin(), block.constraints.end());
  std::sort(block.accelerations.begin(), block.accelerations.end());
  return block;
}

}  // namespace

std::vector<HeldBlock> held_blocks(const Equations& q) {
  std::vector<HeldBlock> blocks;
  if (q.rule != Rule::nonholonomic || !(q.Phi_w.entries == q.Phi_y.entries)) return blocks;
  std::vector<bool> seen(q.m(), false);
  for (std::size_t A = 0; A < q.m(); ++A) {
    if (seen[A]) continue;
    HeldBlock block = around(A, q.Phi_w, seen);
    const bool holds = std::ranges::all_of(block.constraints, [&](std::size_t B) { return is_holding_force(q.l[B]); });
    if (holds && block.constraints.size() == block.accelerations.size()) blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<HeldBlock> moving_blocks(const Equations& q) {
  constexpr std::size_t largest = 4;  // the cost of minors grows as 2^n
  std::vector<HeldBlock> blocks = held_blocks(q);
  std::erase_if(blocks, [&](const HeldBlock& block) {
    return block.constraints.size() > largest ||
           is_of_numbers(block_of(q.Phi_w, block.constraints, block.accelerations), q);
  });
  return blocks;
}

std::vector<Expr> rates_by_blocks(const Equations& q, const std::vector<HeldBlock>& blocks, const BlockSolver& of_block,
                                  const std::function<std::vector<Expr>(const Equations&)>& of_rest) {
  if (blocks.empty()) return of_rest(q);
  const std::size_t r = q.b.size();
  Places held;
  Places holding;
  for (const HeldBlock& block : blocks) {
    held.insert(held.end(), block.accelerations.begin(), block.accelerations.end());
    holding.insert(holding.end(), block.constraints.begin(), block.constraints.end());
  }
  std::vector<Expr> rates = saddle_right_side(q);
  for (const HeldBlock& block : blocks) {
    std::vector<Expr> beta = chosen(q.beta, block.constraints);
    for (Expr& entry : beta) entry = -entry;
    const Matrix found = of_block(block_of(q.Phi_w, block.constraints, block.accelerations), column(beta));
    for (std::size_t i = 0; i < block.accelerations.size(); ++i) rates[block.accelerations[i]] = found.entries[i];
  }
  const Places left = not_in(held, r);
  Equations rest = q;
  const Places still = not_in(holding, q.m());
  rest.l = chosen(q.l, still);
  rest.beta = chosen(q.beta, still);
  rest.Phi_w = rest.Phi_y = block_of(q.Phi_w, still, left);
  rest.W = block_of(q.W, left, left);
  rest.b = chosen(q.b, left);
  for (std::size_t i = 0; i < left.size(); ++i)
    for (const std::size_t a : held)
      if (!q.W(left[i], a).is_zero()) rest.b[i] -= q.W(left[i], a) * rates[a];
  const std::vector<Expr> others = left.empty() ? std::vector<Expr>{} : of_rest(rest);
  for (std::size_t i = 0; i < left.size(); ++i) rates[left[i]] = others[i];
  for (std::size_t A = 0; A < still.size(); ++A) rates[r + still[A]] = others[left.size() + A];
  for (const HeldBlock& block : blocks) {
    std::vector<Expr> force;
    for (const std::size_t a : block.accelerations) {
      Expr sum = -q.b[a];
      for (std::size_t c = 0; c < r; ++c)
        if (!q.W(a, c).is_zero()) sum += q.W(a, c) * rates[c];
      force.push_back(sum);
    }
    const Matrix along = symbolic::transpose(block_of(q.Phi_y, block.constraints, block.accelerations));
    const Matrix found = of_block(along, column(force));
    for (std::size_t i = 0; i < block.constraints.size(); ++i) rates[r + block.constraints[i]] = found.entries[i];
  }
  return rates;
}

std::vector<Expr> exchanging_rates(const System& system, const Equations& q) {
  const auto of_rest = [&](const Equations& rest) {
    return symbolic::solve(saddle_matrix(system, rest), column(saddle_right_side(rest))).entries;
  };
  return rates_by_blocks(q, held_blocks(q), symbolic::solve, of_rest);
}

Matrix solve_by_minors(const Matrix& A, const Matrix& b, std::vector<Expr>& checks) {
  const Expr whole = symbolic::determinant(A);
  if (whole.is_zero()) throw symbolic::SingularMatrix("a matrix of constraints is singular at every state");
  Expr sizes = whole.graph().number(std::int64_t{1});
  for (std::size_t i = 0; i < A.rows; ++i) {
    Expr square = whole.graph().number(std::int64_t{0});
    for (std::size_t j = 0; j < A.cols; ++j) square += A(i, j) * A(i, j);
    sizes = sizes * square;
  }
  if (A.rows > 1) checks.push_back(whole / symbolic::sqrt(sizes));
  Matrix x = b;
  for (std::size_t j = 0; j < A.cols; ++j) {
    Matrix with = A;
    for (std::size_t i = 0; i < A.rows; ++i) with(i, j) = b.entries[i];
    x.entries[j] = symbolic::determinant(with) / whole;
  }
  return x;
}

}  // namespace herglotz::mechanics
