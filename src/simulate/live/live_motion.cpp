#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/compile/web.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/adaptive/loop_control.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/derive/simple_motion.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/mechanics/verification.hpp"
#include "herglotz/simulate/live.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/matrix.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "inputs.hpp"
#include "record/recorder.hpp"
#include "switches/pulses.hpp"

namespace herglotz::simulate {
namespace {

using mechanics::System;

constexpr double usual_rows = 1000;
constexpr double usual_tolerance = 1e-10;

[[noreturn]] void refuse(const std::string& why, const std::string& remedy = "leave out --live") {
  throw Refused("a page cannot follow this motion: " + why, remedy);
}

/// Returns whether a switch may hold the motion where its function is zero, by a force that does not vanish there.
bool may_hold(const mechanics::SwitchedSystem& switched, std::size_t k) {
  const System& system = switched.system;
  const mechanics::Switch& one = switched.switches[k];
  if (!mechanics::may_slide(switched, k)) return false;
  for (const auto& y : system.algebroid.y) {
    const auto slope = symbolic::simplify(symbolic::derivative(one.function, y));
    if (slope.is_zero() || symbolic::depends_on(slope, y)) continue;
    const auto at_zero = y - one.function / slope;
    return !std::all_of(system.forces.begin(), system.forces.end(), [&](const symbolic::Expr& force) {
      const auto along = symbolic::derivative(force, one.mode);
      return symbolic::simplify(symbolic::expand(symbolic::substitute(along, std::vector{y}, std::vector{at_zero})))
          .is_zero();
    });
  }
  return true;
}

/// Returns the system with its comparisons held, if the equations have any. Refuses switches that may hold the motion.
std::optional<mechanics::SwitchedSystem> followed_switches(const System& system) {
  auto switched = mechanics::switched(system);
  for (std::size_t k = 0; switched && k < switched->switches.size(); ++k)
    if (may_hold(*switched, k))
      refuse(fmt::format("it may stay where '{}' is 0, and a page follows no motion that a switch holds",
                         switched->switches[k].text));
  return switched;
}

/// Refuses a motion that a page cannot follow, whatever its accelerations.
void require_kind(const Simulator& simulator, const Problem& problem) {
  const System& system = simulator.system();
  if (simulator.dynamics().m != simulator.equations().m())
    refuse("it is that of a singular Lagrangian on its final set");
  if (simulator.equations().m() != system.constraints.equations.size())
    refuse("one of its constraints follows from the others", "leave that constraint out, or leave out --live");
  if (problem.settings.time_scale) refuse("its steps are equal in a scaled time", "remove time_scale");
  if (!system.frictions.empty())
    refuse("its friction sticks and slips, and a page follows no motion that a switch holds");
  if (std::any_of(system.events.begin(), system.events.end(), [](const auto& event) { return event.impact; }))
    refuse("it has impacts, and a page computes no impulses");
}

/// The motion that a page follows: that of a simulator, or of its system with the comparisons held.
class Followed {
 public:
  /// Refuses a motion that a page cannot follow.
  Followed(const Simulator& simulator, const Problem& problem, const std::string& method) : whole_(simulator) {
    require_kind(simulator, problem);
    switched_ = followed_switches(simulator.system());
    if (switched_)
      pieces_.emplace(switched_->system, compile::Options{.backend = compile::Backend::interpreter}, problem.initial);
    const Simulator& motion = this->motion();
    mechanics::begin_derivation(motion.system(), motion.equations(), motion.laws());
    try {
      program_ = mechanics::motion_program(motion.system(), motion.equations(), motion.laws());
    } catch (const symbolic::SingularMatrix&) {
      refuse("its accelerations are solved for with exchanges of rows");
    } catch (const Refused& error) {
      refuse(error.problem());
    }
    // Runs of these methods follow simplified rates, whose last digits are others.
    const auto* info = integrate::find_method(method);
    const bool simple = info != nullptr && (info->needs == integrate::Requirement::stepped_motion ||
                                            info->needs == integrate::Requirement::taylor_motion);
    if (!simple || motion.equations().m() > 0) return;
    mechanics::begin_derivation(motion.system(), motion.equations(), motion.laws());
    program_ = mechanics::simplified(std::move(program_));
  }

  /// The motion along a smooth piece; the whole one without switches.
  [[nodiscard]] const Simulator& motion() const { return pieces_ ? *pieces_ : whole_; }
  [[nodiscard]] const mechanics::MotionProgram& program() const { return program_; }
  [[nodiscard]] const std::optional<mechanics::SwitchedSystem>& switched() const { return switched_; }

 private:
  const Simulator& whole_;
  std::optional<mechanics::SwitchedSystem> switched_;
  std::optional<Simulator> pieces_;
  mechanics::MotionProgram program_;
};

/// Returns the times of the rows of a run without those at events that set the state, of which there are two each.
std::vector<double> times_of_rows(const analyse::Trajectory& run) {
  std::vector<double> times = run.columns.front().values;
  const double t0 = times.front();
  const double end = times.back();
  const auto twice = [&](const double& t) {
    return (&t != &times.front() && *(&t - 1) == t) || (&t != &times.back() && *(&t + 1) == t);
  };
  std::vector<double> once;
  for (const double& t : times)
    if (!twice(t)) once.push_back(t);
  if (once.empty() || once.front() != t0) once.insert(once.begin(), t0);
  if (once.back() != end) once.push_back(end);
  return once;
}

/// Sets the times of rows so that they are those of the run to the last bit. The rows of a run in parts, between events
/// that set its state or switches, are at these times, whatever its steps.
void set_rows(LiveMotion& live, const Problem& problem, const std::vector<double>& times, double t_end, bool parts) {
  const double t0 = times.front();
  const auto interior = times.size() < 2 ? times.end() : times.end() - 1;
  const auto all = [&](const auto& time_of) {
    for (auto it = times.begin() + 1; it < interior; ++it)
      if (time_of(static_cast<std::size_t>(it - times.begin())) != *it) return false;
    return true;
  };
  const double duration = t_end - t0;
  if (times.size() < 3) {
    live.interval = std::abs(duration) / usual_rows;
    return;
  }
  const auto every_of = [&] {
    return live.step ? static_cast<double>(problem.settings.output_every.value_or(1)) * std::abs(*live.step) : 0.0;
  };
  if (live.step && !parts) {
    const auto every = static_cast<std::size_t>(std::max(1.0, std::round((times[1] - t0) / *live.step)));
    if (all([&](std::size_t i) { return t0 + static_cast<double>(i * every) * *live.step; })) {
      live.every = every;
      return;
    }
  } else if (!live.step && problem.settings.output_every) {
    live.every = *problem.settings.output_every;
    return;
  }
  for (const double interval : {problem.settings.output_step.value_or(0), every_of(), std::abs(duration) / usual_rows,
                                std::abs(times[1] - t0), std::abs(duration) / static_cast<double>(times.size() - 1)}) {
    const double along = std::copysign(interval, duration);
    if (interval == 0 || !all([&](std::size_t i) { return t0 + static_cast<double>(i) * along; })) continue;
    live.interval = interval;
    return;
  }
  live.times.assign(times.begin() + 1, interior);
}

int sign_of(mechanics::Direction direction) {
  return direction == mechanics::Direction::rising ? 1 : direction == mechanics::Direction::falling ? -1 : 0;
}

/// Adds the kernels of the rates and of the watched functions, if there are constraints or events. The last events are
/// the conditions of switches.
void add_events(LiveMotion& live, const Simulator& simulator, std::size_t conditions,
                std::vector<symbolic::Program>& kernels) {
  const System& system = simulator.system();
  const auto& equations = simulator.equations();
  if (system.events.empty() && equations.m() == 0) return;
  const std::size_t own = system.events.size() - conditions;
  live.eliminated = static_cast<bool>(simulator.dynamics().flow);
  live.rates = kernels.size();
  kernels.push_back(live.eliminated ? mechanics::flow_program(system, equations, simulator.laws())
                                    : mechanics::mass_program(system, equations));
  if (system.events.empty()) return;
  live.watched = kernels.size();
  kernels.push_back(mechanics::events_program(system, equations));
  live.functions = kernels.back().outputs.size();
  for (std::size_t k = 0; k < own; ++k)
    live.events.push_back({system.events[k].name, sign_of(system.events[k].direction), system.events[k].stop});
  const auto columns = jump_columns(system);
  for (const auto& [event, first] : mechanics::jumps_of(system)) {
    const auto& resets = system.events[event].resets;
    for (std::size_t i = 0; i < resets.size(); ++i) {
      const auto entry = std::find(live.state.begin(), live.state.end(), resets[i].entry);
      live.events[event].resets.push_back({static_cast<std::size_t>(entry - live.state.begin()), first + i});
    }
    const std::string loss = "loss." + system.events[event].name;
    if (std::find(columns.begin(), columns.end(), loss) != columns.end()) live.losses.push_back(event);
  }
}

/// Adds the kernels that keep a motion on its constraints.
void add_constraints(LiveMotion& live, const Simulator& simulator, std::vector<symbolic::Program>& kernels) {
  const System& system = simulator.system();
  const auto& equations = simulator.equations();
  const integrate::Dynamics& dynamics = simulator.dynamics();
  if (dynamics.m == 0) return;
  const auto add = [&](symbolic::Program program) {
    kernels.push_back(std::move(program));
    return kernels.size() - 1;
  };
  LiveMotion::Constraints constraints;
  constraints.m = dynamics.m;
  constraints.positions = dynamics.positions;
  constraints.differential = dynamics.differential();
  constraints.position_uses_action = dynamics.position_uses_action;
  constraints.forces_use_velocity = dynamics.forces_use_velocity;
  constraints.laws_use_multipliers = dynamics.laws_use_multipliers;
  constraints.equation = equations.equation;
  constraints.stage = add(mechanics::stage_program(system, equations));
  auto jacobian = mechanics::stage_jacobian_program(system, equations);
  constraints.stage_jacobian = add(std::move(jacobian.program));
  constraints.row = std::move(jacobian.row);
  constraints.col = std::move(jacobian.col);
  constraints.values = add(mechanics::constraints_program(system, equations));
  if (dynamics.positions > 0) constraints.position = add(mechanics::position_program(system, equations));
  live.constraints = std::move(constraints);
}

symbolic::Program value_of(const System& system, const mechanics::Equations& equations, const symbolic::Expr& value) {
  symbolic::Program program;
  program.name = "start";
  program.graph = system.algebroid.graph;
  program.variables = equations.u;
  if (system.formulation == mechanics::Formulation::lagrangian)
    program.variables.insert(program.variables.end(), system.p.begin(), system.p.end());
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  program.outputs = {symbolic::expand_lets(value)};
  return program;
}

/// Adds the kernels of initial values that follow from others, unless the start is given in another way than by its
/// state.
void add_followers(LiveMotion& live, const Simulator& simulator, const Problem& problem,
                   std::vector<symbolic::Program>& kernels) {
  const System& system = simulator.system();
  const bool momenta =
      system.formulation == mechanics::Formulation::lagrangian &&
      std::any_of(system.p.begin(), system.p.end(), [&](const auto& p) { return problem.initial.contains(p.name()); });
  if (momenta || !problem.next.empty() || problem.settings.project) return;
  for (const auto& [name, value] : problem.expressions.list()) {
    if (std::find(live.state.begin(), live.state.end(), name) == live.state.end()) continue;
    live.followers.push_back({name, kernels.size()});
    kernels.push_back(value_of(system, simulator.equations(), value));
  }
}

}  // namespace

void require_live(const Simulator& simulator, const Problem& problem) {
  const Followed followed(simulator, problem, "");
}

LiveMotion live_motion(const Simulator& simulator, const Problem& problem, const analyse::Trajectory& run) {
  const System& system = simulator.system();
  const auto& equations = simulator.equations();
  const auto& laws = simulator.laws();
  const Followed followed(simulator, problem, run.facts.method);
  const mechanics::MotionProgram& motion = followed.program();
  const Simulator& pieces = followed.motion();

  LiveMotion live;
  live.method = run.facts.method;
  live.n = system.n();
  live.r = system.r();
  live.state = simulator.dynamics().names;
  const kernel::StateLayout entries{{0, live.n, live.n + live.r, live.n + live.r + 1, live.state.size()},
                                    motion.factor,
                                    motion.laws.size(),
                                    motion.checks};
  live.factor = motion.factor;
  live.budgets = motion.laws;
  live.laws = laws.size();
  for (const auto& law : laws) {
    live.law_names.push_back(law.name);
    if (law.kind == mechanics::LawKind::dissipated) live.dissipated.push_back(law.name);
  }
  for (const auto& invariant : system.invariants) live.invariants.push_back(invariant.name);
  live.observables = system.observables.size();

  std::vector<symbolic::Program> kernels{mechanics::balance_program(system, equations, laws),
                                         mechanics::verification_program(system, equations, laws),
                                         mechanics::observables_program(system, equations)};
  const std::size_t conditions = pieces.system().events.size() - system.events.size();
  add_events(live, pieces, conditions, kernels);
  add_constraints(live, pieces, kernels);
  if (followed.switched()) {
    for (const auto& one : followed.switched()->switches) live.switches.push_back({one.text, one.rounds});
    live.piece_balance = kernels.size();
    kernels.push_back(mechanics::balance_program(pieces.system(), pieces.equations(), pieces.laws()));
  }
  add_followers(live, simulator, problem, kernels);
  for (const auto& kernel : kernels) live.numbers += kernel.variables.size() + kernel.outputs.size();

  const std::vector<double> times = times_of_rows(run);
  const double t_end = run.facts.t_end;
  Settings settings = problem.settings;
  settings.t_end = t_end;
  live.breaks = breaks_of(system, settings, *integrate::find_method(run.facts.method), times.front());
  integrate::Settings adaptive;
  adaptive.method = run.facts.method;
  adaptive.t_end = t_end;
  adaptive.breaks = live.breaks;
  std::vector<double> values;
  for (const auto& [name, value] : run.facts.parameters) values.push_back(value);
  const Pulses pulses(system);
  pulses.enter(adaptive, values, times.front());
  if (adaptive.breaks.size() > live.breaks.size()) {
    for (std::size_t k = 0; k < values.size(); ++k)
      if (pulses.depend_on(k))
        refuse(fmt::format("its steps end at pulses whose places depend on '{}', and a page does not look for them",
                           system.parameters[k].symbol.name()));
    live.breaks = std::move(adaptive.breaks);
  }
  compile::WebSteps steps = integrate::reference_pair();
  if (live.method == "runge-kutta-4" || live.method == "runge-kutta-8") {
    live.step = std::copysign(run.facts.step, t_end - times.front());
    steps = integrate::runge_kutta_tableau(live.method == "runge-kutta-4" ? 4 : 8);
  } else if (live.method == "taylor") {
    steps = compile::TaylorSteps{};
  } else {
    live.method = "reference";
  }
  if (!live.step) {
    integrate::Settings of_loop;
    of_loop.t_end = t_end;
    of_loop.tolerance = live.tolerance = run.facts.tolerance > 0 ? run.facts.tolerance : usual_tolerance;
    const auto control = integrate::loop_control(pieces.dynamics(), of_loop);
    live.local = control.local;
    live.order = static_cast<std::size_t>(control.order);
  }
  if (live.method == run.facts.method)
    set_rows(live, problem, times, t_end, mechanics::has_jumps(system) || followed.switched());
  else
    live.interval = std::abs(t_end - times.front()) / usual_rows;

  auto module = compile::compile_web(motion.program, entries, steps, kernels);
  live.module = std::move(module.bytes);
  live.data = module.data;
  live.work = module.work;
  return live;
}

}  // namespace herglotz::simulate
