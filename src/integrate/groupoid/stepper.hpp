#pragma once
/// Discrete Hamilton-Pontryagin-Herglotz methods on action groupoids, with and without constraints.

#include <vector>

#include "drive/fixed_step.hpp"
#include "groupoid/ends.hpp"
#include "groupoid/motion.hpp"

namespace herglotz::integrate {

/// Stepper of one run. The multipliers in samples are the multipliers of the state.
class GroupoidStepper final : public FixedStepper {
 public:
  GroupoidStepper(const Run& run, RetractionKind kind, std::span<const double> fractions);

  Status start() override;
  Status step(double t, double h) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<GroupoidStepper>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override;
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return motion_.one_step().iterations(); }

 private:
  Status explain();

  const Run run_;
  bool composed_;
  GroupoidMotion<double> motion_;
  GroupoidBoundary ends_;
  CompensatedVector before_;
  Reason reason_;
};

/// Numbers of the group of a run and of its action. Throws Refused if the dynamics lacks the kernels of
/// an action groupoid, or if the group has no such retraction.
struct GroupNumbers {
  GroupNumbers(const Dynamics& dynamics, std::span<const double> parameters, RetractionKind kind);
  GroupStructure structure;
  ActionNumbers action;
};

}  // namespace herglotz::integrate
