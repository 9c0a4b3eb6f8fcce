#include <fmt/format.h>

#include <array>
#include <cmath>

#include "drive/adaptive.hpp"
#include "drive/rest.hpp"
#include "herglotz/kernel/prince_dormand.hpp"
#include "runge_kutta/decay_watch.hpp"
#include "runge_kutta/embedded_step.hpp"
#include "runge_kutta/loop_solver.hpp"
#include "runge_kutta/methods.hpp"

namespace herglotz::integrate {
namespace {

/// Motion in the form that EmbeddedStep reads.
class Motion {
 public:
  explicit Motion(RightSide& right_side) : right_side_(&right_side) {}
  bool operator()(double t, const double* y, double* y_dot) {
    const bool fine = (*right_side_)(t, y, y_dot);
    if (!fine) failed_ = true;
    return fine;
  }
  const double* law_scales() { return right_side_->law_scales().data(); }
  /// Returns whether the motion was undefined somewhere since the last call.
  bool take_failure() { return std::exchange(failed_, false); }

 private:
  RightSide* right_side_;
  bool failed_ = false;
};

/// Shorter step of the same method, from the start of the last one.
class ShorterStep {
 public:
  const double* operator()(RightSide& right_side, double t0, const std::vector<double>& y0, double t) {
    const kernel::PrinceDormand& tableau = kernel::prince_dormand();
    const double h = t - t0;
    for (std::size_t i = 0; i < kernel::PrinceDormand::stages; ++i) {
      stage_ = y0;
      for (std::size_t j = 0; j < i; ++j) add(h * tableau.A[i][j], slopes_[j]);
      slopes_[i].resize(y0.size());
      if (!right_side(t0 + tableau.c[i] * h, stage_.data(), slopes_[i].data())) throw right_side.stop();
    }
    stage_ = y0;
    for (std::size_t i = 0; i < kernel::PrinceDormand::stages; ++i) add(h * tableau.b[i], slopes_[i]);
    return stage_.data();
  }

 private:
  void add(double factor, const std::vector<double>& slope) {
    for (std::size_t k = 0; k < stage_.size(); ++k) stage_[k] += factor * slope[k];
  }

  std::vector<double> stage_;
  std::array<std::vector<double>, kernel::PrinceDormand::stages> slopes_;
};

class ExplicitSolver final : public AdaptiveSolver {
 public:
  ExplicitSolver(const Run& run, RightSide& right_side, double t0, const std::vector<double>& y0)
      : right_side_(&right_side),
        motion_(right_side),
        constrained_(right_side.projects()),
        t_end_(run.settings.t_end),
        steps_(error_control(run.dynamics, run.settings.tolerance)) {
    steps_.set(0, t0, y0.data(),
               sizes_soon(error_control(run.dynamics, run.settings.tolerance), right_side, t0, run.settings.t_end, y0));
  }

  std::size_t step(double t_stop, std::size_t) override {
    if (!steps_.prepare(motion_, t_end_)) throw right_side_->stop();
    motion_.take_failure();
    while (true) {
      const auto attempt = steps_.attempt(motion_, t_stop);
      const bool failed = motion_.take_failure();
      if (attempt.accepted) break;
      ++rejected_;
      if (!attempt.stuck) continue;
      if (failed) throw right_side_->stop();
      throw too_small();
    }
    if (!constrained_) return watched();
    stage_.assign(steps_.y(), steps_.y() + steps_.size());
    if (!right_side_->project(steps_.t(), stage_.data())) throw right_side_->stop();
    steps_.replace(0, stage_.data());
    return watched();
  }
  void depart(double t) override { steps_.depart(0, t); }
  [[nodiscard]] double t() const override { return steps_.t(); }
  [[nodiscard]] const double* y() const override { return steps_.y(); }
  [[nodiscard]] double step_size() const override { return std::abs(steps_.last()); }
  [[nodiscard]] bool dense() const override { return false; }
  const double* between(double) override { return y(); }
  const double* within(double t0, const std::vector<double>& y0, double t) override {
    return shorter_(*right_side_, t0, y0, t);
  }
  void count(Outcome& outcome) const override {
    outcome.rejected_steps += rejected_;
    decays_.explain(outcome);
  }
  [[nodiscard]] std::optional<Decay> held_by() const override { return decays_.decay(); }

 private:
  std::size_t watched() {
    decays_.count(*right_side_, 1, steps_.t(), steps_.y());
    return 1;
  }

  RightSide* right_side_;
  Motion motion_;
  bool constrained_;
  double t_end_;
  EmbeddedStep<double> steps_;
  std::size_t rejected_ = 0;
  std::vector<double> stage_;
  ShorterStep shorter_;
  DecayWatch decays_;
};

}  // namespace

std::unique_ptr<AdaptiveSolver> reference_solver(const Run& run, RightSide& right_side, const std::vector<double>& y0) {
  const auto one_by_one = [&run, &right_side](double t0, const std::vector<double>& y) {
    return std::make_unique<ExplicitSolver>(run, right_side, t0, y);
  };
  if (run.dynamics.motion.adaptive) return std::make_unique<LoopSolver>(run, right_side, y0, one_by_one);
  return one_by_one(run.t0, y0);
}

Outcome run_reference(const Run& run, const FinalSet* set) {
  RightSide right_side(run.dynamics, run.parameters, set);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0, [&] { return reference_solver(run, right_side, y0); });
}

kernel::EmbeddedPair reference_pair() {
  const kernel::PrinceDormand& pair = kernel::prince_dormand();
  kernel::EmbeddedPair result;
  for (std::size_t i = 0; i < kernel::PrinceDormand::stages; ++i) {
    result.c.push_back(pair.c[i]);
    result.A.emplace_back(pair.A[i].begin(), pair.A[i].begin() + static_cast<std::ptrdiff_t>(i));
    result.b.push_back(pair.b[i]);
    result.difference.push_back(pair.b[i] - pair.b_hat[i]);
  }
  return result;
}

}  // namespace herglotz::integrate
