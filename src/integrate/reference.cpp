#include <fmt/format.h>

#include <array>
#include <cmath>

#include "adaptive.hpp"
#include "embedded_step.hpp"
#include "motion_entries.hpp"
#include "prince_dormand.hpp"

namespace herglotz::integrate {
namespace {

/// The motion as an EmbeddedStep reads it.
class Motion {
 public:
  explicit Motion(RightSide& right_side) : right_side_(&right_side) {}
  bool operator()(double t, const double* y, double* y_dot) {
    const bool fine = (*right_side_)(t, y, y_dot);
    if (!fine) failed_ = true;
    return fine;
  }
  const double* law_scales() { return right_side_->law_scales().data(); }
  /// Whether the motion was not defined somewhere since this was asked last.
  bool take_failure() { return std::exchange(failed_, false); }

 private:
  RightSide* right_side_;
  bool failed_ = false;
};

Stop too_small() {
  return {Status::step_too_small, "no step is small enough for the tolerance"};
}

/// A shorter step of the same method, from the start of the last one.
class ShorterStep {
 public:
  const double* operator()(RightSide& right_side, double t0, const std::vector<double>& y0, double t) {
    const PrinceDormand& tableau = prince_dormand();
    const double h = t - t0;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
      stage_ = y0;
      for (std::size_t j = 0; j < i; ++j) add(h * tableau.A[i][j], slopes_[j]);
      slopes_[i].resize(y0.size());
      if (!right_side(t0 + tableau.c[i] * h, stage_.data(), slopes_[i].data())) throw right_side.stop();
    }
    stage_ = y0;
    for (std::size_t i = 0; i < PrinceDormand::stages; ++i) add(h * tableau.b[i], slopes_[i]);
    return stage_.data();
  }

 private:
  void add(double factor, const std::vector<double>& slope) {
    for (std::size_t k = 0; k < stage_.size(); ++k) stage_[k] += factor * slope[k];
  }

  std::vector<double> stage_;
  std::array<std::vector<double>, PrinceDormand::stages> slopes_;
};

class ExplicitSolver final : public AdaptiveSolver {
 public:
  ExplicitSolver(const Run& run, RightSide& right_side, double t0, const std::vector<double>& y0)
      : right_side_(&right_side),
        motion_(right_side),
        constrained_(run.dynamics.m > 0),
        t_end_(run.settings.t_end),
        steps_(error_control(run.dynamics, run.settings.tolerance)) {
    steps_.set(0, t0, y0.data());
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
    if (!constrained_) return 1;
    stage_.assign(steps_.y(), steps_.y() + steps_.size());
    if (!right_side_->project(steps_.t(), stage_.data())) throw right_side_->stop();
    steps_.replace(0, stage_.data());
    return 1;
  }
  [[nodiscard]] double t() const override { return steps_.t(); }
  [[nodiscard]] const double* y() const override { return steps_.y(); }
  [[nodiscard]] double step_size() const override { return std::abs(steps_.last()); }
  [[nodiscard]] bool dense() const override { return false; }
  const double* between(double) override { return y(); }
  const double* within(double t0, const std::vector<double>& y0, double t) override {
    return shorter_(*right_side_, t0, y0, t);
  }
  void count(Outcome& outcome) const override { outcome.rejected_steps += rejected_; }

 private:
  RightSide* right_side_;
  Motion motion_;
  bool constrained_;
  double t_end_;
  EmbeddedStep<double> steps_;
  std::size_t rejected_ = 0;
  std::vector<double> stage_;
  ShorterStep shorter_;
};

/// The same steps in one loop of machine code.
class LoopSolver final : public AdaptiveSolver {
 public:
  LoopSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0)
      : run_(&run),
        right_side_(&right_side),
        loop_(run.dynamics.adaptive.loop),
        rows_(loop_.rows()),
        entries_(run.dynamics),
        lane_(rows_.count()),
        work_(loop_.work_size()),
        y_(y0) {
    entries_.start(run.t0, y0, right_side.dissipation());
    entries_.pack(y0.data(), lane_.data(), 1);
    lane_[rows_.t()] = run.t0;
    control_.local = error_control(run.dynamics, run.settings.tolerance).local;
    control_.t_end = run.settings.t_end;
  }

  std::size_t step(double t_stop, std::size_t most) override {
    if (otherwise_) return otherwise_->step(t_stop, most);
    const double before = lane_[rows_.steps()];
    lane_[rows_.due()] = t_stop;
    lane_[rows_.state()] = static_cast<double>(kernel::LaneState::running);
    control_.most_steps = before + static_cast<double>(most);
    loop_(lane_.data(), run_->parameters.data(), control_, work_.data());
    const auto made = static_cast<std::size_t>(lane_[rows_.steps()] - before);
    entries_.unpack(lane_[rows_.t()], lane_.data(), 1, y_.data());
    switch (static_cast<kernel::LaneState>(static_cast<int>(lane_[rows_.state()]))) {
      case kernel::LaneState::undefined:
      case kernel::LaneState::stuck_undefined:
        // Step by step, which pivots where the loop cannot, and knows what is wrong where nothing helps.
        otherwise_ = std::make_unique<ExplicitSolver>(*run_, *right_side_, lane_[rows_.t()], y_);
        return made > 0 ? made : otherwise_->step(t_stop, most);
      case kernel::LaneState::stuck:
        throw too_small();
      case kernel::LaneState::creeping:
        throw creeping(step_size());
      default:
        break;
    }
    if (run_->dynamics.m == 0) return made;
    if (!right_side_->project(lane_[rows_.t()], y_.data())) throw right_side_->stop();
    entries_.pack(y_.data(), lane_.data(), 1);
    for (std::size_t e = 0; e < loop_.entries().size(); ++e) lane_[rows_.lost(e)] = 0;
    return made;
  }
  [[nodiscard]] double t() const override { return otherwise_ ? otherwise_->t() : lane_[rows_.t()]; }
  [[nodiscard]] const double* y() const override { return otherwise_ ? otherwise_->y() : y_.data(); }
  [[nodiscard]] double step_size() const override {
    return otherwise_ ? otherwise_->step_size() : std::abs(lane_[rows_.last()]);
  }
  [[nodiscard]] bool dense() const override { return false; }
  const double* between(double) override { return y(); }
  const double* within(double t0, const std::vector<double>& y0, double t) override {
    return shorter_(*right_side_, t0, y0, t);
  }
  void count(Outcome& outcome) const override {
    outcome.rejected_steps = static_cast<std::size_t>(lane_[rows_.tries()] - lane_[rows_.steps()]);
    if (otherwise_) otherwise_->count(outcome);
  }

 private:
  const Run* run_;
  RightSide* right_side_;
  const kernel::AdaptiveLoop& loop_;
  kernel::AdaptiveRows rows_;
  MotionEntries entries_;
  kernel::AdaptiveLoop::Control control_;
  std::vector<double> lane_;
  std::vector<double> work_;
  std::vector<double> y_;
  std::unique_ptr<ExplicitSolver> otherwise_;
  ShorterStep shorter_;
};

Outcome run_reference(const Run& run) {
  RightSide right_side(run.dynamics, run.parameters);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  return follow_with(run, right_side, y0, [&]() -> std::unique_ptr<AdaptiveSolver> {
    if (run.dynamics.adaptive) return std::make_unique<LoopSolver>(run, right_side, y0);
    return std::make_unique<ExplicitSolver>(run, right_side, run.t0, y0);
  });
}

}  // namespace

ErrorControl error_control(const Dynamics& dynamics, double tolerance) {
  constexpr double local_share = 0.1;
  constexpr double least_local = 2e-15;
  const std::size_t z = dynamics.n + dynamics.r;
  return {
      {0, dynamics.n, z, z + 1, dynamics.dimension()}, dynamics.laws, std::max(local_share * tolerance, least_local)};
}

kernel::EmbeddedPair reference_pair() {
  const PrinceDormand& pair = prince_dormand();
  kernel::EmbeddedPair result;
  for (std::size_t i = 0; i < PrinceDormand::stages; ++i) {
    result.c.push_back(pair.c[i]);
    result.A.emplace_back(pair.A[i].begin(), pair.A[i].begin() + static_cast<std::ptrdiff_t>(i));
    result.b.push_back(pair.b[i]);
    result.difference.push_back(pair.b[i] - pair.b_hat[i]);
  }
  return result;
}

Method reference_method() {
  return {{.name = "reference",
           .order = PrinceDormand::order,
           .adaptive = true,
           .algebroids = {"any"},
           .constraints = every_constraint(),
           .preserves = {"constraints to round-off"},
           .summary = "adaptive explicit Runge-Kutta 8(7) of Prince and Dormand",
           .needs = Ingredient::adaptive_motion},
          run_reference};
}

}  // namespace herglotz::integrate
