#pragma once
/// Runs by a method whose steps go over impacts.

#include "herglotz/integrate/over_impacts.hpp"
#include "hybrid/motion.hpp"

namespace herglotz::simulate {

/// Throws Refused for events that change the state by resets, at which steps of such a method do not end.
void require_impacts_alone(const mechanics::System& system, const integrate::MethodInfo& method);

/// A system under the forces of its contacts, which are parameters behind its own.
struct ForcedMotion {
  integrate::ContactKernels contacts;
  const integrate::Dynamics* dynamics = nullptr;
  std::vector<double> parameters;
};

/// Returns the contacts of the impacts of mechanics::with_contact_forces(...), with kernels of its events and mass.
integrate::ContactKernels contacts_of(const mechanics::System& forced, const kernel::Kernel& events,
                                      const kernel::Kernel& hessian);

/// Follows the motion `free` over its impacts, which are not located; other events are.
Pass follow_over_impacts(const Motion& free, const ForcedMotion& forced, const Start& start,
                         const integrate::Settings& settings, const Tick& tick);

}  // namespace herglotz::simulate
