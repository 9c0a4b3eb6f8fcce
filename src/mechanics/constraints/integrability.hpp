#pragma once
/// Closedness under the bracket of constraints that are affine in the velocities, and curvature of those that are not.
/// [LJL21, Thm 24; GG08, Thm 7].

#include <array>
#include <optional>
#include <utility>

#include "constraints/constraint_points.hpp"

namespace herglotz::mechanics {

/// The relative defect of involutivity at one point.
class Involutivity {
 public:
  /// Prepares the defect for the independent rows of the generator.
  Involutivity(const System& system, const Generator& generator, const std::vector<std::size_t>& rows,
               const std::vector<Expr>& names);

  /// Returns `std::nullopt` if a value is not finite. `affine` becomes false if Phi_y depends on the velocities.
  [[nodiscard]] std::optional<double> defect(const Row& point, bool& affine) const;
  /// Returns the largest |Phi_yy(X, X')| for unit vectors X and X' of a basis of ker Phi_y, relative to |Phi_yy|: 0 if
  /// the admissible velocities at a point of the base are flat there. Returns `std::nullopt` if a value is not finite,
  /// and for a Hamiltonian.
  [[nodiscard]] std::optional<double> curvature(const Row& point) const;

 private:
  struct Values;
  struct Differential;
  struct Slope;
  [[nodiscard]] std::optional<Values> values(const Row& point) const;
  [[nodiscard]] std::vector<Differential> differentials(const Values& values) const;
  [[nodiscard]] static double size_of(const std::vector<Slope>& slopes);
  [[nodiscard]] std::pair<std::vector<Row>, Span> covectors_of(const Values& values) const;
  [[nodiscard]] double bracket_defect(const Values& values) const;
  [[nodiscard]] double tangency_defect(const Values& values) const;

  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t k_ = 0;
  bool lagrangian_;
  std::vector<std::array<std::size_t, 3>> brackets_;  ///< (k, i, j) of the structure functions that are not zero
  bool two_anchors_ = false;
  std::vector<symbolic::Entry> Phi_w_;  ///< derivatives that are not identically zero
  std::vector<symbolic::Entry> dPhi_;
  mutable std::optional<symbolic::Evaluation> evaluation_;
};

}  // namespace herglotz::mechanics
