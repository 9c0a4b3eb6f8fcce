#pragma once
/// Steps of a collocation method as passes over the sites: residuals of the stages, their derivatives, and the end of a
/// step.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "herglotz/families/equations.hpp"
#include "herglotz/kernel/quadrature.hpp"
#include "herglotz/kernel/site_loop.hpp"
#include "loops/links/links.hpp"
#include "loops/site_state.hpp"

namespace herglotz::families {

/// Places of the arrays of a method with some stages, for n families. Extra arrays are the coordinates and velocities
/// of a row.
struct CollocationArrays {
  std::size_t n = 0;
  std::size_t stages = 0;
  std::size_t derivatives = 0;  ///< entries of the Jacobian of a site
  bool linked = false;          ///< whether edges or pairs exert forces

  [[nodiscard]] std::size_t q(std::size_t f) const { return f; }
  [[nodiscard]] std::size_t p(std::size_t f) const { return n + f; }
  [[nodiscard]] std::size_t lost(std::size_t array) const { return 2 * n + array; }
  [[nodiscard]] std::size_t v(std::size_t f) const { return 4 * n + f; }
  [[nodiscard]] std::size_t stage_v(std::size_t j, std::size_t f) const { return 5 * n + j * n + f; }
  [[nodiscard]] std::size_t stage_q(std::size_t j, std::size_t f) const { return stage_v(stages, 0) + j * n + f; }
  [[nodiscard]] std::size_t stage_force(std::size_t j, std::size_t f) const { return stage_q(stages, 0) + j * n + f; }
  [[nodiscard]] std::size_t residual(std::size_t j, std::size_t f) const { return stage_force(stages, 0) + j * n + f; }
  [[nodiscard]] std::size_t derivative(std::size_t e) const { return residual(stages, 0) + e; }
  /// The force of edges and pairs at a stage; that of a row lies at the first.
  [[nodiscard]] std::size_t link_force(std::size_t j, std::size_t f) const {
    return derivative(derivatives) + j * n + f;
  }
  [[nodiscard]] std::size_t changing() const { return linked ? link_force(stages, 0) : derivative(derivatives); }
};

/// Derivative of the momentum or of the force of the family f at a site, by a coordinate or velocity of the family g at
/// an offset from it.
struct SiteDerivative {
  std::size_t f = 0;
  std::size_t g = 0;
  Offset offset{};
  bool of_force = false;
  bool by_velocity = false;
};

/// How momenta decay by L_z, with F the other forces and one scalar for each stage.
enum class Decay : std::uint8_t {
  by_factor,  ///< the scalars are the factors R_j at the stages: R_j p_j = p0 + h sum_k a_jk R_k F_k
  by_rate     ///< the scalars are L_j = L_z at the stages: p_j = p0 + h sum_k a_jk (F_k + L_k p_k)
};

/// The compiled passes. The unknowns are the velocities V_j of the stages, with X_j = q + h sum_k a_jk V_k and p_j =
/// p(X_j, V_j).
struct CollocationPasses {
  /// Computes X_j. Scalar: h.
  kernel::SiteLoop positions;
  /// Computes the forces F_j, or F_j + L_j p_j, and what the equations of the stages lack, from the forces of edges and
  /// pairs. Scalars: h, R_j or L_j, then t_j. Its sums are, stage after stage, l and the sources of the driven laws.
  kernel::SiteLoop stages;
  /// Computes the derivatives at the middle stage. Scalar: t.
  kernel::SiteLoop derivatives;
  /// Ends the step: q += sum_j w_j V_j, p += decay p + sum_j k_j F_j. Scalars: decay, w_j, k_j. Its sum is that of the
  /// changes, which is finite if they are.
  kernel::SiteLoop end;
  /// Computes p(q, v), and v(q, p). Scalar: t.
  kernel::SiteLoop momenta;
  kernel::SiteLoop velocities;
  /// Copies q and v into the extra arrays. Scalar: t. Its sums are, for each law: quantity, size, |terms of rate|; then
  /// those of what is observed.
  kernel::SiteLoop look;

  CollocationArrays arrays;
  std::vector<SiteDerivative> entries;
  SiteState::Shape shape;
  std::vector<std::size_t> fixed;  ///< families that passes only read
  std::vector<bool> driven;        ///< which laws have a source, the energy first
  std::vector<LinkSum> of_stage;   ///< sums over edges and pairs, added to the sums of each stage
  std::vector<LinkSum> of_look;    ///< the same of a row
};

/// Compiles the passes of the method with these nodes. Throws Refused if the momenta are not linear in the velocities,
/// or as `derive` does.
CollocationPasses collocation_passes(Model& model, const kernel::Quadrature& quadrature, Decay decay);

/// Throws Refused as `collocation_passes` does.
void require_collocation(Model& model);

}  // namespace herglotz::families
