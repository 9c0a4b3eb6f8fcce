#include "scaled_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/time_transformation.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "prepare/kernel_batch.hpp"

namespace herglotz::simulate {

ScaledTime::ScaledTime(const mechanics::System& system, const mechanics::Equations& equations,
                       const std::vector<mechanics::BalanceLaw>& laws, const symbolic::Expr& s,
                       const compile::Options& options)
    : s_(s), n_(system.n()), r_(system.r()) {
  const auto changed = mechanics::transform_time(system, equations, laws, s);
  const bool straight = mechanics::eliminates_inside(changed.system, changed.equations);
  symbolic::Program rate = mechanics::stage_program(changed.system, changed.equations);
  rate.name = "rate";
  rate.outputs = {changed.equations.y.back(), equations.energy};
  KernelBatch batch;
  if (straight)
    batch.add(mechanics::flow_program(changed.system, changed.equations), dynamics_.flow);
  else
    batch.add(mechanics::saddle_program(changed.system, changed.equations), dynamics_.mass, dynamics_.saddle_pattern);
  batch.add(mechanics::stage_program(changed.system, changed.equations), dynamics_.stage);
  batch.add(mechanics::stage_jacobian_program(changed.system, changed.equations), dynamics_.stage_jacobian,
            dynamics_.stage_pattern);
  batch.add(mechanics::balance_program(changed.system, changed.equations, changed.laws), dynamics_.balance);
  batch.add(rate, rate_);
  if (!system.events.empty()) {
    symbolic::Program events = mechanics::events_program(system, equations);
    events.variables = changed.equations.u;
    batch.add(std::move(events), events_);
  }
  batch.compile(options);
  dynamics_.n = n_ + 1;
  dynamics_.r = r_ + 1;
  dynamics_.laws = laws.size();
  for (std::size_t i = 0; i + 1 < changed.equations.u.size(); ++i)
    dynamics_.names.emplace_back(changed.equations.u[i].name());
  dynamics_.time = "tau";
  dynamics_.lagrangian = false;  // x_dot = s y
  dynamics_.velocities = geometry::is_tangent(changed.system.algebroid);
}

std::vector<double> ScaledTime::values_at(const kernel::Kernel& kernel, const std::vector<double>& v,
                                          const std::vector<double>& parameters) const {
  std::vector<double> out(kernel.outputs());
  std::vector<double> work(kernel.work_size());
  kernel(v.data(), parameters.data(), out.data(), work.data());
  return out;
}

/// Returns (x, t, w, e, z) with e = -E.
std::vector<double> ScaledTime::start(double t0, const std::vector<double>& state,
                                      const std::vector<double>& parameters) const {
  std::vector<double> v(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(n_));
  v.push_back(t0);
  v.insert(v.end(), state.begin() + static_cast<std::ptrdiff_t>(n_),
           state.begin() + static_cast<std::ptrdiff_t>(n_ + r_));
  v.insert(v.end(), {0.0, state.back(), 0.0});
  v[n_ + r_ + 1] = -values_at(rate_, v, parameters)[1];
  v.pop_back();
  return v;
}

void ScaledTime::require(const integrate::MethodInfo& method, const Settings& settings, double t0,
                         const std::vector<double>& state, const std::vector<double>& parameters) const {
  using integrate::Requirement;
  if (method.adaptive) {
    throw Refused(fmt::format("time_scale is for fixed-step methods, and {} chooses its steps itself", method.name),
                  "give a step, or leave time_scale out");
  }
  if (method.needs != Requirement::none) {
    throw Refused(
        fmt::format("time_scale does not go with method {}, which reads more of a system than its motion", method.name),
        "use a contact Gauss method");
  }
  if (settings.output_step)
    throw Refused("output_step does not go with time_scale, whose steps vary", "use output_every");
  if (!settings.output_times.empty())
    throw Refused("listed times do not go with time_scale, whose steps vary", "use output_every");
  auto v = start(t0, state, parameters);
  v.push_back(0);
  const double s = values_at(rate_, v, parameters)[0];
  if (!(s > 0) || !std::isfinite(s))
    throw Refused(fmt::format("time_scale is {:.6g} at the start", s), "a positive value is needed");
}

/// Returns the sample of (x, w, z) at its time t.
integrate::Sample ScaledTime::in_time(const integrate::Sample& sample, const End& end) const {
  integrate::Sample result;
  result.t = sample.state[n_];
  if (std::abs(result.t - end.t) <= end.rounding) result.t = end.t;
  const auto from = sample.state.begin();
  result.state.assign(from, from + static_cast<std::ptrdiff_t>(n_));
  result.state.insert(result.state.end(), from + static_cast<std::ptrdiff_t>(n_) + 1,
                      from + static_cast<std::ptrdiff_t>(n_ + r_) + 1);
  result.state.push_back(sample.state.back());
  result.log_factor = sample.log_factor;
  result.budget = sample.budget;
  return result;
}

/// Returns a watch for the events of the system, then for the arrival at t_end.
integrate::Watch ScaledTime::watch_for(const integrate::Watch& watch, const End& end) const {
  integrate::Watch result;
  result.crossings = watch.crossings;
  result.crossings.push_back({"end", integrate::Direction::any, true});
  const std::size_t count = watch.crossings.size();
  const std::size_t time = n_;
  const std::size_t parameters = dynamics_.stage.parameters();
  std::vector<double> work(events_ ? events_.work_size() : 0);
  result.values =
      kernel::from_function("watched", dynamics_.variables(), parameters, count + 1,
                            [events = events_, work, time, t_end = end.t](
                                std::span<const double> v, std::span<const double> p, std::span<double> out) mutable {
                              if (events) events(v.data(), p.data(), out.data(), work.data());
                              out.back() = v[time] - t_end;
                            });
  result.found = [this, count, end, found = watch.found](std::size_t crossing, const integrate::Sample& sample) {
    return crossing == count || !found || found(crossing, in_time(sample, end));
  };
  return result;
}

integrate::Outcome ScaledTime::run(const std::vector<double>& parameters, double t0, const std::vector<double>& state,
                                   const integrate::Settings& settings, const integrate::Sink& sink,
                                   const integrate::Watch& watch) const {
  integrate::Settings fictitious = settings;
  const double t_end = settings.t_end;
  const double direction = t_end < t0 ? -1 : 1;
  fictitious.t_end = t_end == t0 ? 0 : direction * std::abs(settings.step) * static_cast<double>(settings.max_steps);
  const auto stretched = start(t0, state, parameters);
  const End end{t_end, 1e-14 * std::max(std::abs(t0), std::abs(t_end))};
  bool stalled = false;
  std::optional<double> last;
  const auto in_own_time = [&](const integrate::Sample& sample) {
    const integrate::Sample own = in_time(sample, end);
    if (last == own.t && own.t == t_end) return true;
    stalled = last && !((own.t - *last) * direction > 0);
    last = own.t;
    return !stalled && sink(own);
  };
  integrate::Outcome outcome =
      integrate::integrate(dynamics_, parameters, 0, stretched, fictitious, in_own_time, watch_for(watch, end));
  if (stalled) {
    outcome.status = integrate::Status::step_too_small;
    outcome.reason = fmt::format("time stands still at t = {:.9g}: time_scale is not positive there", *last);
  }
  if (outcome.stopped_by == watch.crossings.size()) outcome.stopped_by.reset();
  if (outcome.state.size() == stretched.size()) {
    integrate::Sample last_one;
    last_one.state = std::move(outcome.state);
    last_one = in_time(last_one, end);
    outcome.t = last_one.t;
    outcome.state = std::move(last_one.state);
  }
  return outcome;
}

}  // namespace herglotz::simulate
