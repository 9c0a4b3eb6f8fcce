#pragma once
/// The linear conditions on the coefficients of a point symmetry.

#include <map>
#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "sample_points.hpp"

namespace herglotz::mechanics {

/// The conditions at points on X = sum over k and i of a_ki phi_k(x) d/dx^i, as rows of coefficients of a_ki; the
/// unknowns are in the order (k, i).
class SymmetryConditions {
 public:
  using Rows = std::vector<std::vector<double>>;

  /// With `moves_frame`, E is TM in a frame and the lift of X moves the frame; else X must leave the frame as it is.
  /// With `whole`, forces and constraints are invariant, too.
  SymmetryConditions(const System& system, std::vector<Expr> functions, bool moves_frame, bool whole);

  [[nodiscard]] std::size_t unknowns() const { return functions_.size() * n_; }
  /// Adds the rows of one point that are not zero; returns false if there is no further point.
  bool add(SamplePoints& points, Rows& rows) const;

 private:
  /// Values at a point.
  struct At;
  void add_invariance(const At& at, std::size_t first, Rows& rows) const;
  void add_forces(const At& at, Rows& rows) const;
  void add_frame(const At& at, Rows& rows) const;
  [[nodiscard]] std::size_t append(const std::vector<Expr>& values);

  std::vector<Expr> functions_;
  bool moves_frame_ = false;
  std::size_t n_ = 0;
  std::size_t r_ = 0;
  std::vector<Expr> outputs_;            ///< what is evaluated at a point
  std::size_t ansatz_ = 0;               ///< the place of phi_k, then of its slopes (n), for every k
  std::size_t y_ = 0;                    ///< (r)
  std::size_t rho_ = 0;                  ///< (n x r), then its slopes (n x n x r)
  std::size_t sigma_ = 0;                ///< likewise
  std::vector<std::size_t> scalars_;     ///< slopes of L and of constraints by x (n), y (r)
  std::vector<std::size_t> forces_;      ///< slopes of F_a by x (n), y (r); empty without forces
  std::size_t force_ = 0;                ///< F (r)
  std::vector<std::size_t> structures_;  ///< slopes of the structure functions that are not numbers (n)
};

}  // namespace herglotz::mechanics
