#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "record/event_log.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {
namespace {

analyse::Trajectory finished(Recorder&& recorder, EventLog&& log, analyse::RunFacts facts) {
  analyse::Trajectory trajectory = std::move(recorder).finish(std::move(facts));
  trajectory.events = std::move(log).finish();
  return trajectory;
}

}  // namespace

Simulator::Simulator(mechanics::System system, const compile::Options& options, const InitialState& near,
                     std::optional<discrete::DiscreteLagrangian> discrete)
    : impl_(std::make_unique<Impl>(std::move(system), std::nullopt, options, near, std::move(discrete))) {}
Simulator::Simulator(mechanics::System system, mechanics::Equations equations, const compile::Options& options)
    : impl_(std::make_unique<Impl>(std::move(system), std::move(equations), options, InitialState{}, std::nullopt)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const mechanics::System& Simulator::system() const {
  return impl_->system;
}
const mechanics::Equations& Simulator::equations() const {
  return impl_->equations;
}
const std::vector<mechanics::BalanceLaw>& Simulator::laws() const {
  return impl_->laws;
}
const integrate::Dynamics& Simulator::dynamics() const {
  return impl_->dynamics;
}
const integrate::Dynamics& Simulator::dynamics_for(const integrate::MethodInfo& method) const {
  return impl_->dynamics_for(method);
}
std::vector<double> Simulator::parameter_values() const {
  return resolve_parameters(impl_->system, {});
}

InitialState Simulator::start(const InitialState& initial, const Settings& settings, const InitialState& parameters,
                              const InitialState& next) const {
  const mechanics::System& system = impl_->system;
  Start start = resolve_start(system, impl_->equations, impl_->without_redundant(initial));
  const std::vector<double> values = resolve_parameters(system, parameters);
  std::vector<std::string> notes;
  std::string why;
  if (next.empty()) {
    why = impl_->begin(start, initial, next, {{}, impl_->dynamics}, values, notes);
  } else {
    std::string reason;
    const integrate::Settings resolved = resolve_settings(system, settings, impl_->discrete, start.t0, reason);
    const integrate::MethodInfo& method = *integrate::find_method(resolved.method);
    why = impl_->begin(start, initial, next, {method.name, impl_->dynamics_for(method), resolved.step}, values, notes);
  }
  if (!why.empty()) throw RunFailed(why, {});
  InitialState named;
  for (std::size_t i = 0; i < start.state.size(); ++i) named.emplace(impl_->dynamics.names[i], start.state[i]);
  named.emplace(system.t.name(), start.t0);
  return named;
}

analyse::Trajectory Simulator::run(const InitialState& initial, const Settings& settings,
                                   const InitialState& parameters, const Progress& progress,
                                   const InitialState& next) const {
  const mechanics::System& system = impl_->system;
  Start start = resolve_start(system, impl_->equations, impl_->without_redundant(initial));
  const std::vector<double> values = resolve_parameters(system, parameters);
  analyse::RunFacts facts;
  integrate::Settings resolved = resolve_settings(system, settings, impl_->discrete, start.t0, facts.method_reason);
  const integrate::MethodInfo& method = *integrate::find_method(resolved.method);
  const integrate::Dynamics& dynamics = impl_->dynamics_for(method);
  if (!system.events.empty() && method.needs == integrate::Ingredient::discrete_lagrangian)
    throw std::invalid_argument(fmt::format(
        "[events] are located inside steps, and method {} has no states there; choose another method", method.name));
  if (initial.empty() && next.empty()) facts.notes.emplace_back(nothing_given);
  impl_->require_truth(start, values, settings.project, facts.notes);
  std::string why = impl_->begin(start, initial, next, {method.name, dynamics, resolved.step}, values, facts.notes);

  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  for (std::size_t i = 0; i < values.size(); ++i)
    facts.parameters.emplace_back(system.parameters[i].symbol.name(), values[i]);
  facts.method = method.name;
  facts.order = integrate::order_of(method, resolved);
  facts.step = method.adaptive ? 0 : std::abs(resolved.step);
  facts.tolerance = method.adaptive ? resolved.tolerance : 0;
  facts.t_end = settings.t_end;
  facts.version = HERGLOTZ_VERSION;

  Recorder recorder(impl_->row_maker(values));
  for (const std::size_t k : impl_->redundant())
    facts.notes.push_back(fmt::format("constraint {0} follows from the others; {1} is 0", k + 1,
                                      system.constraints.multipliers[k].name()));
  if (why.empty()) why = impl_->irregularity(start, values);
  if (why.empty()) why = impl_->settle(start, values, settings.project, facts.notes);
  for (std::size_t i = 0; i < start.state.size(); ++i)
    facts.initial.emplace_back(impl_->dynamics.names[i], start.state[i]);
  facts.initial.emplace_back(system.t.name(), start.t0);
  if (!why.empty()) {
    facts.complete = false;
    facts.status = why;
    throw RunFailed(why, std::move(recorder).finish(std::move(facts)));
  }
  std::shared_ptr<const ScaledTime> scaled;
  if (settings.time_scale) {
    scaled = impl_->in_scaled_time(*settings.time_scale);
    scaled->require(method, settings, start.t0, start.state, values);
  }
  EventLog log(system, impl_->events, recorder);
  const double duration = settings.t_end - start.t0;
  double fraction = 0;
  if (progress) resolved.proceed = [&] { return progress(fraction); };
  const auto began = std::chrono::steady_clock::now();
  const auto sink = [&](const integrate::Sample& sample) {
    fraction = duration == 0 ? 1.0 : (sample.t - start.t0) / duration;
    return recorder.record(sample) && (!progress || progress(fraction));
  };
  const integrate::Outcome outcome =
      scaled ? scaled->run(values, start.t0, start.state, resolved, sink, log.watch())
             : integrate::integrate(dynamics, values, start.t0, start.state, resolved, sink, log.watch());
  facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  facts.steps = outcome.steps;
  facts.rejected_steps = outcome.rejected_steps;
  facts.newton_iterations = outcome.newton_iterations;
  facts.complete = outcome.status == integrate::Status::success;
  if (!recorder.broken().empty() ||
      (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)) {
    facts.complete = false;
    facts.status = recorder.broken().empty() ? outcome.message : recorder.broken();
    const std::string reason = facts.status;
    throw RunFailed(reason, finished(std::move(recorder), std::move(log), std::move(facts)));
  }
  if (outcome.stopped_by)
    facts.notes.push_back(
        fmt::format("ended by the event '{}' at t = {:.9g}", system.events[*outcome.stopped_by].name, outcome.t));
  if (outcome.status == integrate::Status::cancelled)
    facts.status = fmt::format("stopped by the user at t = {:.6g}", outcome.t);
  return finished(std::move(recorder), std::move(log), std::move(facts));
}

analyse::Trajectory simulate(const Problem& problem, const Simulator::Progress& progress) {
  auto trajectory = Simulator(problem.system, {}, problem.initial, problem.discrete)
                        .run(problem.initial, problem.settings, {}, progress, problem.next);
  trajectory.facts.model_text = problem.text;
  return trajectory;
}

}  // namespace herglotz::simulate
