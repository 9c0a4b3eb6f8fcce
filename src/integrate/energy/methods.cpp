#include "energy/methods.hpp"

#include <fmt/format.h>

#include "energy/lanes.hpp"
#include "energy/stepper.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/integrate/preserves.hpp"

namespace herglotz::integrate {

namespace {

Method contact_energy(int order, std::string summary) {
  const std::span<const double> fractions = symmetric_composition(order);
  return {{.name = fmt::format("contact-energy-{}", order),
           .order = order,
           .adaptive = false,
           .algebroids = {"any"},
           .constraints = {},
           .preserves = texts_of({Preserves::energy_law, Preserves::declared_momenta, Preserves::cyclic_momenta,
                                  Preserves::quadratic_casimirs}),
           .summary = std::move(summary),
           .needs = Requirement::energy,
           .lane_kernels = LaneKernels::stages},
          [fractions](const Run& run) { return run_contact_energy(run, fractions); },
          energy_lanes(fractions)};
}

}  // namespace

std::vector<Method> energy_methods() {
  return {contact_energy(2, "discrete gradient of the homogeneous lift, fixed step, order 2"),
          contact_energy(4, "symmetric composition of five steps of contact-energy-2, fixed step, order 4")};
}

}  // namespace herglotz::integrate
