#include "runge_kutta/lanes_fixed.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "drive/lane_groups.hpp"
#include "drive/lane_stepper.hpp"
#include "motion/fill_sample.hpp"
#include "motion/right_side.hpp"
#include "runge_kutta/lane_entries.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {
namespace {

class RungeKuttaLanes final : public LaneStepper, public WritesLanes {
 public:
  RungeKuttaLanes(const Dynamics& dynamics, const CompiledLoops& motion, const double* parameters)
      : dynamics_(&dynamics),
        motion_(&motion),
        loop_(&motion.steps),
        parameters_(parameters),
        width_(static_cast<std::size_t>(loop_->lanes())),
        lanes_(width_, Lane{PackedState(dynamics, motion), {}, {}}),
        state_(loop_->rows() * width_),
        work_(loop_->work_size()),
        y_(dynamics.dimension() + 1 + dynamics.laws),
        dissipation_(width_),
        budgets_(dynamics.laws * width_) {}

  void clear() override {
    std::fill(state_.begin(), state_.end(), 0.0);
    // A run without constraints leaves no state behind, so its object is reused.
    if (dynamics_->m == 0) return;
    for (Lane& lane : lanes_) lane.right_side.reset();
  }

  bool start(std::size_t at, std::span<const double> parameters, double t0, std::span<const double> state) override {
    Lane& lane = lanes_[at];
    if (!motion_->kept.empty()) {
      lane.entries.pack(state.data(), &state_[at], width_);
      return true;
    }
    if (!lane.right_side) lane.right_side.emplace(*dynamics_, parameters);
    lane.right_side->initial(t0, state, y_.data());
    lane.entries.start(t0, y_, lane.right_side->dissipation());
    t0_ = t0;
    dissipation_[at] = lane.right_side->dissipation();
    for (std::size_t k = 0; k < dynamics_->laws; ++k) budgets_[k * width_ + at] = y_[dynamics_->dimension() + 1 + k];
    lane.entries.pack(y_.data(), &state_[at], width_);
    return true;
  }

  unsigned advance(double t0, double h, std::size_t first, std::size_t count, unsigned lanes) override {
    if (dynamics_->m == 0) {
      (*loop_)(state_.data(), parameters_, {t0, h, first, count}, work_.data());
      return sound(lanes);
    }
    for (std::size_t k = first; k < first + count && lanes != 0; ++k) {
      const double t = k == 0 ? t0 : t0 + static_cast<double>(k) * h;
      (*loop_)(state_.data(), parameters_, {t, h, 0, 1}, work_.data());
      lanes = sound(lanes);
      for (std::size_t at = 0; at < width_; ++at)
        if ((lanes >> at & 1U) != 0 && !project(at, t + h)) lanes &= ~(1U << at);
    }
    return lanes;
  }

  unsigned show(double t, unsigned lanes) override {
    if (dynamics_->m == 0) return lanes;
    for (std::size_t at = 0; at < width_; ++at) {
      if ((lanes >> at & 1U) == 0) continue;
      unpack(at, t);
      if (!lanes_[at].right_side->multipliers(t, y_.data(), lanes_[at].multipliers)) lanes &= ~(1U << at);
    }
    return lanes;
  }

  void sample(std::size_t at, double t, Sample& sample) override {
    unpack(at, t);
    fill_sample(sample, t, y_, y_.data() + dynamics_->dimension());
    sample.multipliers = lanes_[at].multipliers;
  }

  bool write(std::size_t first, std::size_t count, double t, double* numbers) override {
    if (!motion_->kept.empty()) return false;
    const LaneEntries entries{
        &state_[first],       width_,          dynamics_->dimension(), motion_->entries.factor, t - t0_,
        &dissipation_[first], dynamics_->laws, &budgets_[first],       motion_->laws.data(),    motion_->laws.size()};
    if (count == 8)
      write_sample<8>(entries, numbers);
    else
      write_sample<4>(entries, numbers);
    return true;
  }

  [[nodiscard]] std::unique_ptr<LaneStepper> copy() const override { return std::make_unique<RungeKuttaLanes>(*this); }
  void follow(const LaneStepper& other) override { state_ = static_cast<const RungeKuttaLanes&>(other).state_; }

 private:
  struct Lane {
    PackedState entries;
    std::optional<RightSide> right_side;
    std::vector<double> multipliers;  // of the sample that show() prepared
  };

  void unpack(std::size_t at, double t) { lanes_[at].entries.unpack(t, &state_[at], width_, y_.data()); }

  bool project(std::size_t at, double t) {
    unpack(at, t);
    if (!lanes_[at].right_side->project(t, y_.data())) return false;
    lanes_[at].entries.pack(y_.data(), &state_[at], width_);
    for (std::size_t e = 0; e < loop_->entries().size(); ++e) state_[loop_->lost(e) * width_ + at] = 0;
    return true;
  }

  /// Returns the lanes among these in which all numbers are finite and the motion was defined.
  [[nodiscard]] unsigned sound(unsigned lanes) const {
    for (std::size_t at = 0; at < width_; ++at) {
      double zero = 0;
      for (std::size_t e = 0; e < loop_->entries().size(); ++e) zero += state_[e * width_ + at] * 0;
      if (zero != 0 || state_[loop_->unsound() * width_ + at] != 0) lanes &= ~(1U << at);
    }
    return lanes;
  }

  const Dynamics* dynamics_;
  const CompiledLoops* motion_;
  const kernel::RungeKuttaLoop* loop_;
  const double* parameters_;
  std::size_t width_;
  std::vector<Lane> lanes_;
  std::vector<double> state_;  // rows of the loop
  std::vector<double> work_;
  std::vector<double> y_;            // of one lane
  std::vector<double> dissipation_;  // dL/dz at the starts
  std::vector<double> budgets_;      // at the starts, all lanes of one law, then of the next
  double t0_ = 0;
};

}  // namespace

LaneForm runge_kutta_lanes() {
  return {[](const Dynamics& wide, const Settings&) -> std::size_t {
            return wide.motion.steps ? static_cast<std::size_t>(wide.motion.steps.lanes()) : 0;
          },
          [](const LaneProblem& problem) {
            const CompiledLoops& motion = problem.wide.motion;
            const auto make = [&](const double* parameters) {
              return std::make_unique<RungeKuttaLanes>(problem.dynamics, motion, parameters);
            };
            return follow_groups(problem, static_cast<std::size_t>(motion.steps.lanes()), motion.steps.parameters(),
                                 make);
          }};
}

}  // namespace herglotz::integrate
