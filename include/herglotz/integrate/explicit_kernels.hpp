#pragma once
/// A symmetric explicit step of order 2 as straight-line code, from which compositions of every even order are made.

#include <cstddef>
#include <vector>

#include "herglotz/kernel/kernel.hpp"
#include "herglotz/kernel/step_loop.hpp"

namespace herglotz::integrate {

/// Steps of a system whose fibre coordinates are the velocities of its base, in (x, p, z). The kernels are empty unless
/// a method that needs them was asked for and the system allows them.
struct ExplicitKernels {
  std::size_t constants = 0;        ///< number of values that depend on the step size (and parameters) only
  kernel::Kernel prepare;           ///< variables (h): constants of steps of size h; empty if steps use none
  kernel::StepLoop loop;            ///< sums (x, p, z, budgets g and sources s of driven laws, log integrating factor)
  kernel::Kernel momentum;          ///< variables (x, w, z, t): p
  kernel::Kernel velocity;          ///< variables (x, p, z, t): w
  kernel::Kernel sources;           ///< variables (x, p, z, t): sources of the driven laws; empty without such laws
  std::vector<std::size_t> driven;  ///< laws with a source; the others only decay with the conformal factor

  explicit operator bool() const { return static_cast<bool>(loop); }
};

}  // namespace herglotz::integrate
