#include "groupoid/methods.hpp"

#include <fmt/format.h>

#include "groupoid/lanes.hpp"
#include "groupoid/stepper.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/integrate/preserves.hpp"

namespace herglotz::integrate {
namespace {

Outcome run_groupoid(const Run& run, const GroupoidScheme& scheme) {
  if (run.dynamics.differential() && run.dynamics.m > 0)
    throw Refused("methods on groupoids take constraints whose multipliers follow from the state only");
  GroupoidStepper stepper(run, scheme.kind, scheme.fractions);
  return drive_fixed_steps(run, stepper);
}

Method with_scheme(MethodInfo info, RetractionKind kind) {
  info.needs = Requirement::groupoid;
  info.lane_kernels = LaneKernels::balance;
  const GroupoidScheme scheme{kind, symmetric_composition(info.order)};
  return {std::move(info), [scheme](const Run& run) { return run_groupoid(run, scheme); }, groupoid_lanes(scheme)};
}

std::string order_in_words(int order) {
  return order == 2 ? "order 2" : "a symmetric composition of order 4";
}

Method lie_hph(RetractionKind kind, int order) {
  const bool exponential = kind == RetractionKind::exponential;
  return with_scheme(
      {.name = fmt::format("lie-hph-{}{}", exponential ? "" : "cayley-", order),
       .order = order,
       .adaptive = false,
       .algebroids = {"any that integrates to an action groupoid"},
       .constraints = {},
       .preserves = texts_of({Preserves::coadjoint_orbits, Preserves::groupoid_contact_structure,
                              Preserves::group_momenta, Preserves::group_orbits}),
       .summary =
           fmt::format("Hamilton-Pontryagin-Herglotz (hph) principle on Lie groups, discrete, {} map, fixed step, {}",
                       exponential ? "exponential" : "Cayley", order_in_words(order))},
      kind);
}

Method rattle(int order) {
  return with_scheme({.name = fmt::format("contact-rattle-{}", order),
                      .order = order,
                      .adaptive = false,
                      .algebroids = {"any that integrates to an action groupoid"},
                      .constraints = {"holonomic"},
                      .preserves = texts_of({Preserves::constraints_and_velocities,
                                             Preserves::constrained_contact_structure, Preserves::group_momenta}),
                      .summary = fmt::format("RATTLE for contact systems, fixed step, {}", order_in_words(order))},
                     RetractionKind::exponential);
}

Method dla(int order) {
  return with_scheme(
      {.name = fmt::format("contact-dla-{}", order),
       .order = order,
       .adaptive = false,
       .algebroids = {"any that integrates to an action groupoid"},
       .constraints = {"nonholonomic", "holonomic"},
       .preserves = texts_of({Preserves::constraints, Preserves::time_reversal, Preserves::horizontal_momenta}),
       .summary =
           fmt::format("discrete Lagrange-d'Alembert (dla) principle with the action of Herglotz, fixed step, {}",
                       order_in_words(order))},
      RetractionKind::exponential);
}

}  // namespace

std::vector<Method> groupoid_methods() {
  using enum RetractionKind;
  return {lie_hph(exponential, 2),
          lie_hph(exponential, 4),
          lie_hph(cayley, 2),
          lie_hph(cayley, 4),
          rattle(2),
          rattle(4),
          dla(2),
          dla(4)};
}

}  // namespace herglotz::integrate
