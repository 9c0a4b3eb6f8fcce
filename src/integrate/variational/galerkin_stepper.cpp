#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "drive/method.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "variational/galerkin.hpp"
#include "variational/galerkin_step.hpp"
#include "variational/stepper.hpp"

namespace herglotz::integrate {
namespace {

using Polynomials = std::shared_ptr<const GalerkinPolynomials>;

class ContactGalerkin final : public VariationalStepper<GalerkinStep<double>> {
 public:
  ContactGalerkin(const Run& run, const Polynomials& polynomials)
      : VariationalStepper(run, {run.dynamics, run.parameters.data(), *polynomials}), polynomials_(polynomials) {}

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactGalerkin>(*this); }

 private:
  Stop explain(double t, double h) override {
    if (step_.refused()) return refuse_factor(h);
    if (step_.not_finite())
      return {Status::not_finite, "the Lagrangian or a derivative of it is not finite in the step"};
    return explain_iteration(t, " in the step", not_solved(h, step_.last_update()));
  }
  Stop refuse_factor(double h) const {
    double rate = 1e-300;
    for (std::size_t j = 0; j < polynomials_->nodes; ++j) rate = std::max(rate, std::abs(step_.equations().rate(j)));
    return {Status::not_converged,
            fmt::format("the step {:.3g} is too large for the dissipation: the conformal factor sigma_d = {:.3g} of "
                        "the step and the weights of its nodes must be positive; take a step below {:.2g}",
                        std::abs(h), 1 + step_.equations().sigma_minus_1(), 1 / rate)};
  }

  Polynomials polynomials_;
};

/// Of contact-galerkin-2s: s + 1 Gauss nodes.
template <int Degree>
const Polynomials& contact_polynomials() {
  static const Polynomials polynomials =
      std::make_shared<const GalerkinPolynomials>(galerkin_rule(Degree, fmt::format("gauss-{}", Degree + 1)));
  return polynomials;
}

MethodInfo info_of(std::string name, int order, std::string summary) {
  return {.name = std::move(name),
          .order = order,
          .adaptive = false,
          .algebroids = {"tangent"},
          .constraints = {},
          .preserves = texts_of({Preserves::contact_structure, Preserves::affine_momenta}),
          .summary = std::move(summary),
          .needs = Ingredient::velocities};
}

Outcome follow_polynomials(const Run& run, const Polynomials& polynomials) {
  const Dynamics& d = run.dynamics;
  if (!d.stage || !d.stage_jacobian)
    throw std::invalid_argument("Galerkin methods need the stage kernel and its Jacobian; the dynamics lacks them");
  if (!d.lagrangian || d.n != d.r || d.m > 0)
    throw std::invalid_argument(
        "Galerkin methods need a Lagrangian of velocities of the base, without constraints; the dynamics is another");
  ContactGalerkin stepper(run, polynomials);
  return follow_fixed(run, stepper);
}

template <int Degree>
Method contact_galerkin() {
  return {info_of(fmt::format("contact-galerkin-{}", 2 * Degree), 2 * Degree,
                  fmt::format("discrete Herglotz equations of polynomials of degree {} with {} Gauss nodes, fixed "
                              "step, order {}",
                              Degree, Degree + 1, 2 * Degree)),
          [](const Run& run) { return follow_polynomials(run, contact_polynomials<Degree>()); }};
}

}  // namespace

Polynomials galerkin_polynomials(const MethodInfo& method, const Settings& settings) {
  if (method.name == "discrete-galerkin" && settings.galerkin)
    return std::make_shared<const GalerkinPolynomials>(*settings.galerkin);
  if (!method.name.starts_with("contact-galerkin-")) return nullptr;
  const std::array of_degree{contact_polynomials<1>, contact_polynomials<2>, contact_polynomials<3>,
                             contact_polynomials<4>};
  return of_degree.at(static_cast<std::size_t>(method.order / 2 - 1))();
}

Method contact_galerkin_2_method() {
  return contact_galerkin<1>();
}
Method contact_galerkin_4_method() {
  return contact_galerkin<2>();
}
Method contact_galerkin_6_method() {
  return contact_galerkin<3>();
}
Method contact_galerkin_8_method() {
  return contact_galerkin<4>();
}
Method discrete_galerkin_method() {
  return {info_of("discrete-galerkin", 0,
                  "discrete Herglotz equations of the model's [discrete] polynomials and quadrature"),
          [](const Run& run) {
            if (!run.settings.galerkin)
              throw std::invalid_argument(
                  "method discrete-galerkin needs a degree and a quadrature; add [discrete] with rule = \"galerkin\" "
                  "to the model, or choose contact-galerkin-4");
            return follow_polynomials(run, std::make_shared<const GalerkinPolynomials>(*run.settings.galerkin));
          }};
}

}  // namespace herglotz::integrate
