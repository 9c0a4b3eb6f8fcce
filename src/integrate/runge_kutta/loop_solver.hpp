#pragma once
/// Adaptive method whose steps are made by one loop of machine code.

#include <functional>
#include <memory>
#include <vector>

#include "drive/adaptive.hpp"
#include "herglotz/integrate/adaptive/loop_control.hpp"
#include "runge_kutta/decay_watch.hpp"
#include "runge_kutta/packed_state.hpp"

namespace herglotz::integrate {

Stop too_small();

class LoopSolver final : public AdaptiveSolver {
 public:
  /// Function that makes a solver for the rest of a run, if the loop finds that the motion is not defined. The solver
  /// may be able to continue; if nothing helps, it can say what is wrong.
  using Otherwise = std::function<std::unique_ptr<AdaptiveSolver>(double t, const std::vector<double>& y)>;

  LoopSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0, Otherwise otherwise);

  std::size_t step(double t_stop, std::size_t most) override;
  void depart(double t) override {
    if (otherwise_) otherwise_->depart(t);
    lane_[rows_.t()] = t;
  }
  [[nodiscard]] double t() const override { return otherwise_ ? otherwise_->t() : lane_[rows_.t()]; }
  [[nodiscard]] const double* y() const override { return otherwise_ ? otherwise_->y() : y_.data(); }
  [[nodiscard]] double step_size() const override;
  [[nodiscard]] bool dense() const override { return false; }
  const double* between(double) override { return y(); }
  /// Computes the state by a shorter step from the start of the last one.
  const double* within(double t0, const std::vector<double>& y0, double t) override;
  void count(Outcome& outcome) const override;
  [[nodiscard]] std::optional<Decay> held_by() const override {
    return otherwise_ ? otherwise_->held_by() : decays_.decay();
  }

 private:
  std::size_t step_in_loop(double t_stop, std::size_t most);
  /// Returns the solver that continues if the loop cannot. Throws Stop if there is no such solver.
  std::unique_ptr<AdaptiveSolver> after_loop();
  kernel::LaneState run_lane(std::vector<double>& lane, double t_stop);

  const Run* run_;
  RightSide* right_side_;
  const kernel::AdaptiveLoop& loop_;
  kernel::AdaptiveRows rows_;
  PackedState entries_;
  kernel::AdaptiveLoop::Control control_;
  kernel::LaneState state_ = kernel::LaneState::running;  // running, or why the loop went no farther
  DecayWatch decays_;
  std::vector<double> lane_;
  std::vector<double> begin_;  // the lane before the last call
  std::vector<double> inside_;
  std::vector<double> work_;
  std::vector<double> y_;
  std::vector<double> y_inside_;
  Otherwise make_otherwise_;
  std::unique_ptr<AdaptiveSolver> otherwise_;
};

}  // namespace herglotz::integrate
