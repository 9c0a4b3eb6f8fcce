#pragma once
/// Runs by steps that obey the energy law to round-off.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "drive/fixed_step.hpp"
#include "energy/step.hpp"

namespace herglotz::integrate {

/// Writes the state (x, p, z, log factor, budgets, energy by its law) at the start of a run into `carried`. Returns
/// success, or the reason why the run cannot start.
Stop start_energy(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                  std::span<const double> state, double* carried);

/// Returns the mass in the metric of corrections, sum |dp_a/dw_b|/r at x = w = z = t = 0; for a Hamiltonian
/// r/(sum |d x_dot_i/dp_a|), or 1 without base coordinates. It is taken there and not at the start, so that a run that
/// goes back, or goes on from a later state, makes the same steps. If it is 0 or infinite there, the mass at the
/// start is returned, and 1 if that is 0 or infinite too.
double metric_mass(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                   std::span<const double> state);

/// Stepper of one run by EnergyStep.
class ContactEnergy final : public FixedStepper {
 public:
  ContactEnergy(const Run& run, std::span<const double> fractions);

  Status start() override;
  Status step(double t, double h) override;
  /// Makes one step by other rules than the next ones.
  Status step_by(const EnergyRules& rules, double t, double h);
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactEnergy>(*this); }
  void follow(const FixedStepper& other) override { step_.follow(static_cast<const ContactEnergy&>(other).step_); }
  [[nodiscard]] std::span<const double> last_state() override { return step_.last_state(); }
  /// Returns (x, w, z) at the middle of the last part of a step.
  [[nodiscard]] std::span<const double> middle_state() const {
    return std::span(step_.equations().middle_state()).first(run_.dynamics.n + run_.dynamics.r + 1);
  }
  /// Returns the integrating factor there and at its end, relative to its start.
  [[nodiscard]] std::pair<double, double> factors() const {
    return {step_.equations().middle_factor(), step_.equations().end_factor()};
  }
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 private:
  Status explain();
  Status refuse_factor(double rate);

  const Run run_;
  EnergyStep<double> step_;
  CompensatedVector before_;
  std::vector<double> last_before_;
  Reason reason_;
};

/// Follows a run by steps composed of these fractions.
Outcome run_contact_energy(const Run& run, std::span<const double> fractions);

}  // namespace herglotz::integrate
