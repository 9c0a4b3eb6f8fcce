#include "groupoid/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"

namespace herglotz::integrate {
namespace {

GroupStructure structure_of(const Dynamics& dynamics, std::span<const double> parameters, RetractionKind kind) {
  const GroupoidKernels& map = dynamics.groupoid;
  if (!map || !map.stage_jacobian || !map.structure || !map.generators)
    throw Refused("methods on groupoids need the kernels of an action groupoid", "give a dynamics that has them");
  std::vector<double> constants(dynamics.r * dynamics.r * dynamics.r);
  std::vector<double> work(map.structure.work_size());
  const double none = 0;
  map.structure(&none, parameters.data(), constants.data(), work.data());
  return group_structure(kind, dynamics.r, constants, map.factors);
}

}  // namespace

GroupNumbers::GroupNumbers(const Dynamics& dynamics, std::span<const double> parameters, RetractionKind kind)
    : structure(structure_of(dynamics, parameters, kind)),
      action(action_numbers(dynamics.groupoid, dynamics.n, dynamics.r, parameters)) {}

GroupoidStepper::GroupoidStepper(const Run& run, RetractionKind kind, std::span<const double> fractions)
    : run_(run),
      composed_(fractions.size() > 1),
      motion_(run.dynamics, run.parameters.data(), kind, fractions),
      ends_(run.dynamics, run.parameters) {
  const GroupNumbers numbers(run.dynamics, run.parameters, kind);
  motion_.one_step().take(0, numbers.structure, numbers.action);
}

Status GroupoidStepper::start() {
  std::vector<double> carried(motion_.state_size());
  GroupoidStep<double>& step = motion_.one_step();
  const Status status = ends_.start(run_.t0, run_.state, carried.data(), step.xi().data(), step.multipliers().data());
  if (status != Status::success) {
    reason_ = ends_.reason();
    return status;
  }
  for (std::size_t i = 0; i < carried.size(); ++i) motion_.state().set(i, carried[i]);
  step.begin();
  return Status::success;
}

Status GroupoidStepper::step(double t, double h) {
  if (composed_) before_ = motion_.state();
  if (!motion_.step(t, h, true)) {
    if (composed_) motion_.state() = before_;
    motion_.one_step().forget();
    return explain();
  }
  ends_.move_on();
  return Status::success;
}

Status GroupoidStepper::explain() {
  const GroupoidStep<double>& step = motion_.one_step();
  const double whole = std::abs(step.h() / step.fraction());
  if (step.refused()) {
    double largest = 0;
    for (const double fraction : motion_.fractions()) largest = std::max(largest, std::abs(fraction));
    const double rate0 = step.first().L_z();
    const double rate1 = step.second().L_z();
    reason_ = {
        fmt::format("the step {:.3g} is too large for the dissipation: the dissipation factor (1 + k L_z/2)/(1 - k "
                    "L_z/2), k = {:.3g}, is not positive with L_z = {:.3g} and {:.3g}",
                    whole, step.h(), rate0, rate1),
        take_a_step_below(1 / (largest * std::max(std::abs(rate0), std::abs(rate1))))};
    return Status::not_converged;
  }
  if (step.turned()) {
    reason_ = {
        fmt::format("the step {:.3g} turns the group element beyond where its retraction is a local diffeomorphism",
                    whole),
        take_a_step_below(whole / 2)};
    return Status::not_converged;
  }
  if (step.lost()) {
    reason_ = {"the action of the group on the base could not be followed through the step", "take a smaller step"};
    return Status::not_converged;
  }
  if (step.not_finite()) {
    reason_ = "the equations of motion are not finite in the step";
    return Status::not_finite;
  }
  reason_ = iteration_not_converged(whole, step.last_update());
  return Status::not_converged;
}

Status GroupoidStepper::sample(double t, Sample& sample) {
  const double* const carried = motion_.state().data();
  const Status status = ends_.arrive(t, carried, motion_.one_step().xi().data());
  if (status == Status::success)
    ends_.write(t, carried, sample);
  else
    reason_ = ends_.reason();
  return status;
}

void GroupoidStepper::follow(const FixedStepper& other) {
  const auto& leader = static_cast<const GroupoidStepper&>(other);
  motion_.follow(leader.motion_);
  ends_.follow(leader.ends_);
}

std::span<const double> GroupoidStepper::last_state() {
  return ends_.last_state(motion_.state().data(), motion_.one_step().xi().data());
}

}  // namespace herglotz::integrate
