#pragma once
/// The energy and the structure of an algebroid as kernels, for methods that keep the energy law.

#include <vector>

#include "herglotz/kernel/kernel.hpp"

namespace herglotz::integrate {

/// Kernels of the energy and the structure in the variables v = (x, w, z, t, l). They are empty unless a method that
/// needs them was asked for.
struct EnergyKernels {
  kernel::Kernel energy;    ///< (E, source, scale) of the law dE/dt = L_z E + source; scale is the largest term of E
  kernel::Kernel jacobian;  ///< d(E, source)/d(x, w, z)
  kernel::Pattern pattern;
  /// (rho (n x r), sigma (n x r), c^k_ij p_k (r x r, row i)), matrices row by row; then p_a ds^a/dx^i (n) and s (r) of
  /// each symmetry whose dissipated momentum the methods keep.
  kernel::Kernel structure;
  std::vector<bool> uses;  ///< whether the energy depends on each of (x, z) at fixed momenta (n + 1)

  explicit operator bool() const { return static_cast<bool>(energy); }
};

}  // namespace herglotz::integrate
