#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fixed_projection.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/singular_flow.hpp"
#include "herglotz/simulate/singular.hpp"
#include "prepare/kernel_batch.hpp"
#include "settings.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {
namespace {

/// Returns whether two analyses of one system found the same constraints, and determine the same rates by them.
bool is_same(const mechanics::SingularAnalysis& a, const mechanics::SingularAnalysis& b) {
  return std::equal(a.constraints.begin(), a.constraints.end(), b.constraints.begin(), b.constraints.end(),
                    [](const mechanics::LevelConstraint& f, const mechanics::LevelConstraint& g) {
                      return f.level == g.level && f.expression == g.expression;
                    }) &&
         a.pivots == b.pivots && a.undetermined == b.undetermined;
}

bool follows_final_sets(const integrate::MethodInfo& method) {
  const auto able = integrate::methods_on_final_sets();
  return std::find(able.begin(), able.end(), method.name) != able.end();
}

Refused does_not_follow_singular(const integrate::MethodInfo& method) {
  return Refused(fmt::format("method {} does not follow singular Lagrangians", method.name),
                 fmt::format("choose one of {}", fmt::join(integrate::methods_on_final_sets(), ", ")), "method");
}

}  // namespace

void Simulator::Impl::follow_final_set() {
  singular = singular_motion(reduced, equations, near);
  if (!singular) {
    if (const auto refused = needless_gauge(system)) throw *refused;
    return;
  }
  if (singular->why_not.empty()) flow = mechanics::singular_flow(reduced, equations, singular->followed());
}

Simulator Simulator::Impl::elsewhere(const InitialState& initial, const InitialState& parameters) const {
  mechanics::System other = system;
  const auto values = resolve_parameters(system, parameters);
  for (std::size_t k = 0; k < values.size(); ++k) other.parameters[k].value = values[k];
  return Simulator(std::move(other), options, initial, discrete);
}

bool Simulator::Impl::is_near(const InitialState& initial, const InitialState& parameters) const {
  return initial == near && resolve_parameters(system, parameters) == resolve_parameters(system, {});
}

bool Simulator::Impl::has_same_final_set(const InitialState& initial, const InitialState& parameters) const {
  if (is_near(initial, parameters)) return true;
  // The independent ones among constraints of the model may be others.
  if (!flow || !system.constraints.equations.empty()) return false;
  const std::scoped_lock lock(mutex);
  mechanics::System other = reduced;
  const auto values = resolve_parameters(system, parameters);
  for (std::size_t k = 0; k < values.size(); ++k) other.parameters[k].value = values[k];
  const auto there = singular_motion(other, equations, initial);
  return there && there->why_not.empty() && is_same(there->followed(), singular->followed());
}

void Simulator::Impl::compile_final_set() {
  balance = dynamics.balance;
  if (!flow) return;
  const auto& analysis = singular->followed();
  KernelBatch batch;
  batch.add(mechanics::level_constraints_program(reduced, equations, analysis), level_constraints);
  batch.add(mechanics::final_set_program(*flow, mechanics::constraints_on_velocities(reduced, equations, analysis)),
            final_set.functions);
  if (reshapes()) batch.add(mechanics::balance_program(reduced, equations, laws), balance);
  batch.compile(options);
  final_set.count = final_set.functions.outputs() / (1 + dynamics.dimension());
}

void Simulator::Impl::require_singular_method(const integrate::MethodInfo& method) const {
  if (flow && !follows_final_sets(method)) throw does_not_follow_singular(method);
}

void require_singular_method(const Problem& problem) {
  const mechanics::System& system = problem.system;
  std::string reason;
  const integrate::MethodInfo& method = method_of(system, problem.settings, problem.discrete, reason);
  const bool free = system.constraints.rule == mechanics::Rule::none;
  if (system.formulation != mechanics::Formulation::lagrangian || !free || follows_final_sets(method)) return;
  mechanics::begin_derivation(system);
  const auto equations = mechanics::derive(system);
  if (mechanics::is_singular(system, equations, resolve_parameters(system, {}),
                             start_values(equations, problem.initial)))
    throw does_not_follow_singular(method);
}

bool Simulator::follows_final_set() const {
  return impl_->follows_final_set();
}

integrate::Sample Simulator::last_sample_on_final_set(double t0, const std::vector<double>& state,
                                                      const integrate::Settings& settings) const {
  if (!follows_final_set()) throw Refused("the Lagrangian is regular: its motions are on no final set");
  const integrate::Dynamics& by = dynamics_for(*integrate::find_method(settings.method));
  const std::vector<double> parameters = parameter_values();
  Start start{t0, state, {}};
  std::vector<double> lambda;
  std::vector<std::string> notes;
  const integrate::Reason why = impl_->settle_on_final_set(start, lambda, parameters, {}, notes);
  if (!why.empty()) throw Failed(why.problem, why.remedy);
  integrate::Sample last;
  const integrate::Sink keep = [&](const integrate::Sample& sample) {
    last = sample;
    return true;
  };
  const auto outcome = impl_->follow(by, parameters, start, lambda, settings, keep, {});
  if (outcome.status != integrate::Status::success) throw Failed(outcome.reason.problem, outcome.reason.remedy);
  return last;
}

std::vector<double> Simulator::Impl::state_to_follow(const Start& start, const std::vector<double>& lambda) const {
  if (!reshapes()) return start.state;
  // A start is (x, w, z), then nu of a vakonomic system; (x, multipliers, w, z) is followed.
  const auto x_end = start.state.begin() + static_cast<std::ptrdiff_t>(system.n());
  const auto z_end = x_end + static_cast<std::ptrdiff_t>(system.r()) + 1;
  std::vector<double> state(start.state.begin(), x_end);
  if (equations.rule == mechanics::Rule::vakonomic)
    state.insert(state.end(), z_end, start.state.end());
  else
    state.insert(state.end(), lambda.begin(), lambda.end());
  state.insert(state.end(), x_end, z_end);
  return state;
}

integrate::Sample Simulator::Impl::sample_of(const integrate::Sample& followed) const {
  integrate::Sample sample = followed;
  const auto x_end = followed.state.begin() + static_cast<std::ptrdiff_t>(system.n());
  const auto w_begin = x_end + static_cast<std::ptrdiff_t>(equations.m());
  sample.multipliers.assign(x_end, w_begin);
  sample.state.assign(followed.state.begin(), x_end);
  sample.state.insert(sample.state.end(), w_begin, followed.state.end());
  if (equations.rule == mechanics::Rule::vakonomic)
    sample.state.insert(sample.state.end(), sample.multipliers.begin(), sample.multipliers.end());
  return sample;
}

integrate::Outcome Simulator::Impl::follow(const integrate::Dynamics& by, const std::vector<double>& parameters,
                                           const Start& start, const std::vector<double>& lambda,
                                           const integrate::Settings& settings, const integrate::Sink& sink,
                                           const integrate::Watch& watch) const {
  const std::vector<double> state = state_to_follow(start, lambda);
  if (!flow) return integrate::integrate(by, parameters, start.t0, state, settings, sink, watch);
  if (!reshapes()) return integrate::integrate_on(final_set, by, parameters, start.t0, state, settings, sink, watch);
  integrate::Watch watched = watch;
  if (watch.found)
    watched.found = [&](std::size_t crossing, const integrate::Sample& sample) {
      return watch.found(crossing, sample_of(sample));
    };
  return integrate::integrate_on(
      final_set, by, parameters, start.t0, state, settings,
      [&](const integrate::Sample& sample) { return sink(sample_of(sample)); }, watched);
}

/// Returns (x, w, z, t, nu) at a start; lambda, which no start gives, are 0.
std::vector<double> Simulator::Impl::values_of(const Start& start) const {
  const auto z_end = start.state.begin() + static_cast<std::ptrdiff_t>(system.n() + system.r() + 1);
  std::vector<double> values(start.state.begin(), z_end);
  values.push_back(start.t0);
  values.insert(values.end(), z_end, start.state.end());
  values.resize(system.n() + system.r() + 2 + equations.m(), 0.0);
  return values;
}

namespace {

/// Writes the state (x, multipliers, w, z) that is followed into a start.
void take_state(const mechanics::System& system, const mechanics::Equations& equations,
                const std::vector<double>& followed, Start& start, std::vector<double>& lambda) {
  if (equations.m() == 0) {
    start.state = followed;
    return;
  }
  const auto x_end = followed.begin() + static_cast<std::ptrdiff_t>(system.n());
  const auto w_begin = x_end + static_cast<std::ptrdiff_t>(equations.m());
  start.state.assign(followed.begin(), x_end);
  start.state.insert(start.state.end(), w_begin, followed.end());
  if (equations.rule == mechanics::Rule::vakonomic)
    start.state.insert(start.state.end(), x_end, w_begin);
  else
    lambda.assign(x_end, w_begin);
}

}  // namespace

integrate::Reason Simulator::Impl::settle_on_final_set(Start& start, std::vector<double>& lambda,
                                                       const std::vector<double>& parameters, const Settings& settings,
                                                       std::vector<std::string>& notes) const {
  const auto off = off_final_set(reduced, equations, singular->followed(), values_of(start), parameters);
  const std::size_t n = system.n();
  const std::size_t m = reshapes() ? equations.m() : 0;
  lambda.assign(equations.rule == mechanics::Rule::nonholonomic ? m : 0, 0.0);
  std::vector<double> before = state_to_follow(start, lambda);
  std::vector<double> moved;
  const auto move = [&](std::size_t first, std::size_t last) {
    moved = before;
    return integrate::move_onto(final_set, parameters, start.t0, moved, first, last);
  };
  const std::size_t all = before.size();
  // No start gives lambda. They are found first, so that velocities move no farther than they must.
  if (!lambda.empty()) {
    move(n, n + m);
    before = moved;
  }
  if (!off) {
    if (!lambda.empty() && !(distance_from(final_set, parameters, start.t0, before) <= consistent))
      return "no multipliers were found that keep the motion on the final set";
    if (move(0, all)) take_state(system, equations, moved, start, lambda);  // only round-off was left
    return {};
  }
  const std::string what = text_of(singular->followed(), *off);
  if (!settings.project) return {what, "give initial values on the final set, or set project = true in [initial]"};
  if (!settings.fixed.empty())
    return {what + ", and starts on a final set are moved without fixed values", "leave them out"};
  // The velocities and multipliers alone are moved if that suffices.
  if (!move(n, all - 1) && !move(0, all)) return what + ", and it cannot be moved onto the final set";
  const std::vector<double> given = start.state;
  take_state(system, equations, moved, start, lambda);
  notes.push_back(fmt::format("start moved onto the final set ({}): {}", what, changes_of(names, given, start.state)));
  return {};
}

}  // namespace herglotz::simulate
