#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "event_log.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "ingredients.hpp"
#include "recorder.hpp"
#include "scaled_time.hpp"
#include "settings.hpp"
#include "start.hpp"

namespace herglotz::simulate {
namespace {

kernel::Pattern pattern(const mechanics::SparseProgram& sparse) {
  return {sparse.rows, sparse.cols, sparse.row, sparse.col};
}

bool is_multiplier(const mechanics::System& system, std::string_view name) {
  const auto& all = system.constraints.multipliers;
  return std::any_of(all.begin(), all.end(), [&](const symbolic::Expr& symbol) { return symbol.name() == name; });
}

std::string describe(const std::vector<std::string>& names, std::span<const double> state) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i) parts.push_back(fmt::format("{} = {:.6g}", names[i], state[i]));
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Equations that the others do not imply, around a start.
std::vector<std::size_t> independent_constraints(const mechanics::System& system, const InitialState& near) {
  if (system.constraints.equations.empty()) return {};
  InitialState known;
  for (const auto& [name, value] : near)
    if (name.rfind("nu", 0) != 0 || !is_multiplier(system, name)) known.emplace(name, value);
  Start start = resolve_start(system, {}, known);
  start.state.push_back(start.t0);
  const auto analysis = mechanics::analyse_constraints(system, resolve_parameters(system, {}), start.state);
  for (std::size_t k = 0; k < analysis.equations.size(); ++k) {
    const auto& finding = analysis.equations[k];
    if (finding.standing == mechanics::Standing::contradictory)
      throw std::invalid_argument(
          fmt::format("constraint {} contradicts the others: where they hold it is {:.3g} or further from 0; remove or "
                      "change one of them",
                      k + 1, finding.value));
    if (finding.standing == mechanics::Standing::singular)
      throw std::invalid_argument(
          fmt::format("constraint {} restricts no velocity where it holds: its derivative by the velocities vanishes "
                      "or repeats the others there; write it with a derivative that does not",
                      k + 1));
  }
  return analysis.independent;
}

/// Relative defect below which a start counts as rounded, not as off the constraints; integrate() has the same bound.
constexpr double consistent = 1e-10;

analyse::Trajectory finished(Recorder&& recorder, EventLog&& log, analyse::RunFacts facts) {
  analyse::Trajectory trajectory = std::move(recorder).finish(std::move(facts));
  trajectory.events = std::move(log).finish();
  return trajectory;
}

}  // namespace

struct Simulator::Impl {
  mechanics::System system;
  std::vector<std::size_t> independent;  ///< constraint equations that the others do not imply
  mechanics::System reduced;             ///< with these only
  mechanics::Equations equations;
  std::vector<mechanics::BalanceLaw> laws;
  integrate::Dynamics dynamics;
  kernel::Kernel hessian;
  kernel::Kernel observables;
  kernel::Kernel constraints;
  kernel::Kernel events;
  std::optional<discrete::DiscreteLagrangian> discrete;
  compile::Options options;
  mutable std::mutex mutex;  ///< guards what follows, and the graph while it grows
  mutable std::map<integrate::Ingredient, std::unique_ptr<const integrate::Dynamics>> supplied_dynamics;
  mutable std::shared_ptr<const ScaledTime> scaled_time;  ///< of the last time scale asked for

  Impl(mechanics::System given, const std::optional<mechanics::Equations>& supplied,
       const compile::Options& compile_options, const InitialState& near,
       std::optional<discrete::DiscreteLagrangian> given_discrete)
      : system(std::move(given)), discrete(std::move(given_discrete)), options(compile_options) {
    independent = independent_constraints(system, near);
    reduced = mechanics::with_constraints(system, independent);
    const auto derived = mechanics::derive(reduced);
    equations = supplied.value_or(derived);
    laws = mechanics::balance_laws(reduced, derived);
    compile_all();
  }

  [[nodiscard]] const integrate::Dynamics& dynamics_for(const integrate::MethodInfo& method) const {
    require_constraints(method, reduced);
    if (method.needs == integrate::Ingredient::none) return dynamics;
    const std::scoped_lock lock(mutex);
    auto& known = supplied_dynamics[method.needs];
    if (!known) {
      integrate::Dynamics with = dynamics;
      supply(method, {reduced, equations, discrete, options}, with);
      known = std::make_unique<const integrate::Dynamics>(std::move(with));
    }
    return *known;
  }

  [[nodiscard]] std::shared_ptr<const ScaledTime> in_scaled_time(const symbolic::Expr& s) const {
    if (!system.constraints.equations.empty())
      throw std::invalid_argument("time_scale is for systems without constraints");
    const std::scoped_lock lock(mutex);
    if (!scaled_time || !(scaled_time->scale() == s))
      scaled_time = std::make_shared<const ScaledTime>(reduced, equations, laws, s, options);
    return scaled_time;
  }

  void compile_all() {
    const bool straight = mechanics::eliminates_inside(reduced, equations);
    const auto jacobian = straight ? mechanics::flow_jacobian_program(reduced, equations)
                                   : mechanics::mass_jacobian_program(reduced, equations);
    const auto stage_jacobian = mechanics::stage_jacobian_program(reduced, equations);
    std::vector<symbolic::Program> programs{
        straight ? mechanics::flow_program(reduced, equations) : mechanics::mass_program(reduced, equations),
        jacobian.program,
        mechanics::stage_program(reduced, equations),
        stage_jacobian.program,
        mechanics::balance_program(reduced, equations, laws),
        mechanics::hessian_program(reduced, equations),
        mechanics::observables_program(reduced, equations)};
    if (!system.constraints.equations.empty()) {
      programs.push_back(mechanics::constraints_program(system, equations));
      programs.push_back(mechanics::position_program(reduced, equations));
      if (straight) programs.push_back(mechanics::projection_program(reduced, equations));
    }
    if (!system.events.empty()) programs.push_back(mechanics::events_program(reduced, equations));
    auto kernels = compile::compile(programs, options);
    if (!system.events.empty()) events = std::move(kernels.back());
    dynamics.n = system.n();
    dynamics.r = system.r();
    dynamics.m = equations.m();
    dynamics.positions = equations.phi.size();
    dynamics.multipliers = equations.rule == mechanics::Rule::vakonomic ? integrate::Multipliers::differential
                                                                        : integrate::Multipliers::algebraic;
    dynamics.laws = laws.size();
    for (const auto& phi : equations.phi)
      dynamics.position_uses_action = dynamics.position_uses_action || symbolic::depends_on(phi, system.z);
    for (const auto& direction : equations.Phi_y.entries)
      for (const auto& w : system.w())
        dynamics.forces_use_velocity = dynamics.forces_use_velocity || symbolic::depends_on(direction, w);
    for (const auto& law : laws)
      for (const auto& lambda : equations.l)
        dynamics.laws_use_multipliers = dynamics.laws_use_multipliers || symbolic::depends_on(law.source, lambda);
    dynamics.names = state_names(system, equations);
    dynamics.lagrangian = system.formulation == mechanics::Formulation::lagrangian;
    dynamics.velocities = geometry::is_tangent(system.algebroid);
    (straight ? dynamics.flow : dynamics.mass) = std::move(kernels[0]);
    (straight ? dynamics.flow_jacobian : dynamics.mass_jacobian) = std::move(kernels[1]);
    (straight ? dynamics.flow_pattern : dynamics.mass_pattern) = pattern(jacobian);
    dynamics.stage = std::move(kernels[2]);
    dynamics.stage_jacobian = std::move(kernels[3]);
    dynamics.stage_pattern = pattern(stage_jacobian);
    dynamics.balance = std::move(kernels[4]);
    hessian = std::move(kernels[5]);
    observables = std::move(kernels[6]);
    if (system.constraints.equations.empty()) return;
    constraints = std::move(kernels[7]);
    if (dynamics.positions > 0) dynamics.position = std::move(kernels[8]);
    if (straight && !dynamics.differential()) dynamics.projection = std::move(kernels[9]);
  }

  /// The initial values without nu of redundant constraints, which must be zero.
  [[nodiscard]] InitialState without_redundant(const InitialState& initial) const {
    InitialState kept = initial;
    for (const std::size_t k : redundant()) {
      const auto it = kept.find(system.constraints.multipliers[k].name());
      if (it == kept.end()) continue;
      if (it->second != 0)
        throw std::invalid_argument(
            fmt::format("{} = {} belongs to constraint {}, which follows from the others; give its part to theirs",
                        it->first, it->second, k + 1));
      kept.erase(it);
    }
    return kept;
  }

  [[nodiscard]] std::vector<std::size_t> redundant() const {
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < system.constraints.equations.size(); ++k)
      if (std::find(independent.begin(), independent.end(), k) == independent.end()) result.push_back(k);
    return result;
  }

  [[nodiscard]] std::string place(const Start& start) const {
    return fmt::format("t = {:.6g}, {}", start.t0, describe(state_names(system, equations), start.state));
  }

  /// Nothing when the accelerations and multipliers are determined at the start, else the sentence that says why not.
  [[nodiscard]] std::string irregularity(const Start& start, const std::vector<double>& parameters) const {
    const auto found = saddle_regularity(values_at(hessian, system, start, parameters), system.r(), equations.m());
    if (!found.hessian.finite) return fmt::format("the velocity Hessian is not a finite number at {}", place(start));
    if (found.regular) return {};
    if (equations.m() == 0 || !found.hessian.regular) {
      return fmt::format(
          "singular velocity Hessian (rank {} of {}) at {}; the Lagrangian must be regular in every fibre coordinate",
          found.hessian.rank, system.r(), place(start));
    }
    return fmt::format(
        "singular constraint matrix C_ab (rank {} of {}) at {}; the constraints must restrict the velocities "
        "independently there",
        found.rank, equations.m(), place(start));
  }

  /// What the first step of a run is taken with.
  struct FirstStep {
    std::string method;
    const integrate::Dynamics& dynamics;
    double h = 0;
  };

  /// Finds the velocities that momenta or a second position stand for, and notes them; else a sentence that says why
  /// there are none.
  [[nodiscard]] std::string begin(Start& start, const InitialState& initial, const InitialState& next,
                                  const FirstStep& step, const std::vector<double>& parameters,
                                  std::vector<std::string>& notes) const {
    if (!next.empty()) {
      if (!step.dynamics.discrete)
        throw std::invalid_argument(
            fmt::format("[initial.next] starts a discrete motion, and method {} is none; choose discrete-herglotz "
                        "and a step, or start from velocities or momenta",
                        step.method));
      const std::string why = find_momenta(system, step.dynamics.discrete, initial, next, step.h, start, parameters);
      if (!why.empty()) return why;
    }
    if (start.momenta) {
      const std::string why = find_velocity(system, dynamics, hessian, start, parameters);
      if (!why.empty()) return why;
    }
    if (start.momenta || !next.empty()) notes.push_back(note_of(start, next));
    return {};
  }

  [[nodiscard]] std::string note_of(const Start& start, const InitialState& next) const {
    std::vector<std::string> momenta;
    for (std::size_t a = 0; a < system.r(); ++a)
      momenta.push_back(
          fmt::format("{} = {:.9g}", system.p[a].name(),
                      (start.momenta ? (*start.momenta)[a] : start.state[system.n() + a]) + 0.0));  // no negative zeros
    std::vector<std::string> positions;
    for (const auto& [name, value] : next) positions.push_back(fmt::format("{} = {:.9g}", name, value));
    if (positions.empty()) return fmt::format("velocities found from the momenta {}", fmt::join(momenta, ", "));
    return fmt::format("momenta {} found from the second position {}", fmt::join(momenta, ", "),
                       fmt::join(positions, ", "));
  }

  /// Moves the start onto the constraints where that is asked for, and notes the change; else a sentence where it is
  /// off them.
  [[nodiscard]] std::string settle(Start& start, const std::vector<double>& parameters, bool project,
                                   std::vector<std::string>& notes) const {
    if (equations.m() == 0) return {};
    const integrate::Projection found = integrate::project(dynamics, parameters, start.t0, start.state);
    if (found.defect <= consistent) return {};
    const auto values = values_at(constraints, system, start, parameters);
    const auto worst =
        std::max_element(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    const auto k = static_cast<std::size_t>(worst - values.begin());
    const std::size_t written = system.constraints.equations.size();
    const std::string off = k < written
                                ? fmt::format("constraint {} is {:.6g}, not 0, at the start", k + 1, *worst)
                                : fmt::format("the time derivative of constraint {} is {:.6g}, not 0, at the start",
                                              independent[equations.equation[k - written]] + 1, *worst);
    if (!project) return off + "; give consistent initial values, or set project = true in [initial]";
    if (found.status != integrate::Status::success) return fmt::format("{}, and {}", off, found.message);
    std::vector<std::string> changes;
    for (std::size_t i = 0; i < start.state.size(); ++i) {
      if (start.state[i] != found.state[i])
        changes.push_back(fmt::format("{} {:.6g} -> {:.9g}", dynamics.names[i], start.state[i], found.state[i]));
    }
    notes.push_back(fmt::format("start moved onto the constraints ({}): {}", off, fmt::join(changes, ", ")));
    start.state = found.state;
    return {};
  }
};

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
  const integrate::Settings resolved =
      resolve_settings(system, settings, impl_->discrete, start.t0, facts.method_reason);
  const integrate::MethodInfo& method = *integrate::find_method(resolved.method);
  const integrate::Dynamics& dynamics = impl_->dynamics_for(method);
  if (!system.events.empty() && method.needs == integrate::Ingredient::discrete_lagrangian)
    throw std::invalid_argument(fmt::format(
        "[events] are located inside steps, and method {} has no states there; choose another method", method.name));
  std::string why = impl_->begin(start, initial, next, {method.name, dynamics, resolved.step}, values, facts.notes);

  facts.model_name = system.name;
  facts.title = system.title;
  facts.reference = system.reference;
  for (std::size_t i = 0; i < values.size(); ++i)
    facts.parameters.emplace_back(system.parameters[i].symbol.name(), values[i]);
  facts.method = method.name;
  facts.order = method.order;
  facts.step = method.adaptive ? 0 : std::abs(resolved.step);
  facts.tolerance = method.adaptive ? resolved.tolerance : 0;
  facts.t_end = settings.t_end;
  facts.version = HERGLOTZ_VERSION;

  std::vector<std::size_t> recorded;
  for (const std::size_t k : impl_->equations.equation) recorded.push_back(impl_->independent[k]);
  Recorder recorder(system, impl_->laws, impl_->dynamics.balance, impl_->observables, {impl_->constraints, recorded},
                    values);
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
  const auto began = std::chrono::steady_clock::now();
  const auto sink = [&](const integrate::Sample& sample) {
    return recorder.record(sample) && (!progress || progress(duration == 0 ? 1.0 : (sample.t - start.t0) / duration));
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
