#include "simulator_impl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact_motion.hpp"
#include "fixed_projection.hpp"
#include "herglotz/analyse/list_text.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/lanes.hpp"
#include "herglotz/mechanics/constraint_analysis.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/derive/volume.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/mechanics/verification.hpp"
#include "herglotz/simulate/regularity.hpp"
#include "invariants.hpp"
#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"
#include "promises.hpp"
#include "record/on_demand.hpp"
#include "settings.hpp"

namespace herglotz::simulate {
namespace {

/// Returns true if any of the symbols occurs in any of the expressions.
bool depend_on_any(std::span<const symbolic::Expr> expressions, std::span<const symbolic::Expr> symbols) {
  if (expressions.empty() || symbols.empty()) return false;
  return std::ranges::any_of(symbolic::free_symbols(expressions), [&](const symbolic::Expr& found) {
    return std::ranges::find(symbols, found) != symbols.end();
  });
}

bool is_multiplier(const mechanics::System& system, std::string_view name) {
  const auto& all = system.constraints.multipliers;
  return std::any_of(all.begin(), all.end(), [&](const symbolic::Expr& symbol) { return symbol.name() == name; });
}

std::string describe(const std::vector<std::string>& names, std::span<const double> state) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < names.size(); ++i) parts.push_back(fmt::format("{} = {:.6g}", names[i], state[i]));
  return analyse::list_text(parts);
}

/// Returns the indices of the constraint equations that the others do not imply around a start.
std::vector<std::size_t> independent_constraints(const mechanics::System& system, const InitialState& near) {
  if (system.constraints.equations.empty()) return {};
  InitialState known;
  for (const auto& [name, value] : near)
    if (name.rfind("nu", 0) != 0 || !is_multiplier(system, name)) known.emplace(name, value);
  Start start = resolve_start(system, {}, known);
  start.state.push_back(start.t0);
  const auto analysis = mechanics::analyse_independence(system, resolve_parameters(system, {}), start.state);
  for (std::size_t k = 0; k < analysis.equations.size(); ++k) {
    const auto& finding = analysis.equations[k];
    if (finding.standing == mechanics::ConstraintStatus::contradictory)
      throw analysis.equations.size() == 1
          ? Refused(fmt::format("constraint 1 holds for no velocity near the start (nearest value met: {:.3g})",
                                finding.value),
                    "change it")
          : Refused(
                fmt::format("constraint {} contradicts the others: where they hold it does not reach 0 (nearest value "
                            "met: {:.3g})",
                            k + 1, finding.value),
                "remove or change one of them");
    if (finding.standing == mechanics::ConstraintStatus::singular)
      throw Refused(fmt::format("constraint {} restricts no velocity where it holds: its derivative by the velocities "
                                "vanishes or repeats the others there",
                                k + 1),
                    "write it with a derivative that does not");
  }
  return analysis.independent;
}

}  // namespace

Simulator::Impl::Impl(mechanics::System given, const std::optional<mechanics::Equations>& supplied,
                      const compile::Options& compile_options, const InitialState& start,
                      std::optional<discrete::DiscreteLagrangian> given_discrete,
                      const std::optional<std::vector<mechanics::FrictionWork>>& works_between_switches)
    : system(std::move(given)),
      near(start),
      discrete(std::move(given_discrete)),
      options(compile_options),
      piece(works_between_switches.has_value()) {
  mechanics::begin_derivation(system);
  independent = independent_constraints(system, near);
  reduced = mechanics::with_constraints(system, independent);
  const auto own = mechanics::derive(reduced);
  equations = supplied.value_or(own);
  names = state_names(reduced, equations);
  if (!supplied) follow_final_set();
  if (!piece) require_conserved(reduced, near);
  laws = mechanics::balance_laws(reduced, own);
  followed_laws = laws;
  auto works = works_between_switches.value_or(mechanics::friction_works(reduced));
  for (auto& law : mechanics::work_laws(without_redundant_multipliers(std::move(works)), laws.front()))
    followed_laws.push_back(std::move(law));
  for (auto& law : mechanics::drive_laws(system, laws.front())) {
    law.source = without_redundant_multipliers(law.source);
    followed_laws.push_back(std::move(law));
  }
  recorded_system = mechanics::with_friction_columns(system);
  compile_all();
  if (piece) return;
  casimirs = undeclared_casimirs(system, near);
  pulses = Pulses(system);
  if (!supplied && !follows_final_set()) switches = mechanics::switched(system);
}

const integrate::Dynamics& Simulator::Impl::dynamics_for(const integrate::MethodInfo& method) const {
  require_constraints(method, reduced);
  require_singular_method(method);
  using integrate::Requirement;
  if (method.needs == Requirement::none && !reads_rates_jacobian(method)) return dynamics;
  const std::scoped_lock lock(mutex);
  auto& known = built_dynamics[{method.needs, method.needs == Requirement::stepped_motion ? method.order : 0}];
  if (!known) {
    integrate::Dynamics with = dynamics;
    build_kernels(method, {followed_system(), followed_equations(), discrete, options, followed_laws, derived_forms},
                  with);
    known = std::make_unique<const integrate::Dynamics>(std::move(with));
  }
  return *known;
}

std::shared_ptr<const ScaledTime> Simulator::Impl::in_scaled_time(const symbolic::Expr& s) const {
  if (!system.constraints.equations.empty()) throw Refused("time_scale is for systems without constraints");
  if (singular) throw Refused("time_scale is for regular Lagrangians");
  const std::scoped_lock lock(mutex);
  if (!scaled_time || !(scaled_time->scale() == s)) {
    mechanics::begin_derivation(reduced, equations, laws);
    scaled_time = std::make_shared<const ScaledTime>(reduced, equations, laws, s, options);
  }
  return scaled_time;
}

void Simulator::Impl::compile_all() {
  const mechanics::System& of = followed_system();
  const mechanics::Equations& q = followed_equations();
  const bool straight = mechanics::eliminates_inside(of, q);
  derived_forms.straight = straight;
  KernelBatch batch;
  // The Jacobian of the mass form takes as long to derive as all else does where there are hundreds of coordinates.
  if (straight) {
    programs.flow_jacobian = mechanics::flow_jacobian_program(of, q);
    batch.add(programs.flow_jacobian, dynamics.flow_jacobian, dynamics.flow_pattern);
    programs.motion = mechanics::flow_program(of, q, followed_laws);
    batch.add(programs.motion, dynamics.flow);
  } else {
    auto saddle = mechanics::saddle_program(of, q);
    programs.motion = saddle.program;
    batch.add(std::move(saddle), dynamics.mass, dynamics.saddle_pattern);
  }
  programs.balance = mechanics::balance_program(of, q, followed_laws);
  programs.stage = mechanics::stage_program(of, q);
  programs.stage_jacobian = mechanics::stage_jacobian_program(of, q);
  batch.add(programs.stage, dynamics.stage);
  batch.add(programs.stage_jacobian, dynamics.stage_jacobian, dynamics.stage_pattern);
  batch.add(programs.balance, dynamics.balance);
  if (!piece) add_records(batch);
  if (!system.constraints.equations.empty()) {
    programs.position = mechanics::position_program(of, q);
    if (!q.phi.empty()) batch.add(programs.position, dynamics.position);
    if (straight) programs.projection = mechanics::projection_program(of, q);
    if (straight && q.rule == mechanics::Rule::nonholonomic) batch.add(programs.projection, dynamics.projection);
  }
  if (!system.events.empty()) batch.add(mechanics::events_program(of, q), events);
  batch.compile(options, piece ? Lives::maybe_briefly : Lives::long_enough);
  dynamics.n = of.n();
  dynamics.r = of.r();
  dynamics.m = q.m();
  dynamics.positions = q.phi.size();
  dynamics.multipliers =
      q.rule == mechanics::Rule::vakonomic ? integrate::Multipliers::differential : integrate::Multipliers::algebraic;
  dynamics.laws = followed_laws.size();
  for (const auto& phi : q.phi)
    dynamics.position_uses_action = dynamics.position_uses_action || symbolic::depends_on(phi, system.z);
  dynamics.forces_use_velocity = depend_on_any(q.Phi_y.entries, system.w());
  std::vector<symbolic::Expr> sources;
  for (const auto& law : followed_laws) sources.push_back(law.source);
  dynamics.laws_use_multipliers = depend_on_any(sources, q.l);
  dynamics.names = state_names(of, q);
  dynamics.lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  dynamics.velocities = geometry::is_tangent(of.algebroid);
  dynamics.flow_has_laws = straight;
  compile_final_set();
  if (!piece) compile_sections();
}

void Simulator::Impl::add_records(KernelBatch& batch) {
  batch.add(mechanics::hessian_program(reduced, equations), hessian);
  programs.observables = mechanics::observables_program(mechanics::with_friction_columns(reduced), equations);
  programs.verification = mechanics::verification_program(reduced, equations, laws);
  batch.add(programs.observables, observables);
  batch.add(programs.verification, verification);
  if (!system.constraints.equations.empty()) batch.add(mechanics::constraints_program(system, equations), constraints);
  if (std::ranges::any_of(system.events, [](const auto& event) { return event.impact.has_value(); }))
    batch.add(mechanics::gap_sizes_program(followed_system(), followed_equations()), gap_sizes);
  if (!system.invariants.empty()) batch.add(invariants_program(reduced, equations), invariants);
}

void Simulator::Impl::compile_sections() {
  if (system.symmetries.empty() || !mechanics::has_jumps(system)) return;
  mechanics::System with = reduced;
  with.observables.clear();
  for (const auto& symmetry : system.symmetries)
    for (const auto& component : symmetry.section) with.observables.push_back({symmetry.name, component});
  sections = compile::compile(mechanics::observables_program(with, equations), options);
}

symbolic::Expr Simulator::Impl::without_redundant_multipliers(const symbolic::Expr& force) const {
  std::vector<symbolic::Expr> removed;
  for (const std::size_t k : redundant()) removed.push_back(system.constraints.multipliers[k]);
  const std::vector<symbolic::Expr> zeros(removed.size(), system.graph().number(std::int64_t{0}));
  return symbolic::substitute(symbolic::expand_lets(force), removed, zeros);
}

std::vector<mechanics::FrictionWork> Simulator::Impl::without_redundant_multipliers(
    std::vector<mechanics::FrictionWork> works) const {
  for (auto& work : works)
    for (auto& force : work.forces) force = without_redundant_multipliers(force);
  return works;
}

InitialState Simulator::Impl::without_redundant(const InitialState& initial) const {
  InitialState kept = initial;
  for (const std::size_t k : redundant()) {
    const auto it = kept.find(system.constraints.multipliers[k].name());
    if (it == kept.end()) continue;
    if (it->second != 0)
      throw Refused(
          fmt::format("{} = {} belongs to constraint {}, which follows from the others", it->first, it->second, k + 1),
          "give its part to theirs", it->first);
    kept.erase(it);
  }
  return kept;
}

std::vector<std::size_t> Simulator::Impl::redundant() const {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < system.constraints.equations.size(); ++k)
    if (std::find(independent.begin(), independent.end(), k) == independent.end()) result.push_back(k);
  return result;
}

std::string Simulator::Impl::place(const Start& start) const {
  return fmt::format("t = {:.6g}, {}", start.t0, describe(state_names(system, equations), start.state));
}

integrate::Reason Simulator::Impl::why_singular(const Start& start, const std::vector<double>& parameters) const {
  if (singular) return singular->why_not;
  const auto found = saddle_regularity(values_at(hessian, system, start, parameters), system.r(), equations.m());
  if (!found.hessian.finite) return fmt::format("the velocity Hessian is not a finite number at {}", place(start));
  if (found.regular) return {};
  if (const std::string at = singular_multipliers(start, parameters); !at.empty()) {
    return {fmt::format("singular velocity Hessian of L - nu Phi (rank {} of {}) at {}: it is regular for other "
                        "multipliers than {}",
                        found.hessian.rank, system.r(), place(start), at),
            "change them in [initial]"};
  }
  if (dynamics.differential() && !found.hessian.regular)
    return {fmt::format("singular velocity Hessian of L - nu Phi (rank {} of {}) at {}, on the velocities that the "
                        "constraints leave free",
                        found.hessian.rank, system.r(), place(start)),
            "let L depend on these (the controls) with a regular Hessian, or constrain them"};
  if (equations.m() == 0 || !found.hessian.regular) {
    return {
        fmt::format("singular velocity Hessian (rank {} of {}) at {}", found.hessian.rank, system.r(), place(start)),
        "the Lagrangian must be regular in every fibre coordinate"};
  }
  return {fmt::format("singular constraint matrix C_ab (rank {} of {}) at {}", found.rank, equations.m(), place(start)),
          "the constraints must restrict the velocities independently there"};
}

std::string Simulator::Impl::singular_multipliers(const Start& start, const std::vector<double>& parameters) const {
  if (!dynamics.differential()) return {};
  Start other = start;
  std::vector<std::string> multipliers;
  for (std::size_t i = system.n() + system.r() + 1; i < other.state.size(); ++i) {
    multipliers.push_back(fmt::format("{} = {:.6g}", names[i], other.state[i]));
    other.state[i] += 0.5 * (1 + std::abs(other.state[i]));
  }
  const auto found = saddle_regularity(values_at(hessian, system, other, parameters), system.r(), equations.m());
  return found.regular ? fmt::format("{}", fmt::join(multipliers, ", ")) : std::string{};
}

integrate::Reason Simulator::Impl::begin(Start& start, const InitialState& initial, const InitialState& next,
                                         const FirstStep& step, const std::vector<double>& parameters,
                                         std::vector<std::string>& notes) const {
  if (singular && start.momenta) return "a singular Lagrangian starts from velocities, which momenta do not determine";
  if (!next.empty()) {
    const bool exact = discrete && discrete::is_followed(*discrete) && step.h != 0;
    if (!step.dynamics.discrete && !exact)
      throw Refused(
          fmt::format("[initial.next] starts a discrete motion, which method {} does not follow", step.method),
          "choose discrete-herglotz and a step, or start from velocities or momenta", "[initial.next]");
    if (discrete && discrete::on_groupoid(*discrete))
      throw Refused("[initial.next] gives a second position, and this discrete Lagrangian is one on a groupoid",
                    "start from velocities or momenta", "[initial.next]");
    integrate::Reason why =
        exact ? find_exact_momenta(system, dynamics, initial, next, step.h, start, parameters)
              : find_momenta(system, step.dynamics.discrete, initial, next, step.h, start, parameters);
    if (!why.empty()) return why;
  }
  if (start.momenta) {
    integrate::Reason why = find_velocity(system, dynamics, hessian, start, parameters);
    if (!why.empty()) return why;
  }
  if (start.momenta || !next.empty()) notes.push_back(note_of(start, next));
  return {};
}

std::string Simulator::Impl::note_of(const Start& start, const InitialState& next) const {
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

void Simulator::Impl::require_truth(Start& start, const std::vector<double>& parameters, const Settings& settings,
                                    std::vector<std::string>& notes) const {
  const std::span<const double> base(start.state.data(), system.n());
  {
    const std::scoped_lock lock(mutex);
    std::vector<double> at;
    for (const std::size_t k : parameters_of_promises(system)) at.push_back(parameters[k]);
    if (!judged_promises || judged_promises->first != at)
      judged_promises = {std::move(at), broken_promise(system, parameters, base)};
    if (judged_promises->second) throw Refused(*judged_promises->second);
  }
  const auto off = off_invariant(invariants, system, start, parameters);
  if (!off) return;
  const std::string what = fmt::format("[initial] the start is off the invariant '{}': it is {:.6g}, not 0",
                                       system.invariants[off->index].name, off->value);
  if (!settings.project)
    throw Refused(what, "correct the start, or set project = true in [initial] to move it there", "[initial]");
  const std::vector<double> before(base.begin(), base.end());
  const std::string why = move_onto_invariants(invariants, system, settings.fixed, start, parameters);
  if (!why.empty()) throw Refused("[initial] " + why, "correct the start", "[initial]");
  notes.push_back(fmt::format("start moved onto the invariants ('{}' was {:.6g}): {}",
                              system.invariants[off->index].name, off->value, changes_of(names, before, start.state)));
}

integrate::Reason Simulator::Impl::settle(Start& start, const std::vector<double>& parameters, const Settings& settings,
                                          std::vector<std::string>& notes) const {
  if (equations.m() == 0) return {};
  const std::vector<std::string> fixed = settings.project ? settings.fixed : std::vector<std::string>{};
  const auto onto_constraints = [&](const Start& from) {
    return projected(
        reduced, equations, dynamics,
        [this]() -> const FixedProjectionKernels& {
          const std::scoped_lock lock(mutex);
          if (!fixed_projection) fixed_projection = fixed_projection_kernels(reduced, equations);
          return *fixed_projection;
        },
        fixed, from, parameters);
  };
  integrate::Projection found = onto_constraints(start);
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
  if (!settings.project) return {off, "give consistent initial values, or set project = true in [initial]"};
  if (found.status != integrate::Status::success)
    return {fmt::format("{}, and {}", off, found.reason.problem), found.reason.remedy};
  // Moves along the anchor keep invariants to first order only, and a start may lie far from its constraints.
  constexpr int most_rounds = 20;
  Start moved = start;
  moved.state = found.state;
  for (int round = 0; off_invariant(invariants, system, moved, parameters); ++round) {
    const std::string why = round == most_rounds ? "no start was found that also keeps the invariants"
                                                 : move_onto_invariants(invariants, system, fixed, moved, parameters);
    if (!why.empty()) return fmt::format("{}, and {}", off, why);
    found = onto_constraints(moved);
    if (found.status != integrate::Status::success)
      return {fmt::format("{}, and {}", off, found.reason.problem), found.reason.remedy};
    moved.state = found.state;
  }
  notes.push_back(
      fmt::format("start moved onto the constraints ({}): {}", off, changes_of(names, start.state, found.state)));
  start.state = found.state;
  return {};
}

RowMaker Simulator::Impl::row_maker(std::vector<double> parameters, const std::vector<std::string>& columns) const {
  std::vector<std::size_t> recorded;
  for (const std::size_t k : equations.equation) recorded.push_back(independent[k]);
  const auto make = [&](const mechanics::System& with, const kernel::Kernel& observed) {
    return RowMaker(with, laws, {balance, verification}, observed,
                    {constraints, recorded, follows_final_set() ? level_constraints : kernel::Kernel{}},
                    std::move(parameters));
  };
  const std::vector<std::string> wanted = columns_on_demand(system, columns);
  if (wanted.empty()) return make(recorded_system, observables);
  if (singular && std::find(wanted.begin(), wanted.end(), mechanics::volume_column) != wanted.end())
    throw Refused("volume_rate is the rate of volumes of regular Lagrangians", "leave the column out");
  const std::scoped_lock lock(mutex);
  auto it = on_demand.find(wanted);
  if (it == on_demand.end()) {
    mechanics::System with = recorded_system;
    mechanics::System with_reduced = mechanics::with_friction_columns(reduced);
    mechanics::begin_derivation(reduced, equations, laws);
    const auto values = values_on_demand(with_reduced, equations, wanted);
    for (std::size_t k = 0; k < wanted.size(); ++k)
      for (auto* of : {&with, &with_reduced}) of->observables.push_back({wanted[k], values[k]});
    auto program = mechanics::observables_program(with_reduced, equations);
    auto kernel = compile::compile(program, options);
    it = on_demand.emplace(wanted, OnDemand{std::move(with), std::move(program), std::move(kernel)}).first;
  }
  return make(it->second.system, it->second.kernel);
}

LaneRows::Kernels Simulator::Impl::wide_rows(const RowMaker& rows, int lanes,
                                             const std::vector<std::string>& columns) const {
  const std::scoped_lock lock(mutex);
  const auto it = on_demand.find(columns_on_demand(system, columns));
  LaneRows::Kernels kernels;
  kernels.lanes = lanes;
  KernelBatch batch;
  if (rows.remembers()) {
    batch.add(programs.balance, kernels.balance);
    batch.add(programs.verification, kernels.verification);
  }
  if (rows.keeps_observables())
    batch.add(it == on_demand.end() ? programs.observables : it->second.program, kernels.observables);
  auto how = options;
  how.lanes = lanes;
  batch.compile(how);
  return kernels;
}

}  // namespace herglotz::simulate
