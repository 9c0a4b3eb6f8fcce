#include "runge_kutta/lanes_adaptive.hpp"

#include "drive/adaptive_feed.hpp"
#include "drive/error_control.hpp"
#include "herglotz/integrate/lane_samples.hpp"
#include "runge_kutta/lanes_loop.hpp"

namespace herglotz::integrate {

namespace {

std::size_t width_of_loop(const Dynamics& wide, const Settings& settings) {
  return at_known_times(settings) ? static_cast<std::size_t>(wide.motion.adaptive.lanes()) : 0;
}

bool run_loop(const LaneProblem& problem) {
  const kernel::AdaptiveLoop& loop = problem.wide.motion.adaptive;
  AdaptiveFeed traffic(problem.dynamics, loop.lanes(), loop.parameters(), problem.settings, problem.runs);
  follow_loop(problem.dynamics, problem.wide.motion, problem.settings, traffic);
  return !traffic.stopped();
}

bool run_step_by_step(const LaneProblem& problem) {
  const kernel::Kernel& balance = problem.wide.balance;
  AdaptiveFeed traffic(problem.dynamics, balance.lanes(), balance.parameters(), problem.settings, problem.runs);
  const AdaptiveLanes how{error_control(problem.dynamics, problem.settings.tolerance), problem.settings.t_end,
                          problem.dynamics.m > 0};
  (balance.lanes() == 8 ? follow_adaptive<8> : follow_adaptive<4>)(problem.wide, how, traffic);
  return !traffic.stopped();
}

}  // namespace

LaneForm taylor_lanes() {
  return {[](const Dynamics& wide, const Settings& settings) -> std::size_t {
            return wide.motion.adaptive ? width_of_loop(wide, settings) : 0;
          },
          run_loop};
}

LaneForm reference_lanes() {
  return {[](const Dynamics& wide, const Settings& settings) -> std::size_t {
            if (wide.motion.adaptive) return width_of_loop(wide, settings);
            const bool has_rates = (wide.flow && wide.flow_has_laws) || wide.mass;
            return has_rates && wide.balance && at_known_times(settings) ? usable_width(wide.balance.lanes()) : 0;
          },
          [](const LaneProblem& problem) {
            return problem.wide.motion.adaptive ? run_loop(problem) : run_step_by_step(problem);
          }};
}

}  // namespace herglotz::integrate
