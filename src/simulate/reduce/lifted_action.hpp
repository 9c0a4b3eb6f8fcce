#pragma once
/// The action of a group of point symmetries on positions and velocities, by the flows of its fields.

#include <optional>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/mechanics/symmetry_reduction.hpp"

namespace herglotz::simulate {

class LiftedAction {
 public:
  using Vector = std::vector<double>;

  LiftedAction(const mechanics::System& system, const mechanics::SymmetryGroup& group);

  /// Returns g (x, x_dot) for g = exp(g^1 X_1) .. exp(g^d X_d), whose last factor acts first; (2n). Empty if a flow
  /// cannot be followed.
  [[nodiscard]] Vector apply(const Vector& g, Vector state) const;
  /// Returns g^-1 (x, x_dot).
  [[nodiscard]] Vector apply_inverse(const Vector& g, Vector state) const;
  /// Returns g with g^-1 x on a section where the coordinates `fixed` have its values, or `std::nullopt` if Newton's
  /// method does not find it. Only the fields that move the section take part.
  [[nodiscard]] std::optional<Vector> to_section(const Vector& x, const std::vector<std::size_t>& fixed,
                                                 const mechanics::OrbitSection& section) const;

 private:
  [[nodiscard]] Vector flow(std::size_t A, double time, Vector state) const;
  [[nodiscard]] Vector over(std::size_t A, double h, const Vector& state, int halvings) const;
  [[nodiscard]] Vector step(std::size_t A, double h, const Vector& state) const;

  std::size_t n_ = 0;
  std::vector<kernel::Kernel> fields_;  // (X_A, DX_A x_dot) of (x, x_dot)
  mutable Vector work_;
};

}  // namespace herglotz::simulate
