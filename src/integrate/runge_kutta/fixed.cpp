#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "drive/fixed_step.hpp"
#include "motion/fill_sample.hpp"
#include "motion/right_side.hpp"
#include "numerics/short_array.hpp"
#include "runge_kutta/methods.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {
namespace {

/// Stepper of an explicit Runge-Kutta method with steps of one size. It uses the compiled motion as long as its checks
/// are sound. Otherwise, or if there is no compiled motion, it computes the rates themselves, which are solved for with
/// exchanges of rows. The defect that a step leaves in the constraints is removed after the step.
class RungeKuttaStepper final : public FixedStepper {
 public:
  RungeKuttaStepper(const Run& run, const kernel::ExplicitTableau& tableau, const FinalSet* set)
      : run_(run),
        tableau_(tableau),
        loop_(run.dynamics.motion.steps),
        right_side_(run.dynamics, run.parameters, set),
        entries_(run.dynamics),
        y_(right_side_.size()),
        lost_(y_.size()),
        stage_(y_.size()) {
    std::copy(run.state.begin(), run.state.end(), y_.begin());
    if (!loop_) return;
    lane_.resize(loop_.rows());
    work_.resize(loop_.work_size());
  }

  Status start() override {
    right_side_.initial(run_.t0, run_.state, y_.data());
    entries_.start(run_.t0, y_, right_side_.dissipation());
    if (loop_) entries_.pack(y_.data(), lane_.data(), 1);
    if (!std::all_of(y_.begin(), y_.end(), [](double entry) { return std::isfinite(entry); })) {
      reason_ = "the state or the quantity of a balance law is not finite";
      return Status::not_finite;
    }
    // The rates tell whether the motion is defined at the start.
    return rates(run_.t0, y_, stage_);
  }

  Status step(double t, double h) override {
    before_ = lane_;
    if (right_side_.projects()) y_before_ = y_;
    if (!loop_ || !in_loop(t, h, 0, 1)) {
      lane_ = before_;
      if (const Status status = one_by_one(t, h); status != Status::success) return status;
    }
    if (!right_side_.projects()) return Status::success;
    unpack(t + h);
    if (!right_side_.project(t + h, y_.data())) {
      lane_ = before_;
      y_ = y_before_;
      return stopped();
    }
    pack();
    return Status::success;
  }

  Status advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) override {
    if (loop_ && !right_side_.projects()) {
      before_ = lane_;
      done = count;
      if (in_loop(t0, h, first, count)) return Status::success;
      lane_ = before_;
    }
    return FixedStepper::advance(t0, h, first, count, done);
  }

  Status sample(double t, Sample& sample) override {
    unpack(t);
    fill_sample(sample, t, y_, y_.data() + run_.dynamics.dimension());
    leave_unknown(run_.dynamics.motion, sample);
    return right_side_.multipliers(t, y_.data(), sample.multipliers) ? Status::success : stopped();
  }

  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override {
    return std::make_unique<RungeKuttaStepper>(*this);
  }
  void follow(const FixedStepper& other) override {
    const auto& leader = static_cast<const RungeKuttaStepper&>(other);
    lane_ = leader.lane_;
    y_ = leader.y_;
    lost_ = leader.lost_;
  }
  [[nodiscard]] std::span<const double> last_state() override {
    if (loop_) entries_.unpack_state(lane_.data(), 1, y_.data());
    return {y_.data(), run_.dynamics.dimension()};
  }
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return 0; }

 private:
  void unpack(double t) {
    if (loop_) entries_.unpack(t, lane_.data(), 1, y_.data());
  }
  /// Writes y_ into the rows of the loop, and clears the low-order parts of all sums.
  void pack() {
    if (loop_) {
      entries_.pack(y_.data(), lane_.data(), 1);
      std::fill(lane_.begin() + loop_.lost(0), lane_.end(), 0.0);
    }
    std::fill(lost_.begin(), lost_.end(), 0.0);
  }

  /// Makes steps by the loop. Returns false if a number is not finite or a check is not sound.
  bool in_loop(double t0, double h, std::size_t first, std::size_t count) {
    loop_(lane_.data(), run_.parameters.data(), {t0, h, first, count}, work_.data());
    double zero = 0;
    for (std::size_t e = 0; e < loop_.entries().size(); ++e) zero += lane_[e] * 0;
    return zero == 0 && lane_[loop_.unsound()] == 0;
  }

  Status one_by_one(double t, double h) {
    unpack(t);
    const auto y = y_;
    const auto lost = lost_;
    Status status = take(t, h);
    if (status == Status::success) {
      if (!loop_) return status;
      pack();
      return status;
    }
    // The message names a smaller step that would do, if there is one.
    constexpr int halvings = 40;
    Reason why = reason_;
    for (int k = 1; k <= halvings && why.remedy.empty(); ++k) {
      y_ = y;
      lost_ = lost;
      if (take(t, std::ldexp(h, -k)) == Status::success)
        why.remedy = fmt::format("a step of {:.3g} would do there", std::ldexp(h, -k));
    }
    y_ = y;
    lost_ = lost;
    reason_ = std::move(why);
    return status;
  }

  Status take(double t, double h) {
    slopes_.resize(tableau_.stages(), ShortArray(y_.size()));
    for (std::size_t i = 0; i < tableau_.stages(); ++i) {
      stage_ = y_;
      for (std::size_t j = 0; j < i; ++j) add(h * tableau_.A[i][j], slopes_[j]);
      if (const Status status = rates(t + tableau_.c[i] * h, stage_, slopes_[i]); status != Status::success)
        return status;
    }
    std::fill(stage_.begin(), stage_.end(), 0.0);
    for (std::size_t i = 0; i < tableau_.stages(); ++i) add(h * tableau_.b[i], slopes_[i]);
    bool finite = true;
    for (std::size_t e = 0; e < y_.size(); ++e) {
      const double corrected = stage_[e] - lost_[e];
      const double reached = y_[e] + corrected;
      lost_[e] = (reached - y_[e]) - corrected;
      y_[e] = reached;
      finite = finite && std::isfinite(reached);
    }
    if (finite) return Status::success;
    reason_ = fmt::format("the state after a step of {:.6g} is not finite", h);
    return Status::not_finite;
  }
  void add(double factor, const ShortArray& slope) {
    if (factor == 0) return;
    for (std::size_t e = 0; e < stage_.size(); ++e) stage_[e] += factor * slope[e];
  }

  Status rates(double t, const ShortArray& y, ShortArray& y_dot) {
    return right_side_(t, y.data(), y_dot.data()) ? Status::success : stopped();
  }
  Status stopped() {
    reason_ = right_side_.stop().reason;
    return right_side_.stop().status;
  }

  const Run& run_;
  const kernel::ExplicitTableau& tableau_;
  const kernel::RungeKuttaLoop& loop_;
  RightSide right_side_;
  PackedState entries_;
  ShortArray lane_;  // rows of the loop
  ShortArray before_;
  ShortArray work_;
  ShortArray y_;  // (x, w, z, nu, log lambda, budgets)
  ShortArray y_before_;
  ShortArray lost_;  // low-order parts that the sums of take() lost
  ShortArray stage_;
  std::vector<ShortArray> slopes_;  // of take(), which a run whose steps the loop makes does not need
  Reason reason_;
};

}  // namespace

Outcome run_runge_kutta(const Run& run, int order, const FinalSet* set) {
  static const kernel::ExplicitTableau of_order_4 = runge_kutta_tableau(4);
  static const kernel::ExplicitTableau of_order_8 = runge_kutta_tableau(8);
  RungeKuttaStepper stepper(run, order == 4 ? of_order_4 : of_order_8, set);
  return drive_fixed_steps(run, stepper);
}

}  // namespace herglotz::integrate
