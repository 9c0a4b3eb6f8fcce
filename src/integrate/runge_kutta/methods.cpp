#include "runge_kutta/methods.hpp"

#include <fmt/format.h>

#include "herglotz/integrate/preserves.hpp"
#include "herglotz/kernel/prince_dormand.hpp"
#include "runge_kutta/device_steps.hpp"
#include "runge_kutta/lanes_adaptive.hpp"
#include "runge_kutta/lanes_fixed.hpp"

namespace herglotz::integrate {

namespace {

Method runge_kutta(int order, std::string summary) {
  return {{.name = fmt::format("runge-kutta-{}", order),
           .order = order,
           .algebroids = {"any"},
           .constraints = every_constraint(),
           .preserves = texts_of({Preserves::constraints}),
           .summary = std::move(summary),
           .needs = Requirement::stepped_motion},
          [order](const Run& run) { return run_runge_kutta(run, order); },
          runge_kutta_lanes(),
          stepped_on_device};
}

}  // namespace

std::vector<Method> runge_kutta_methods() {
  return {{{.name = "reference",
            .order = kernel::PrinceDormand::order,
            .adaptive = true,
            .algebroids = {"any"},
            .constraints = every_constraint(),
            .preserves = texts_of({Preserves::constraints}),
            .summary = "adaptive explicit Runge-Kutta 8(7) of Prince and Dormand",
            .needs = Requirement::adaptive_motion,
            .lane_kernels = LaneKernels::motion},
           [](const Run& run) { return run_reference(run); },
           reference_lanes(),
           adaptive_on_device},
          {{.name = "taylor",
            .order = 0,
            .adaptive = true,
            .algebroids = {"any"},
            .constraints = every_constraint(),
            .preserves = texts_of({Preserves::constraints}),
            .summary = "adaptive steps by Taylor polynomials of y(t)",
            .needs = Requirement::taylor_motion,
            .lane_kernels = LaneKernels::motion},
           [](const Run& run) { return run_taylor(run); },
           taylor_lanes(),
           adaptive_on_device},
          runge_kutta(4, "classical explicit Runge-Kutta, steps of one size"),
          runge_kutta(8, "explicit Runge-Kutta 8 of Dormand and Prince, steps of one size")};
}

std::vector<SetMethod> runge_kutta_set_methods() {
  return {{"reference", [](const Run& run, const FinalSet& set) { return run_reference(run, &set); }},
          {"taylor", [](const Run& run, const FinalSet& set) { return run_taylor(run, &set); }},
          {"runge-kutta-4", [](const Run& run, const FinalSet& set) { return run_runge_kutta(run, 4, &set); }},
          {"runge-kutta-8", [](const Run& run, const FinalSet& set) { return run_runge_kutta(run, 8, &set); }}};
}

}  // namespace herglotz::integrate
