#include "splitting/device_steps.hpp"

#include <memory>
#include <vector>

#include "drive/device_group.hpp"
#include "drive/lane_groups.hpp"
#include "splitting/explicit_run.hpp"

namespace herglotz::integrate {
namespace {

/// Steps of a group of runs on a device; see LaneStepper. Each run has a table of its substeps, since their constants
/// depend on its parameters.
class ExplicitOnDevice {
 public:
  using Set = ManyLanes;

  ExplicitOnDevice(const Dynamics& dynamics, const ExplicitKernels& step, std::span<const double> composition,
                   const kernel::DeviceLoop& loop, const double* parameters)
      : dynamics_(&dynamics),
        step_(&step),
        composition_(composition),
        parameters_(parameters),
        run_(dynamics, step),
        group_(loop),
        own_(step.velocity.parameters()),
        table_(loop.parameters() * loop.width()),
        substep_(2 + step.constants),
        velocity_(dynamics.n),
        one_(own_),
        budgets_(dynamics.laws * loop.width()) {}

  void clear() {
    group_.clear();
    h_ = 0;
  }

  bool start(std::size_t at, std::span<const double> parameters, double t0, std::span<const double> state) {
    run_.start(parameters, t0, state, sums(at), budgets(at));
    group_.changed();
    return true;
  }

  Set advance(double t0, double h, std::size_t first, std::size_t count, const Set& lanes) {
    prepare(h);
    return group_.advance({t0, h, first, count}, table_, lanes);
  }

  [[nodiscard]] Set show(double /*t*/, const Set& lanes) const { return lanes; }

  void sample(std::size_t at, double t, Sample& sample) {
    run_.velocity(t, sums(at), parameters_of(at), velocity_.data());
    run_.sample(t, sums(at), {velocity_.data(), 1}, budgets(at), sample);
  }

  [[nodiscard]] std::unique_ptr<ExplicitOnDevice> copy() const {
    auto copy = std::make_unique<ExplicitOnDevice>(*dynamics_, *step_, composition_, group_.loop(), parameters_);
    copy->budgets_ = budgets_;
    return copy;
  }
  void follow(const ExplicitOnDevice& other) {
    group_.follow(other.group_);
    budgets_ = other.budgets_;
  }

 private:
  Strided sums(std::size_t at) { return {group_.state() + at, group_.width()}; }
  Strided budgets(std::size_t at) { return {budgets_.data() + at, group_.width()}; }

  const double* parameters_of(std::size_t at) {
    for (std::size_t k = 0; k < own_; ++k) one_[k] = parameters_[k * group_.width() + at];
    return one_.data();
  }

  /// Computes the tables of substeps of steps of size h.
  void prepare(double h) {
    if (h == h_) return;
    h_ = h;
    const std::size_t width = group_.width();
    std::copy_n(parameters_, own_ * width, table_.begin());
    for (std::size_t at = 0; at < width; ++at) {
      const double* const parameters = parameters_of(at);
      double* to = &table_[own_ * width + at];
      double start = 0;
      for (const double fraction : composition_) {
        substep_[0] = start * h;
        substep_[1] = fraction * h;
        run_.prepare(substep_[1], parameters, substep_.data() + 2);
        for (const double number : substep_) {
          *to = number;
          to += width;
        }
        start += fraction;
      }
    }
    group_.changed();
  }

  const Dynamics* dynamics_;
  const ExplicitKernels* step_;
  std::span<const double> composition_;
  const double* parameters_;
  ExplicitRun run_;
  DeviceGroup group_;
  std::size_t own_;  // parameters of the system
  double h_ = 0;
  std::vector<double> table_;    // parameters of the loop
  std::vector<double> substep_;  // time from the start of the step, size and constants
  std::vector<double> velocity_;
  std::vector<double> one_;      // parameters of one run
  std::vector<double> budgets_;  // at the start
};

}  // namespace

DeviceForm explicit_on_device(ExplicitStepOf step_of, std::span<const double> composition) {
  return [step_of, composition](const DeviceProblem& problem) {
    const kernel::DeviceLoop& loop = problem.device.loop;
    const ExplicitKernels& step = step_of(problem.dynamics);
    const auto make = [&](const double* parameters) {
      return std::make_unique<ExplicitOnDevice>(problem.dynamics, step, composition, loop, parameters);
    };
    return LaneGroups<ExplicitOnDevice>(problem.dynamics, loop.width(), step.velocity.parameters(), make,
                                        problem.settings, problem.runs)();
  };
}

}  // namespace herglotz::integrate
