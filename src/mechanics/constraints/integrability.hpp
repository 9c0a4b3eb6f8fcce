#pragma once
/// Closedness under the bracket of constraints that are affine in the velocities, and curvature of those that are not.
/// [LJL21, Thm 24; GG08, Thm 7].

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
  [[nodiscard]] std::optional<Values> values(const Row& point) const;
  [[nodiscard]] Differential differential(const Values& values, std::size_t A) const;
  [[nodiscard]] std::pair<std::vector<Row>, Span> covectors_of(const Values& values) const;
  [[nodiscard]] double bracket_defect(const Values& values) const;
  [[nodiscard]] double tangency_defect(const Values& values) const;

  std::size_t n_;
  std::size_t r_;
  std::size_t m_;
  std::size_t k_ = 0;
  bool lagrangian_;
  std::size_t brackets_ = 0;  ///< the number of structure functions, or 0 if all are zero
  std::vector<Expr> names_;
  std::vector<Expr> outputs_;
};

}  // namespace herglotz::mechanics
