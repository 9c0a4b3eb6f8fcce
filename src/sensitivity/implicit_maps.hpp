#pragma once
/// Steps of implicit Runge-Kutta methods in the lanes of registers of one width.

#include <memory>

#include "herglotz/sensitivity/step_maps.hpp"

namespace herglotz::sensitivity {

/// Returns the maps of steps for a kernel of W lanes.
template <int W>
std::unique_ptr<StepMaps> make_implicit_maps(ImplicitForm form, ImplicitTableau tableau);

}  // namespace herglotz::sensitivity
