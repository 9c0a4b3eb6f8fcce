#pragma once
/// Runs by steps that obey the energy law to round-off.

#include <span>
#include <string>
#include <vector>

#include "drive/fixed_step.hpp"
#include "energy/step.hpp"

namespace herglotz::integrate {

/// Writes the state (x, p, z, log factor, budgets, energy by its law) at the start of a run into `carried`. Returns
/// success, or the reason why the run cannot start.
Stop start_energy(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                  std::span<const double> state, double* carried);

/// Stepper of one run by EnergyStep.
class ContactEnergy final : public FixedStepper {
 public:
  ContactEnergy(const Run& run, std::span<const double> fractions);

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ContactEnergy>(*this); }
  void follow(const FixedStepper& other) override { step_.follow(static_cast<const ContactEnergy&>(other).step_); }
  [[nodiscard]] std::span<const double> last_state() override { return step_.last_state(); }
  [[nodiscard]] const std::string& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return step_.iterations(); }

 private:
  Status explain();
  Status refuse_factor(double rate);

  const Run run_;
  EnergyStep<double> step_;
  CompensatedVector before_;
  std::vector<double> last_before_;
  std::string reason_;
};

/// Follows a run by steps composed of these fractions.
Outcome run_contact_energy(const Run& run, std::span<const double> fractions);

}  // namespace herglotz::integrate
