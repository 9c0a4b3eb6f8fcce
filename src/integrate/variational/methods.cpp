#include "variational/methods.hpp"

#include <fmt/format.h>

#include "herglotz/error.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "herglotz/integrate/required_settings.hpp"
#include "variational/galerkin.hpp"
#include "variational/herglotz.hpp"
#include "variational/lanes.hpp"

namespace herglotz::integrate {

namespace {

/// Name of the method that takes its rule from the settings.
constexpr const char* rule_from_settings = "discrete-galerkin";

MethodInfo galerkin_info(std::string name, int order, std::string summary) {
  return {.name = std::move(name),
          .order = order,
          .adaptive = false,
          .algebroids = {"tangent"},
          .constraints = {},
          .preserves = texts_of({Preserves::contact_structure, Preserves::affine_momenta}),
          .summary = std::move(summary),
          .needs = Requirement::velocities,
          .lane_kernels = LaneKernels::stages};
}

/// Returns contact-galerkin-2s: polynomials of degree s and s + 1 Gauss nodes.
Method contact_galerkin(int degree) {
  auto polynomials =
      std::make_shared<const GalerkinPolynomials>(galerkin_rule(degree, fmt::format("gauss-{}", degree + 1)));
  return {galerkin_info(fmt::format("contact-galerkin-{}", 2 * degree), 2 * degree,
                        fmt::format("discrete Herglotz equations of polynomials of degree {} with {} Gauss nodes, "
                                    "fixed step, order {}",
                                    degree, degree + 1, 2 * degree)),
          [polynomials](const Run& run) { return run_galerkin(run, polynomials); },
          galerkin_lanes([polynomials](const Settings&) { return polynomials; })};
}

Polynomials polynomials_of(const Settings& settings) {
  return settings.galerkin ? std::make_shared<const GalerkinPolynomials>(*settings.galerkin) : nullptr;
}

Method discrete_galerkin() {
  return {galerkin_info(rule_from_settings, 0,
                        "discrete Herglotz equations of the model's [discrete] polynomials and quadrature"),
          [](const Run& run) { return run_galerkin(run, polynomials_of(run.settings)); },
          galerkin_lanes(polynomials_of)};
}

Method discrete_herglotz() {
  return {{.name = "discrete-herglotz",
           .order = 0,
           .adaptive = false,
           .algebroids = {"any that integrates to an action groupoid"},
           .constraints = {},
           .preserves = texts_of({Preserves::contact_structure, Preserves::discrete_momenta}),
           .summary = "flow of the discrete Herglotz equations of the model's [discrete] Lagrangian",
           .needs = Requirement::discrete_lagrangian,
           .lane_kernels = LaneKernels::stages},
          run_discrete_herglotz,
          discrete_lanes()};
}

}  // namespace

void require_galerkin_rule(const MethodInfo& method, const Settings& settings) {
  if (method.name != rule_from_settings || settings.galerkin) return;
  throw Refused(fmt::format("method {} needs a degree and a quadrature", method.name),
                "add [discrete] with rule = \"galerkin\" to the model, or choose contact-galerkin-4", "method");
}

std::vector<Method> variational_methods() {
  return {contact_galerkin(1), contact_galerkin(2), contact_galerkin(3),
          contact_galerkin(4), discrete_herglotz(), discrete_galerkin()};
}

}  // namespace herglotz::integrate
