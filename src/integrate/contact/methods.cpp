#include "contact/methods.hpp"

#include <fmt/format.h>

#include "contact/lanes.hpp"
#include "contact/stepper.hpp"
#include "herglotz/integrate/numerics/composition.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "splitting/device_steps.hpp"
#include "splitting/lanes.hpp"
#include "splitting/stepper.hpp"

namespace herglotz::integrate {

namespace {

template <int S>
Method contact_gauss() {
  constexpr ContactScheme scheme{true, S};
  return {{.name = fmt::format("contact-gauss-{}", 2 * S),
           .order = 2 * S,
           .adaptive = false,
           .algebroids = {"any"},
           .constraints = every_constraint(),
           .preserves = texts_of({Preserves::contact_structure, Preserves::constraints, Preserves::affine_momenta,
                                  Preserves::quadratic_casimirs}),
           .summary = fmt::format("{}-stage Gauss collocation of the homogeneous lift, fixed step, order {}", S, 2 * S),
           .lane_kernels = LaneKernels::stages},
          [scheme](const Run& run) { return run_contact<S>(run, scheme); },
          contact_lanes(scheme)};
}

template <int S>
Method contact_lobatto() {
  constexpr ContactScheme scheme{false, S};
  return {{.name = fmt::format("contact-lobatto-{}", 2 * S - 2),
           .order = 2 * S - 2,
           .adaptive = false,
           .algebroids = {"any"},
           .constraints = {},
           .preserves = texts_of({Preserves::contact_structure, Preserves::affine_momenta}),
           .summary = fmt::format("{}-stage Lobatto IIIA-IIIB pair in the homogeneous lift, fixed step, order {}", S,
                                  2 * S - 2),
           .lane_kernels = LaneKernels::stages},
          [scheme](const Run& run) { return run_contact<S>(run, scheme); },
          contact_lanes(scheme)};
}

/// Returns the method that makes the explicit step if the Lagrangian allows one, and solves the same equations by
/// Newton's method otherwise.
Method contact_lobatto_2() {
  Method method = contact_lobatto<2>();
  method.info.summary =
      "2-stage Lobatto IIIA-IIIB pair, explicit where the Lagrangian is separable, fixed step, order 2";
  method.info.needs = Requirement::verlet;
  const std::span<const double> whole = symmetric_composition(2);
  method.run = [whole, implicit = method.run](const Run& run) {
    return run.dynamics.verlet ? run_explicit(run, run.dynamics.verlet, whole) : implicit(run);
  };
  const ExplicitStepOf step_of = [](const Dynamics& d) -> const ExplicitKernels& { return d.verlet; };
  method.on_device = explicit_on_device(step_of, whole);
  const LaneForm in_place = explicit_lanes(step_of, whole);
  method.lanes.width = [in_place, implicit = method.lanes](const Dynamics& wide, const Settings& settings) {
    return (wide.verlet ? in_place : implicit).width(wide, settings);
  };
  method.lanes.run = [in_place, implicit = method.lanes](const LaneProblem& problem) {
    return (problem.wide.verlet ? in_place : implicit).run(problem);
  };
  return method;
}

}  // namespace

std::vector<Method> contact_methods() {
  return {contact_gauss<1>(), contact_gauss<2>(),  contact_gauss<3>(),   contact_gauss<4>(),   contact_gauss<5>(),
          contact_gauss<6>(), contact_lobatto_2(), contact_lobatto<3>(), contact_lobatto<4>(), contact_lobatto<5>()};
}

}  // namespace herglotz::integrate
