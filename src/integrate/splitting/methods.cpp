#include "splitting/methods.hpp"

#include <fmt/format.h>

#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "splitting/device_steps.hpp"
#include "splitting/lanes.hpp"
#include "splitting/stepper.hpp"

namespace herglotz::integrate {

namespace {

Method contact_splitting(int order) {
  const std::span<const double> composition = symmetric_composition(order);
  const std::size_t substeps = composition.size();
  const ExplicitStepOf step_of = [](const Dynamics& d) -> const ExplicitKernels& { return d.splitting; };
  return {{.name = fmt::format("contact-splitting-{}", order),
           .order = order,
           .adaptive = false,
           .algebroids = {"tangent, with H = T(p, t) + U(q, z, t)"},
           .constraints = {},
           .preserves = texts_of({Preserves::contact_structure, Preserves::time_reversal, Preserves::linear_momenta}),
           .summary = fmt::format("explicit exact flows of T(p) and U(q, z), fixed step, {}",
                                  substeps == 1 ? "order 2" : fmt::format("{} of them for order {}", substeps, order)),
           .needs = Requirement::splitting},
          [composition](const Run& run) { return run_explicit(run, run.dynamics.splitting, composition); },
          explicit_lanes(step_of, composition),
          explicit_on_device(step_of, composition)};
}

}  // namespace

std::vector<Method> splitting_methods() {
  return {contact_splitting(2), contact_splitting(4), contact_splitting(6), contact_splitting(8)};
}

}  // namespace herglotz::integrate
