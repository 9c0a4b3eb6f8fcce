#pragma once
/// An algebroid that integrates to an action groupoid, as kernels, for discrete mechanics on it.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

/// Kernels of an action groupoid. In a frame y = B(x) xi of E with constant structure constants c, E is the action
/// algebroid of a Lie group G that acts on M from the right by the flows of rho_a(x): pairs Q x Q are translations, Lie
/// groups act on a point, Atiyah algebroids are Q x Q x G in a trivialisation. Everything below is in that frame;
/// momenta are mu = B^T p. The kernels are empty unless a method that needs them was asked for.
struct GroupoidKernels {
  /// A factor of G with a Cayley map of its own: xi[first .. first + size).
  struct Factor {
    std::string group;  ///< so3 se2 se3 su2 sl2 heisenberg abelian
    std::size_t first = 0;
    std::size_t size = 0;
  };
  std::vector<Factor> factors;  ///< all factors of G; empty, without a Cayley map, if a factor is not a named group
  kernel::Kernel structure;     ///< no variables: c^k_ij (r x r x r), at [(k r + i) r + j]
  bool affine_action = false;   ///< rho_a(x) = A_a x + b_a
  kernel::Kernel generators;  ///< variables (x): rho^i_a (n x r) row by row; for affine actions A and b follow from it
  kernel::Kernel frame;       ///< variables (x): B (r x r) row by row
  /// Variables (x, xi, z, t, l): (mu (r), force (r), L, L_z, Phi (m), Phi_xi (m x r)), where force is rho^T dL/dx + F
  /// in the frame, without the bracket and the multipliers.
  kernel::Kernel stage;
  kernel::Kernel stage_jacobian;  ///< d stage/d(x, xi, z)
  kernel::Pattern stage_pattern;

  explicit operator bool() const { return static_cast<bool>(stage); }
};

}  // namespace herglotz::integrate
