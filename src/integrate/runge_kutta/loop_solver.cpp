#include "runge_kutta/loop_solver.hpp"

#include <algorithm>
#include <cmath>

#include "drive/rest.hpp"
#include "runge_kutta/embedded_step.hpp"

namespace herglotz::integrate {

using kernel::LaneState;

namespace {

/// Number of steps after which the caller is asked whether a run shall go on.
constexpr std::int64_t steps_between_questions = 4096;

/// Returns four more than the order at which the multiplications alone would cost least, since a step has other work
/// too.
std::int64_t taylor_order(double local) {
  const double best = std::ceil(5 - 0.5 * std::log(local));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(best), 4, kernel::AdaptiveLoop::most_order);
}

}  // namespace

int order_of(const MethodInfo& method, const Settings& settings) {
  return method.needs == Requirement::taylor_motion ? static_cast<int>(taylor_order(local_error(settings.tolerance)))
                                                    : method.order;
}

Stop too_small() {
  return {Status::step_too_small, "no step is small enough for the tolerance"};
}

kernel::AdaptiveLoop::Control loop_control(const Dynamics& dynamics, const Settings& settings) {
  kernel::AdaptiveLoop::Control control;
  control.local = error_control(dynamics, settings.tolerance).local;
  control.t_end = settings.t_end;
  control.most_steps = static_cast<double>(settings.max_steps);
  control.tries = steps_between_questions;
  control.order = taylor_order(control.local);
  return control;
}

LoopSolver::LoopSolver(const Run& run, RightSide& right_side, const std::vector<double>& y0, Otherwise otherwise)
    : run_(&run),
      right_side_(&right_side),
      loop_(run.dynamics.motion.adaptive),
      rows_(loop_.rows()),
      entries_(run.dynamics),
      control_(loop_control(run.dynamics, run.settings)),
      lane_(rows_.count()),
      work_(loop_.work_size()),
      y_(y0),
      y_inside_(y0),
      make_otherwise_(std::move(otherwise)) {
  entries_.start(run.t0, y0, right_side.dissipation());
  entries_.pack(y0.data(), lane_.data(), 1);
  lane_[rows_.t()] = run.t0;
  const auto sizes =
      sizes_soon(error_control(run.dynamics, run.settings.tolerance), right_side, run.t0, run.settings.t_end, y0);
  for (std::size_t g = 0; g < sizes.size(); ++g) lane_[rows_.group(g)] = sizes[g];
}

LaneState LoopSolver::run_lane(std::vector<double>& lane, double t_stop) {
  lane[rows_.t_stop()] = t_stop;
  lane[rows_.state()] = static_cast<double>(LaneState::running);
  loop_(lane.data(), run_->parameters.data(), control_, work_.data());
  return static_cast<LaneState>(static_cast<int>(lane[rows_.state()]));
}

std::size_t LoopSolver::step(double t_stop, std::size_t most) {
  // Steps that the loop has made are reported before the reason why it went no farther.
  if (state_ == LaneState::running)
    if (const std::size_t made = step_in_loop(t_stop, most); made > 0) return made;
  if (!otherwise_) otherwise_ = after_loop();
  return otherwise_->step(t_stop, most);
}

std::size_t LoopSolver::step_in_loop(double t_stop, std::size_t most) {
  begin_ = lane_;
  control_.most_steps = lane_[rows_.steps()] + static_cast<double>(most);
  const LaneState state = run_lane(lane_, t_stop);
  if (state != LaneState::arrived && state != LaneState::step_limit) state_ = state;
  const auto made = static_cast<std::size_t>(lane_[rows_.steps()] - begin_[rows_.steps()]);
  const double t = lane_[rows_.t()];
  entries_.unpack(t, lane_.data(), 1, y_.data());
  if (made == 0) return made;
  decays_.count(*right_side_, made, t, y_.data());
  if (!right_side_->projects()) return made;
  if (!right_side_->project(t, y_.data())) throw right_side_->stop();
  entries_.pack(y_.data(), lane_.data(), 1);
  for (std::size_t e = 0; e < loop_.entries().size(); ++e) lane_[rows_.lost(e)] = 0;
  return made;
}

std::unique_ptr<AdaptiveSolver> LoopSolver::after_loop() {
  if (state_ == LaneState::step_too_small) throw too_small();
  if (state_ == LaneState::step_underflow) throw creeping(*run_, step_size(), t(), y());
  return make_otherwise_(lane_[rows_.t()], y_);
}

double LoopSolver::step_size() const {
  return otherwise_ ? otherwise_->step_size() : std::abs(lane_[rows_.last()]);
}

const double* LoopSolver::within(double t0, const std::vector<double>& y0, double t) {
  if (otherwise_) return otherwise_->within(t0, y0, t);
  inside_ = begin_;
  // Where the motion is not smooth, shorter steps may come to no end where those of the run went on.
  constexpr double most_more = 1000;
  control_.most_steps = lane_[rows_.steps()] + most_more;
  LaneState state = LaneState::running;
  while (state == LaneState::running) state = run_lane(inside_, t);
  if (state != LaneState::arrived) throw too_small();
  entries_.unpack(t, inside_.data(), 1, y_inside_.data());
  return y_inside_.data();
}

void LoopSolver::count(Outcome& outcome) const {
  outcome.rejected_steps = static_cast<std::size_t>(lane_[rows_.tries()] - lane_[rows_.steps()]);
  decays_.explain(outcome);
  if (otherwise_) otherwise_->count(outcome);
}

}  // namespace herglotz::integrate
