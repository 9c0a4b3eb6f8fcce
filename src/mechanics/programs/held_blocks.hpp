#pragma once
/// Frictions that hold as many accelerations as they are, whatever the forces.

#include <cstddef>
#include <functional>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// Constraints by which frictions hold, of which no other has an acceleration, and the accelerations in them, which are
/// as many.
struct HeldBlock {
  std::vector<std::size_t> constraints;
  std::vector<std::size_t> accelerations;
};

/// Returns these blocks; none if multipliers act along other rows than those that hold. Constraints of the model are
/// eliminated with its inertia: where they become dependent, their forces have to be seen to grow.
std::vector<HeldBlock> held_blocks(const Equations& equations);

/// Returns the small blocks whose coefficients depend on the state or time, for solution by minors. What has numbers
/// alone for coefficients may be eliminated first by its numbers.
std::vector<HeldBlock> moving_blocks(const Equations& equations);

/// Solves the equations A x = b of a block.
using BlockSolver = std::function<Matrix(const Matrix& A, const Matrix& b)>;

/// Returns (w_dot, ell) with those of blocks first, so that what is held at rest has the acceleration 0 to the last
/// bit: the block of Phi_w dw/dt = -beta gives accelerations, W dw/dt - Phi_y^T ell = b then the multipliers. What is
/// left goes to `of_rest`.
std::vector<Expr> rates_by_blocks(const Equations& equations, const std::vector<HeldBlock>& blocks,
                                  const BlockSolver& of_block,
                                  const std::function<std::vector<Expr>(const Equations&)>& of_rest);

/// Returns (w_dot, ell) by elimination with exchanges of rows, those of blocks first.
std::vector<Expr> exchanging_rates(const System& system, const Equations& equations);

/// Returns x by Cramer's rule, which makes no choices between rows: sums of products, so that x = 0 exactly where b =
/// 0. Adds det A / prod |A_i|, which is near zero where the rows A_i do not determine x, to the checks.
Matrix solve_by_minors(const Matrix& A, const Matrix& b, std::vector<Expr>& checks);

}  // namespace herglotz::mechanics
