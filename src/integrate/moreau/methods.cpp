#include "moreau/methods.hpp"

#include "energy/lanes.hpp"
#include "herglotz/integrate/capabilities.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "moreau/stepper.hpp"

namespace herglotz::integrate {
namespace {

constexpr std::string_view name = "moreau-2";

}  // namespace

bool steps_over_impacts(const MethodInfo& method) {
  return method.name == name;
}

std::vector<Method> moreau_methods() {
  return {{{.name = std::string(name),
            .order = 2,
            .adaptive = false,
            .algebroids = {"any"},
            .constraints = {},
            .preserves = texts_of({Preserves::energy_law, Preserves::declared_momenta, Preserves::cyclic_momenta,
                                   Preserves::quadratic_casimirs}),
            .summary = "time stepping over impacts and contacts with friction, fixed step, order 2 between them",
            .needs = Requirement::energy,
            .lane_kernels = LaneKernels::stages},
           run_without_contacts,
           energy_lanes(symmetric_composition(2))}};
}

}  // namespace herglotz::integrate
