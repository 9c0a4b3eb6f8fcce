#include "radau/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "drive/adaptive.hpp"
#include "drive/adaptive_feed.hpp"
#include "drive/error_control.hpp"
#include "drive/rest.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "radau/lanes.hpp"
#include "radau/step.hpp"

namespace herglotz::integrate {

namespace {

class RadauSolver final : public AdaptiveSolver {
 public:
  RadauSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0, double t,
              const std::vector<double>& y)
      : right_side_(&right_side),
        motion_(run.dynamics, run.parameters.data()),
        constrained_(right_side.projects()),
        t_end_(run.settings.t_end),
        steps_(error_control(run.dynamics, run.settings.tolerance)),
        room_(y0.size()) {
    const auto sizes =
        sizes_soon(error_control(run.dynamics, run.settings.tolerance), right_side, run.t0, run.settings.t_end, y0);
    steps_.set(0, t, y.data(), sizes);
  }

  std::size_t step(double t_stop, std::size_t) override {
    if (!steps_.prepare(motion_, t_end_)) explain();
    while (true) {
      const auto attempt = steps_.attempt(motion_, t_stop);
      if (attempt.accepted) break;
      ++rejected_;
      if (attempt.stuck) explain();
    }
    ++made_;
    if (!constrained_) return 1;
    std::copy_n(steps_.y(), room_.size(), room_.begin());
    if (!right_side_->project(steps_.t(), room_.data())) throw right_side_->stop();
    steps_.replace(0, room_.data());
    return 1;
  }
  void depart(double t) override { steps_.depart(0, t); }
  [[nodiscard]] double t() const override { return steps_.t(); }
  [[nodiscard]] const double* y() const override { return steps_.y(); }
  [[nodiscard]] double step_size() const override { return std::abs(steps_.last()); }
  [[nodiscard]] bool dense() const override { return true; }
  const double* between(double t) override {
    steps_.between(0, t, room_.data());
    return room_.data();
  }
  const double* within(double, const std::vector<double>&, double t) override { return between(t); }
  void count(Outcome& outcome) const override {
    outcome.rejected_steps += rejected_;
    outcome.newton_iterations += steps_.iterations();
    constexpr double share_told = 0.01;
    const double share =
        static_cast<double>(steps_.rounded_steps()) / static_cast<double>(std::max<std::size_t>(made_, 1));
    if (share > share_told && outcome.reason.empty())
      outcome.reason = {
          fmt::format("rounding of forces that nearly cancel is above the tolerance in {:.0f} % of the steps",
                      100 * share),
          "errors may be larger than the tolerance asks for; coordinates such as a distance in place of two places "
          "help"};
  }

 private:
  /// Throws the reason: the motion is not defined at the current state, or no step is small enough.
  [[noreturn]] void explain() {
    if (!(*right_side_)(steps_.t(), steps_.y(), room_.data())) throw right_side_->stop();
    throw Stop{Status::step_too_small, "no step is small enough for the tolerance"};
  }

  RightSide* right_side_;
  RadauMotion<double> motion_;
  bool constrained_;
  double t_end_;
  RadauStep<double> steps_;
  std::size_t rejected_ = 0;
  std::size_t made_ = 0;
  std::vector<double> room_;
};

Outcome run_radau(const Run& run, const FinalSet* set) {
  if (!has_radau_kernels(run.dynamics))
    throw Refused("method radau-5 needs the rates with their Jacobian and the balance laws",
                  "give a dynamics that has their kernels");
  RightSide right_side(run.dynamics, run.parameters, set);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0, [&] { return radau_solver(run, right_side, y0, run.t0, y0); });
}

}  // namespace

bool has_radau_kernels(const Dynamics& dynamics) {
  const bool rates = dynamics.flow ? bool(dynamics.flow_jacobian) : dynamics.mass && dynamics.mass_jacobian;
  return rates && dynamics.balance;
}

std::unique_ptr<AdaptiveSolver> radau_solver(const Run& run, RightSide& right_side, const std::vector<double>& y0,
                                             double t, const std::vector<double>& y) {
  return std::make_unique<RadauSolver>(run, right_side, y0, t, y);
}

LaneForm radau_lanes() {
  return {[](const Dynamics& wide, const Settings& settings) -> std::size_t {
            return has_radau_kernels(wide) && at_known_times(settings) ? usable_width(wide.balance.lanes()) : 0;
          },
          [](const LaneProblem& problem) {
            const kernel::Kernel& balance = problem.wide.balance;
            AdaptiveFeed traffic(problem.dynamics, balance.lanes(), balance.parameters(), problem.settings,
                                 problem.runs);
            const AdaptiveLanes how{error_control(problem.dynamics, problem.settings.tolerance), problem.settings.t_end,
                                    problem.dynamics.m > 0};
            (balance.lanes() == 8 ? follow_radau<8> : follow_radau<4>)(problem.wide, how, traffic);
            return !traffic.stopped();
          }};
}

std::vector<Method> radau_methods() {
  return {{{.name = "radau-5",
            .order = 5,
            .adaptive = true,
            .algebroids = {"any"},
            .constraints = every_constraint(),
            .preserves = texts_of({Preserves::constraints}),
            .summary = "adaptive implicit Radau IIA of order 5 with the compiled Jacobian",
            .lane_kernels = LaneKernels::implicit_motion},
           [](const Run& run) { return run_radau(run, nullptr); },
           radau_lanes()}};
}

std::vector<SetMethod> radau_set_methods() {
  return {{"radau-5", [](const Run& run, const FinalSet& set) { return run_radau(run, &set); }}};
}

}  // namespace herglotz::integrate
