#include "herglotz/integrate/lanes.hpp"

#include <optional>
#include <stdexcept>
#include <vector>

#include "contact/lanes.hpp"
#include "drive/lane_feed.hpp"
#include "drive/schedule.hpp"
#include "energy/lanes.hpp"
#include "groupoid/lanes.hpp"
#include "motion/right_side.hpp"
#include "runge_kutta/lanes_fixed.hpp"
#include "runge_kutta/lanes_loop.hpp"
#include "splitting/lanes.hpp"
#include "splitting/stepper.hpp"
#include "variational/lanes.hpp"

namespace herglotz::integrate {
namespace {

/// Samples every few steps do not come at known times; one beyond all steps means the ends only.
bool at_known_times(const Settings& settings) {
  return settings.schedule.every == 0 || settings.schedule.every >= settings.max_steps;
}

class AdaptiveTraffic final : public LaneTraffic {
 public:
  AdaptiveTraffic(const Dynamics& dynamics, int lanes, std::size_t parameters, const Settings& settings,
                  const LaneRuns& runs)
      : dynamics_(dynamics),
        settings_(settings),
        runs_(runs),
        parameters_(parameters * static_cast<std::size_t>(lanes)) {
    lanes_.reserve(static_cast<std::size_t>(lanes));
    for (int lane = 0; lane < lanes; ++lane) lanes_.emplace_back(dynamics, parameters);
    sample_.state.resize(dynamics.dimension());
    sample_.budget.resize(dynamics.laws);
  }

  [[nodiscard]] const double* parameters() const override { return parameters_.data(); }
  [[nodiscard]] bool stopped() const override { return stopped_; }
  bool proceed() override {
    stopped_ = stopped_ || (runs_.proceed && !runs_.proceed());
    return !stopped_;
  }

  bool fill(int lane, double& t, double* y) override {
    Lane& run = at(lane);
    if (!runs_.next(run.number, run.parameters, t, run.state)) return false;
    for (std::size_t k = 0; k < run.parameters.size(); ++k)
      parameters_[k * lanes_.size() + static_cast<std::size_t>(lane)] = run.parameters[k];
    // Of a run without constraints nothing is left that the next one would see.
    if (!run.right_side || dynamics_.m > 0) run.right_side.emplace(dynamics_, run.parameters);
    run.right_side->initial(t, run.state, y);
    run.steps = 0;
    run.started = false;
    run.times.emplace(t, settings_.t_end, settings_.schedule);
    return true;
  }
  [[nodiscard]] double due(int lane) const override { return lanes_[static_cast<std::size_t>(lane)].times->next(); }
  bool arrive(int lane, double t, const double* y) override {
    Lane& run = at(lane);
    const std::size_t d = dynamics_.dimension();
    sample_.t = t;
    std::copy_n(y, d, sample_.state.begin());
    sample_.log_factor = y[d];
    std::copy_n(y + d + 1, dynamics_.laws, sample_.budget.begin());
    if (!run.right_side->multipliers(t, y, sample_.multipliers)) {
      eject(lane);
      return false;
    }
    if (!runs_.sample(run.number, sample_)) {
      stopped_ = true;
      return false;
    }
    if (run.started) run.times->pass();
    run.started = true;
    if (t != settings_.t_end) return true;
    runs_.done(run.number, true, run.steps);
    return false;
  }
  bool project(int lane, double t, double* y) override { return at(lane).right_side->project(t, y); }
  [[nodiscard]] double dissipation(int lane) const override {
    return lanes_[static_cast<std::size_t>(lane)].right_side->dissipation();
  }
  void count(int lane, std::size_t steps) override { at(lane).steps += steps; }
  void eject(int lane) override { runs_.done(at(lane).number, false, at(lane).steps); }

 private:
  struct Lane {
    Lane(const Dynamics& dynamics, std::size_t count) : parameters(count), state(dynamics.dimension()) {}
    std::size_t number = 0;
    std::vector<double> parameters;
    std::vector<double> state;
    std::optional<RightSide> right_side;
    std::optional<SampleTimes> times;
    std::size_t steps = 0;
    bool started = false;
  };
  Lane& at(int lane) { return lanes_[static_cast<std::size_t>(lane)]; }

  const Dynamics& dynamics_;
  const Settings& settings_;
  const LaneRuns& runs_;
  std::vector<double> parameters_;
  std::vector<Lane> lanes_;
  Sample sample_;
  bool stopped_ = false;
};

/// The explicit step that a method is a composition of, or nothing.
const ExplicitStep* explicit_step(const Dynamics& dynamics, const MethodInfo& method) {
  const ExplicitStep* step = method.needs == Ingredient::splitting ? &dynamics.splitting
                             : method.needs == Ingredient::verlet  ? &dynamics.verlet
                                                                   : nullptr;
  return step != nullptr && *step ? step : nullptr;
}

bool in_lanes(int lanes) {
  return lanes == 4 || lanes == 8;
}

}  // namespace

bool reads_stages_in_lanes(const MethodInfo& method) {
  return contact_scheme(method).has_value() || is_variational(method) || method.needs == Ingredient::energy;
}

bool runs_in_lanes(const Dynamics& wide, const Settings& settings) {
  const MethodInfo* method = find_method(settings.method);
  if (method == nullptr) return false;
  if (wide.motion.steps) return true;
  if (wide.motion.adaptive) return at_known_times(settings);
  if (method->name == "reference")
    return ((wide.flow && wide.flow_has_laws) || wide.mass) && wide.balance && in_lanes(wide.balance.lanes()) &&
           at_known_times(settings);
  if (is_variational(*method)) return has_variational_lanes(wide, *method, settings);
  const ExplicitStep* step = explicit_step(wide, *method);
  if (step == nullptr && contact_scheme(*method))
    return wide.stage && wide.stage_jacobian && in_lanes(wide.stage.lanes());
  if (groupoid_scheme(*method)) return follows_groupoid(wide);
  if (method->needs == Ingredient::energy) return has_energy_lanes(wide);
  return step != nullptr && in_lanes(step->loop.lanes());
}

int lanes_at_once(const Dynamics& wide, const Settings& settings) {
  if (!runs_in_lanes(wide, settings)) return 1;
  const MethodInfo& method = *find_method(settings.method);
  if (const ExplicitStep* step = explicit_step(wide, method)) return step->loop.lanes();
  if (reads_stages_in_lanes(method)) return wide.stage.lanes();
  if (groupoid_scheme(method)) return wide.groupoid.stage.lanes();
  if (wide.motion.steps) return wide.motion.steps.lanes();
  return wide.motion.adaptive ? wide.motion.adaptive.lanes() : wide.balance.lanes();
}

bool integrate_lanes(const Dynamics& dynamics, const Dynamics& wide, const Settings& settings, const LaneRuns& runs) {
  if (!runs_in_lanes(wide, settings))
    throw std::invalid_argument("these runs have no form for lanes; ask runs_in_lanes() first");
  const MethodInfo& method = *find_method(settings.method);
  if (const ExplicitStep* step = explicit_step(wide, method))
    return follow_explicit(dynamics, *explicit_step(dynamics, method), *step, symmetric_composition(method.order),
                           settings, runs);
  if (is_variational(method)) return follow_variational(dynamics, wide, method, settings, runs);
  if (const auto scheme = contact_scheme(method)) return follow_contact(dynamics, wide, *scheme, settings, runs);
  if (const auto scheme = groupoid_scheme(method)) return follow_groupoid(dynamics, wide, *scheme, settings, runs);
  if (method.needs == Ingredient::energy) return follow_energy(dynamics, wide, method, settings, runs);
  if (wide.motion.steps) return follow_runge_kutta(dynamics, wide, settings, runs);
  if (const kernel::AdaptiveLoop& loop = wide.motion.adaptive) {
    AdaptiveTraffic traffic(dynamics, loop.lanes(), loop.parameters(), settings, runs);
    follow_loop(dynamics, loop, settings, traffic);
    return !traffic.stopped();
  }
  AdaptiveTraffic traffic(dynamics, wide.balance.lanes(), wide.balance.parameters(), settings, runs);
  const AdaptiveLanes how{error_control(dynamics, settings.tolerance), settings.t_end, dynamics.m > 0};
  if (wide.balance.lanes() == 8)
    follow_adaptive_8(wide, how, traffic);
  else
    follow_adaptive_4(wide, how, traffic);
  return !traffic.stopped();
}

}  // namespace herglotz::integrate
