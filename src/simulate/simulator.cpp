#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "exact_motion.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/adaptive/by_stiffness.hpp"
#include "herglotz/integrate/capabilities.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/simulate/volume.hpp"
#include "hybrid/course.hpp"
#include "hybrid/rows_to_come.hpp"
#include "record/on_demand.hpp"
#include "record/rows.hpp"
#include "record/turns.hpp"
#include "sampled.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

analyse::Trajectory finished(Pass& pass, analyse::RunFacts facts) {
  absorb(facts, pass.made.facts);
  facts.notes.insert(facts.notes.end(), pass.notes.begin(), pass.notes.end());
  pass.made.facts = std::move(facts);
  return std::move(pass.made);
}

RunFailed failure(const integrate::Reason& reason, analyse::Trajectory reached) {
  return {reason.problem, reason.remedy, std::move(reached)};
}

/// Returns whether the settings leave the choice of rows open.
bool rows_by_default(const Settings& settings) {
  return !settings.output_every && !settings.output_step && settings.output_times.empty();
}

/// Function that integrates the motion from its start.
using Follow = std::function<integrate::Outcome(const integrate::Settings& settings, const integrate::Sink& sink,
                                                const integrate::Watch& watch)>;

/// Returns the number of turning points in the first steps of a run, and the time that these steps cover.
std::pair<std::size_t, double> turns_at_first(const Follow& followed, const Start& start, std::size_t coordinates,
                                              integrate::Settings settings) {
  constexpr std::size_t most_looks = 4096;
  settings.schedule = {.every = 1};
  TurnCounter turns;
  std::size_t looks = 0;
  double t = start.t0;
  const auto sink = [&](const integrate::Sample& sample) {
    t = sample.t;
    turns.look(std::span(sample.state).first(coordinates));
    return ++looks < most_looks;
  };
  followed(settings, sink, {});
  return {turns.most(), std::abs(t - start.t0)};
}

/// Throws Refused for columns of the power of contacts, whose forces are averages over steps of the method.
void require_no_power_of_impacts(const mechanics::System& system, const integrate::MethodInfo& method,
                                 const std::vector<std::string>& columns) {
  for (const auto& event : system.events) {
    if (!event.impact) continue;
    for (const auto& [power, work] : {std::pair{"power.", "work."}, {"power.drive.", "drive."}})
      if (std::ranges::find(columns, power + event.name) != columns.end())
        throw Refused(fmt::format("[simulation] method {} has no column '{}{}'", method.name, power, event.name),
                      fmt::format("the work so far is in '{}{}'", work, event.name), "[simulation]");
  }
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
  integrate::Reason why;
  if (next.empty()) {
    why = impl_->begin(start, initial, next, {{}, impl_->dynamics}, values, notes);
  } else {
    std::string reason;
    const integrate::Settings resolved =
        resolve_settings(system, settings, impl_->discrete, start.t0, impl_->columns(), reason);
    const integrate::MethodInfo& method = *integrate::find_method(resolved.method);
    const double step = first_step_of(settings, resolved, impl_->discrete, start.t0);
    why = impl_->begin(start, initial, next, {method.name, impl_->dynamics_for(method), step}, values, notes);
  }
  if (!why.empty()) throw failure(why, {});
  InitialState named;
  for (std::size_t i = 0; i < start.state.size(); ++i) named.emplace(impl_->names[i], start.state[i]);
  named.emplace(system.t.name(), start.t0);
  return named;
}

analyse::Trajectory Simulator::run(const InitialState& initial, const Settings& settings,
                                   const InitialState& parameters, const Progress& progress,
                                   const InitialState& next) const {
  const mechanics::System& system = impl_->system;
  Start start = resolve_start(system, impl_->equations, impl_->without_redundant(initial));
  std::unique_lock<std::mutex> alone(impl_->singular_runs, std::defer_lock);
  if (impl_->singular) {
    alone.lock();
    if (!impl_->has_same_final_set(initial, parameters))
      return impl_->elsewhere(initial, parameters).run(initial, settings, {}, progress, next);
  }
  const std::vector<double> values = resolve_parameters(system, parameters);
  analyse::RunFacts facts;
  integrate::Settings resolved =
      resolve_settings(system, settings, impl_->discrete, start.t0, impl_->columns(), facts.method_reason);
  const integrate::MethodInfo& method = *integrate::find_method(resolved.method);
  if (!settings.time_scale) impl_->pulses.enter(resolved, values, start.t0);
  impl_->require_friction(method, settings, start.t0);
  const bool switches = impl_->locates_switches(method) && !settings.time_scale;
  const bool stepping = integrate::steps_over_impacts(method) && mechanics::has_jumps(system);
  const bool jumps = mechanics::has_jumps(system) && !stepping;
  if (stepping) {
    require_impacts_alone(system, method);
    require_no_power_of_impacts(system, method, settings.columns);
  }
  const SwitchedMotion::Laws laws = [&](const mechanics::Holds& holds, integrate::Reason& why_not) {
    return impl_->law_between_switches(holds, method, why_not);
  };
  integrate::Reason none;
  if (switches) std::ignore = laws({}, none);  // which is refused if the method does not follow it
  const integrate::Dynamics& dynamics = !switches ? impl_->dynamics_for(method)
                                        : jumps   ? impl_->dynamics
                                                  : *laws({}, none).dynamics;
  if (impl_->switches && !switches)
    facts.notes.push_back(fmt::format("steps of {} do not end where '{}' passes 0: the run has order 1 there",
                                      settings.time_scale ? "a scaled time" : "method " + method.name,
                                      impl_->switches->switches.front().text));
  if (const auto peak = settings.time_scale ? std::nullopt : impl_->pulses.between_steps(resolved, values, start.t0))
    facts.notes.push_back(Pulses::note(*peak, resolved));
  if (!system.events.empty() && !integrate::locates_events(method))
    throw Refused(fmt::format("[events] are located inside steps, and method {} has no states there", method.name),
                  "choose another method", "[events]");
  require_jumps(system, impl_->equations, settings, start.t0);
  if (impl_->follows_final_set() && mechanics::has_jumps(system))
    throw Refused("events that change the state are not followed on the final set of a singular Lagrangian",
                  "remove `set` and [impacts]", "[events]");
  if (initial.empty() && next.empty()) facts.notes.emplace_back(nothing_given);
  if (!settings.fixed.empty() && !settings.project)
    facts.notes.push_back(
        fmt::format("'fixed' in [initial] ({}) has no effect without project = true", fmt::join(settings.fixed, ", ")));
  impl_->require_truth(start, values, settings, facts.notes);
  const double first_step = first_step_of(settings, resolved, impl_->discrete, start.t0);
  integrate::Reason why = impl_->begin(start, initial, next, {method.name, dynamics, first_step}, values, facts.notes);

  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  for (std::size_t i = 0; i < values.size(); ++i)
    facts.parameters.emplace_back(system.parameters[i].symbol.name(), values[i]);
  if (impl_->follows_final_set()) facts.gauge = gauge_of(system, *impl_->singular);
  facts.method = method.name;
  facts.order = integrate::order_of(method, resolved);
  facts.step = method.adaptive ? 0 : std::abs(resolved.step);
  facts.tolerance = method.adaptive ? resolved.tolerance : 0;
  facts.t_end = settings.t_end;
  facts.version = HERGLOTZ_VERSION;

  const RowMaker rows = impl_->row_maker(values, settings.columns);
  require_columns(system, rows.columns(), settings.columns);
  const bool volumes = wants_volume(rows.columns(), settings.columns);
  if (volumes) {
    const std::scoped_lock lock(impl_->mutex);
    std::vector<double> at = start.state;
    at.push_back(start.t0);
    require_volume_law(impl_->reduced, impl_->equations, values, at);
  }
  for (const std::size_t k : impl_->redundant())
    facts.notes.push_back(fmt::format("constraint {0} follows from the others; {1} is 0", k + 1,
                                      system.constraints.multipliers[k].name()));
  if (why.empty()) why = impl_->why_singular(start, values);
  std::vector<double> lambda;
  if (why.empty())
    why = impl_->follows_final_set() ? impl_->settle_on_final_set(start, lambda, values, settings, facts.notes)
                                     : impl_->settle(start, values, settings, facts.notes);
  if (why.empty()) impl_->require_friction_at(start, values);
  if (why.empty()) require_samples(system, start, values, settings.t_end, rows.columns().size());
  if (std::string note = note_of(impl_->casimirs, std::span(start.state).first(system.n())); !note.empty())
    facts.notes.push_back(std::move(note));
  for (std::size_t i = 0; i < start.state.size(); ++i) facts.initial.emplace_back(impl_->names[i], start.state[i]);
  facts.initial.emplace_back(system.t.name(), start.t0);
  if (!why.empty()) {
    facts.complete = false;
    facts.status = why.text();
    throw failure(why, Recorder(rows).finish(std::move(facts)));
  }
  std::shared_ptr<const ScaledTime> scaled;
  if (settings.time_scale) {
    scaled = impl_->in_scaled_time(*settings.time_scale);
    scaled->require(method, settings, start.t0, start.state, values);
  }
  if (settings.method == "auto" && method.name == "reference" && !scaled && !impl_->follows_final_set() &&
      !follows_exact_discrete(settings, impl_->discrete))
    resolved.method = integrate::reference_by_stiffness;
  std::vector<Passage> passages;  // what the last run did at its switches
  const auto integrated = [&](const Start& from, const integrate::Settings& how, const integrate::Sink& sink,
                              const integrate::Watch& watch) {
    if (scaled) return scaled->run(values, from.t0, from.state, how, sink, watch);
    if (!switches) return impl_->follow(dynamics, values, from, lambda, how, sink, watch);
    return follow_between_switches(laws, values, from, how, sink, watch, passages);
  };
  const double duration = settings.t_end - start.t0;
  double fraction = 0;
  if (progress) resolved.proceed = [&] { return progress(fraction); };
  const auto began = std::chrono::steady_clock::now();
  const Motion free{&system,       &impl_->equations, &impl_->independent, {},   &dynamics,
                    impl_->events, impl_->hessian,    impl_->sections,     rows, integrated};
  std::map<std::vector<std::size_t>, Motion> in_contact;
  const auto motion = [&](const std::vector<std::size_t>& contacts) -> const Motion& {
    if (contacts.empty()) return free;
    const auto known = in_contact.find(contacts);
    if (known != in_contact.end()) return known->second;
    return in_contact.emplace(contacts, impl_->motion_in_contact(contacts, method, values, settings.columns, passages))
        .first->second;
  };
  const Tick tick = [&](const integrate::Sample& sample) {
    fraction = std::max(fraction, duration == 0 ? 1.0 : (sample.t - start.t0) / duration);
    return !progress || progress(fraction);
  };
  const Course course{system, values, impl_->gap_sizes, motion, tick};
  std::optional<ForcedMotion> forced;
  if (stepping) forced = impl_->forced_motion(method, values);
  const auto follow = [&](const integrate::Settings& how) {
    integrate::Sample last;
    Carried carried;
    passages.clear();
    Pass made = forced  ? follow_over_impacts(free, *forced, start, how, tick)
                : jumps ? simulate::follow(course, start, how)
                        : follow_part(free, start, how, carried, {}, tick, last);
    for (auto& note : notes_of(passages)) made.notes.push_back(std::move(note));
    return made;
  };
  auto pass = follow(resolved);
  if (rows_by_default(settings) && pass.outcome.status != integrate::Status::cancelled) {
    const Made made{std::abs(pass.outcome.t - start.t0), pass.outcome.steps, pass.rows(),
                    pass.outcome.t != settings.t_end, method.adaptive};
    double turns = 0;
    if (!scaled && !jumps && !forced && skips_steps(made)) {
      const Follow followed = [&](const integrate::Settings& how, const integrate::Sink& sink,
                                  const integrate::Watch& watch) { return free.integrate(start, how, sink, watch); };
      const auto [found, looked_at] = turns_at_first(followed, start, system.n() + system.r(), resolved);
      turns = turns_in_all(made, found, looked_at);
    }
    if (const auto better = better_rows(made, turns, resolved.schedule)) {
      integrate::Settings again = resolved;
      again.schedule = *better;
      // Runs through jumps and switches list their rows, of which there are none behind the end of this one.
      if ((jumps || switches) && made.early) {
        again.t_end = pass.outcome.t;
        list_rows(again, start.t0);
        again.t_end = resolved.t_end;
      }
      // The run is repeated with other rows. If it ends with another status, or the user stops it, the first run is
      // kept.
      auto second = follow(again);
      if (second.outcome.status == pass.outcome.status) {
        // The reason of the first run is kept: adaptive steps end at rows, so the second run may fail a little earlier
        // or later.
        second.outcome.reason = pass.outcome.reason;
        pass = std::move(second);
      }
    }
    if (too_few(static_cast<double>(pass.rows()), turns))
      facts.notes.push_back(fmt::format(
          "{} rows are too few for this motion, which turns about {:.2g} times: plots of them show other curves than "
          "the motion's; give output_step, or a shorter t_end",
          pass.rows(), turns));
  }
  if (volumes) {
    VolumeAlong law(system, impl_->volumes(), impl_->dynamics_for(*integrate::find_method("reference")),
                    impl_->dynamics_for(*integrate::find_method("radau-5")), values, state_rows(pass.made.columns));
    add_volume(law, settings.columns, pass.made);
  }
  const integrate::Outcome& outcome = pass.outcome;
  facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  facts.steps = outcome.steps;
  facts.rejected_steps = outcome.rejected_steps;
  facts.newton_iterations = outcome.newton_iterations;
  facts.complete = outcome.status == integrate::Status::success;
  if (!pass.broken.empty() ||
      (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)) {
    facts.complete = false;
    const integrate::Reason reason = pass.broken.empty() ? outcome.reason : integrate::Reason(pass.broken);
    facts.status = reason.text();
    throw failure(reason, finished(pass, std::move(facts)));
  }
  if (!outcome.reason.empty()) facts.notes.push_back(outcome.reason.text());
  if (outcome.stopped_by && outcome.status == integrate::Status::success)
    facts.notes.push_back(
        fmt::format("ended by the event '{}' at t = {:.9g}", system.events[*outcome.stopped_by].name, outcome.t));
  if (outcome.status == integrate::Status::cancelled)
    facts.status = fmt::format("stopped by the user at t = {:.6g}", outcome.t);
  return finished(pass, std::move(facts));
}

const VolumeKernels& Simulator::Impl::volumes() const {
  const std::scoped_lock lock(mutex);
  if (!volume_kernels) {
    mechanics::begin_derivation(reduced, equations, laws);
    volume_kernels = simulate::volume_kernels(reduced, equations, options);
  }
  return *volume_kernels;
}

analyse::Trajectory simulate(const Problem& problem, const Simulator::Progress& progress) {
  InitialState initial = problem.initial;
  InitialState next = problem.next;
  problem.expressions.apply(problem.system, {}, initial, next);
  auto trajectory =
      Simulator(problem.system, {}, initial, problem.discrete).run(initial, problem.settings, {}, progress, next);
  trajectory.facts.model_text = problem.text;
  return trajectory;
}

}  // namespace herglotz::simulate
