#include "units/units_table.hpp"

#include <map>
#include <optional>

#include "herglotz/error.hpp"
#include "herglotz/simulate/related.hpp"
#include "herglotz/symbolic/names.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/table.hpp"
#include "quote.hpp"
#include "units/unit.hpp"

namespace herglotz::io {
namespace {

using symbolic::Expr;
using symbolic::Op;
using Known = std::optional<Unit>;  // std::nullopt if a unit is not known

/// Returns the fibre coordinate that is the velocity of base coordinate i, or `std::nullopt` if none is.
std::optional<std::size_t> velocity_of(const geometry::Algebroid& e, std::size_t i) {
  std::optional<std::size_t> found;
  for (std::size_t a = 0; a < e.r(); ++a) {
    if (e.rho(i, a).is_zero()) continue;
    if (found || !e.rho(i, a).is_one()) return std::nullopt;
    found = a;
  }
  return found;
}

class UnitCheck {
 public:
  /// Names in `units` that the system does not have are left out if `all_known` is true: it is made of a system that
  /// had them.
  UnitCheck(const Source& source, const Value& document, const Value& units, const mechanics::System& system,
            const std::vector<Expr>& controls, bool all_known = false)
      : source_(source), document_(document), system_(system) {
    read(units, controls, all_known);
    if (!given_.contains(time())) given_[time()] = parse_unit("s");
    const auto& e = system.algebroid;
    for (std::size_t i = 0; i < e.n(); ++i)
      if (const auto a = velocity_of(e, i))
        if (const auto x = given_.find(std::string(e.x[i].name())); x != given_.end())
          given_.emplace(std::string(e.y[*a].name()), x->second * power(given_.at(time()), -1));
  }

  void check() {
    check_generator();
    for (std::size_t a = 0; a < system_.r(); ++a) {
      const std::string name(system_.algebroid.y[a].name());
      const auto& forces = system_.frictions.empty() ? system_.forces : system_.smooth_forces;
      require(forces[a], per(known("p_" + name), time()), "the force on " + in_quotes(name),
              place("dynamics", "forces"));
    }
    for (const auto& friction : system_.frictions) {
      const Known velocity = unit_of(friction.on, "the velocity of the friction " + in_quotes(friction.name),
                                     place("friction", friction.name));
      const Known energy = known(std::string(system_.energy.name()));
      const Known force = energy && velocity ? Known(*energy * power(*velocity * given_.at(time()), -1)) : std::nullopt;
      require(friction.held, force, "the static force of the friction " + in_quotes(friction.name),
              place("friction", friction.name));
      require(friction.slid, force, "the kinetic force of the friction " + in_quotes(friction.name),
              place("friction", friction.name));
    }
    for (std::size_t k = 0; k < system_.constraints.equations.size(); ++k)
      unit_of(system_.constraints.equations[k], "constraint " + std::to_string(k + 1),
              place("constraints", "equations"));
    for (const auto& one : system_.symmetries) check(one);
    for (const auto& one : system_.dissipated)
      unit_of(one.value, "the function " + in_quotes(one.name), place("dissipated", one.name));
    for (const auto& one : system_.observables)
      require(one.value, known(one.name), "the observable " + in_quotes(one.name), place("observables", one.name));
    for (const auto& one : system_.invariants)
      unit_of(one.value, "the invariant " + in_quotes(one.name), place("invariants", one.name));
    for (const auto& event : system_.events) check(event);
  }

  /// Checks the expressions of a start, [initial.next] and the first samples of [sampled] included.
  void check(const simulate::StartExpressions& starts) {
    check_generator();
    constexpr std::string_view next = "next.";
    for (const auto& start : starts.list()) {
      const bool second = start.name.starts_with(next);
      const std::string name = second ? start.name.substr(next.size()) : start.name;
      if (counts_samples(name)) continue;
      Place at = place("initial", second ? "next" : name);
      if (const Member* sampled = document_.find("sampled"); sampled != nullptr && !second)
        if (const Member* entry = sampled->value.find(name); entry != nullptr) at = entry->value.place;
      require(start.value, known(name), "the initial value of " + in_quotes(name), at);
    }
  }

  void check(const discrete::DiscreteLagrangian& discrete) {
    check_generator();
    for (std::size_t i = 0; i < discrete.q0.size(); ++i)
      for (const Expr& end : {discrete.q0[i], discrete.q1[i]}) give_as(end, system_.algebroid.x[i]);
    for (const Expr& end : {discrete.z0, discrete.z1}) give_as(end, system_.z);
    for (const Expr& one : {discrete.t0, discrete.h}) give_as(one, system_.t);
    require(discrete.ell, known(std::string(system_.z.name())), "the discrete Lagrangian",
            place("discrete", "lagrangian"));
    for (std::size_t i = 0; i < discrete.minus.size(); ++i)
      for (const Expr& force : {discrete.minus[i], discrete.plus[i]}) {
        const std::string name(system_.algebroid.y[i].name());
        require(force, known("p_" + name), "the discrete force on " + in_quotes(name), place("discrete", "forces"));
      }
  }

  void check(const control::Problem& problem) {
    if (problem.kind != control::Kind::kinematic) check_generator();
    give_as(problem.boundary.duration_symbol, system_.t);
    for (std::size_t a = 0; a < problem.kinematics.size(); ++a) {
      const std::string name(system_.algebroid.y[a].name());
      require(problem.kinematics[a], known(name), "the kinematics of " + in_quotes(name),
              place("control", "kinematics"));
    }
    for (std::size_t k = 0; k < problem.path.size(); ++k)
      unit_of(problem.path[k], "path inequality " + std::to_string(k + 1), place("control", "path"));
    for (std::size_t k = 0; k < problem.bounds.size(); ++k)
      for (const auto& bound : {problem.bounds[k].lower, problem.bounds[k].upper})
        require_value(bound, std::string(problem.controls[k].name()), "a bound of ", place("control", "bounds"));
    if (problem.kind != control::Kind::two_point) check_cost(problem.cost);
    check_ends(problem);
  }

 private:
  void check_generator() {
    const bool lagrangian = system_.formulation == mechanics::Formulation::lagrangian;
    const Place at = place("dynamics", lagrangian ? "lagrangian" : "hamiltonian");
    const std::string what = lagrangian ? "the Lagrangian" : "the Hamiltonian";
    if (!system_.generator.valid()) return;
    derive(unit_of(system_.generator, what, at));
    unit_of(system_.generator, what, at);
  }

  /// Checks that the components of a section are a velocity times one unit. Components that are 0 fit any unit.
  void check(const mechanics::Symmetry& symmetry) {
    const Place at = place("symmetries", symmetry.name);
    Known parameter;
    std::string first;
    for (std::size_t a = 0; a < symmetry.section.size(); ++a) {
      const Expr& component = symmetry.section[a];
      const std::string velocity(system_.algebroid.y[a].name());
      const Known unit = per(unit_of(component, "the symmetry " + in_quotes(symmetry.name), at), velocity);
      if (component.is_zero() || !unit) continue;
      if (!parameter) {
        parameter = unit;
        first = velocity;
      } else if (!(*parameter == *unit)) {
        source_.fail(at,
                     "the symmetry " + in_quotes(symmetry.name) + " has components on " + in_quotes(first) + " and " +
                         in_quotes(velocity) + " that are those of no velocity: their ratios to them are in " +
                         text_of(*parameter) + " and in " + text_of(*unit),
                     "correct one by a quantity with a unit, or the entries of [units]");
      }
    }
  }

  void check_cost(const control::Cost& cost) {
    const Known running = unit_of(cost.running, "the running cost", place("cost", "running"));
    const Known whole = running && !cost.running.is_zero() ? Known(*running * given_.at(time())) : std::nullopt;
    if (whole) given_.emplace(std::string(cost.action.name()), *whole);
    units_.clear();
    unit_of(cost.running, "the running cost", place("cost", "running"));
    require(cost.terminal, whole, "the terminal cost", place("cost", "terminal"));
  }

  void check_ends(const control::Problem& problem) {
    for (const std::string& state : control::end_names(problem))
      if (const Known unit = known(state)) {
        given_[control::initial_name(state)] = *unit;
        given_[control::final_name(state)] = *unit;
      }
    units_.clear();
    for (const auto& [state, value] : problem.boundary.initial)
      require_value(value, state, "the start of ", place("initial", state));
    for (const auto& [state, value] : problem.boundary.final)
      require_value(value, state, "the end of ", place("boundary", "final"));
    for (const auto& value : {problem.boundary.duration, problem.boundary.shortest, problem.boundary.longest})
      require_value(value, time(), "the duration, as a value of ", place("boundary", "duration"));
    for (std::size_t k = 0; k < problem.boundary.conditions.size(); ++k)
      unit_of(problem.boundary.conditions[k], "condition " + std::to_string(k + 1), place("boundary", "conditions"));
  }

  /// Checks a value of a name unless it is a number.
  void require_value(const std::optional<Expr>& value, const std::string& name, const std::string& what, Place place) {
    if (value && !value->is_number()) require(*value, known(name), what + in_quotes(name), place);
  }

  /// Gives a symbol the unit of another one, if that is known.
  void give_as(const Expr& symbol, const Expr& other) {
    if (const Known unit = known(std::string(other.name()))) given_[std::string(symbol.name())] = *unit;
  }

  /// Returns whether a name is the count of the samples of a value, which divides time by an interval.
  [[nodiscard]] bool counts_samples(const std::string& name) const {
    constexpr std::string_view prefix = "samples_";
    const Member* sampled = document_.find("sampled");
    return sampled != nullptr && name.starts_with(prefix) && sampled->value.find(name.substr(prefix.size())) != nullptr;
  }

  /// Returns the unit divided by that of a name, if both are known.
  [[nodiscard]] Known per(const Known& unit, const std::string& name) const {
    const Known other = known(name);
    return unit && other ? Known(*unit * power(*other, -1)) : std::nullopt;
  }

  void read(const Value& units, const std::vector<Expr>& controls, bool all_known) {
    std::vector<std::string> names{std::string(system_.z.name()), time()};
    for (const auto* list : {&system_.algebroid.x, &system_.algebroid.y, &system_.p, &system_.definitions, &controls})
      for (const Expr& symbol : *list) names.emplace_back(symbol.name());
    for (const auto& parameter : system_.parameters) names.emplace_back(parameter.symbol.name());
    for (const auto& table : system_.graph().tables()) names.push_back(table->name);
    for (const auto& one : system_.observables) names.push_back(one.name);
    for (const Member& member : units.members) {
      const std::string name = symbolic::with_plain_greek(member.key);
      if (!all_known && std::find(names.begin(), names.end(), name) == names.end())
        source_.unknown(member.place, "name in [units]", member.key, names);
      source_.expect(member.value, Kind::string, "the unit of " + in_quotes(member.key));
      try {
        given_[name] = parse_unit(member.value.text);
      } catch (const Refused& refused) {
        source_.fail(member.value.place, refused.problem(), refused.remedy());
      }
    }
  }

  /// Derives the units of the energy, the momenta and the action from that of the Lagrangian or Hamiltonian.
  void derive(const Known& energy) {
    if (!energy) return;
    units_.clear();
    given_.emplace(std::string(system_.energy.name()), *energy);
    given_.emplace(std::string(system_.z.name()), *energy * given_.at(time()));
    for (std::size_t a = 0; a < system_.r(); ++a)
      if (const Known velocity = known(std::string(system_.algebroid.y[a].name())))
        given_.emplace(std::string(system_.p[a].name()), *energy * power(*velocity, -1));
  }

  void check(const mechanics::Event& event) {
    const std::string name = in_quotes(event.name);
    if (event.name == "sampled" && document_.find("sampled") != nullptr) {
      check_samples(event);
      return;
    }
    const Place at = place(event.impact ? "impacts" : "events", event.name);
    unit_of(event.value, (event.impact ? "the gap of " : "the event ") + name, at);
    for (const auto& reset : event.resets)
      require(reset.value, known(reset.entry), "the value that " + name + " gives " + in_quotes(reset.entry), at);
    if (!event.impact) return;
    require(event.impact->restitution, Unit{}, "the restitution of " + name, at);
    require(event.impact->friction, Unit{}, "the friction of " + name, at);
  }

  /// Checks the values and the intervals of [sampled]. An interval that is a number is one of time, which the function
  /// of the event and the conditions of several clocks do not tell.
  void check_samples(const mechanics::Event& event) {
    const symbolic::Scope scope = simulate::phase_scope(system_);
    std::vector<Expr> intervals;
    for (const Member& entry : document_.find("sampled")->value.members) {
      const Value& text = entry.value.find("every")->value;
      intervals.push_back(text.is_number()
                              ? system_.graph().number(text.number)
                              : symbolic::parse(system_.graph(), symbolic::with_plain_greek(text.text), scope));
      if (!intervals.back().is_number())
        require(intervals.back(), known(time()), "[sampled] " + entry.key + " every", text.place);
    }
    const bool one_clock = std::all_of(intervals.begin(), intervals.end(),
                                       [&](const Expr& one) { return one.id() == intervals.front().id(); });
    for (const auto& reset : event.resets) {
      const Expr& value = reset.value;
      const bool waits = !one_clock && value.op() == Op::select && value.child(2).op() == Op::symbol &&
                         value.child(2).name() == reset.entry;
      require(waits ? value.child(3) : value, known(reset.entry),
              "the value that 'sampled' gives " + in_quotes(reset.entry), place("sampled", reset.entry));
    }
  }

  [[nodiscard]] std::string time() const { return std::string(system_.t.name()); }
  [[nodiscard]] Known known(const std::string& name) const {
    const auto it = given_.find(name);
    return it == given_.end() ? std::nullopt : Known(it->second);
  }
  [[nodiscard]] Place place(std::string_view table, std::string_view key) const {
    const Member* found = document_.find(table);
    if (found == nullptr) return document_.find("units")->place;
    const Member* member = found->value.find(key);
    return member == nullptr ? found->place : member->value.place;
  }

  void require(const Expr& f, const Known& unit, const std::string& what, Place place) {
    const Known found = unit_of(f, what, place);
    if (found && unit && !f.is_zero() && !(*found == *unit))
      source_.fail(place, what + " is in " + text_of(*found) + ", not in " + text_of(*unit),
                   "correct it, or the entries of [units]");
  }

  /// Returns the unit of an expression. Throws InputError, with `what` as its name, if it adds different units.
  Known unit_of(const Expr& f, const std::string& what, Place place) {
    std::vector<Expr> open{f};
    while (!open.empty()) {
      const Expr at = open.back();
      if (units_.contains(at.id())) {
        open.pop_back();
        continue;
      }
      bool ready = true;
      const std::size_t children = at.op() == Op::table ? 1 : at.arity();
      for (std::size_t i = 0; i < children; ++i)
        if (!units_.contains(at.child(i).id())) {
          open.push_back(at.child(i));
          ready = false;
        }
      if (!ready) continue;
      units_[at.id()] = made(at, what, place);
      open.pop_back();
    }
    return units_.at(f.id());
  }

  /// Returns the unit of a node whose children have their units.
  Known made(const Expr& f, const std::string& what, Place place) {
    const auto child = [&](std::size_t i) { return units_.at(f.child(i).id()); };
    switch (f.op()) {
      case Op::rational:
      case Op::real:
        return Unit{};
      case Op::symbol:
        return known(std::string(f.name()));
      case Op::table: {
        const Known unit = known(std::string(f.name()));
        return unit ? Known(*unit * power(given_.at(time()), -symbolic::table_order(f))) : std::nullopt;
      }
      case Op::let: {
        const Known unit = known(std::string(f.name()));
        if (unit && child(0) && !(*unit == *child(0)))
          source_.fail(
              place,
              "the definition " + in_quotes(f.name()) + " is in " + text_of(*child(0)) + ", not in " + text_of(*unit),
              "correct it, or the entries of [units]");
        return unit ? unit : child(0);
      }
      case Op::add:
        return common(f, 0, f.arity(), what, place);
      case Op::mul: {
        Unit product;
        for (std::size_t i = 0; i < f.arity(); ++i) {
          if (!child(i)) return std::nullopt;
          product = product * *child(i);
        }
        return product;
      }
      case Op::pow:
        if (f.child(1).is_number()) return child(0) ? Known(power(*child(0), f.child(1).value())) : std::nullopt;
        pure(f, what, place);
        return child(0) ? Known(Unit{}) : std::nullopt;
      case Op::abs:
        return child(0);
      case Op::sign:
        return Unit{};
      case Op::atan2:
        common(f, 0, 2, what, place);
        return Unit{};
      case Op::select:
        common(f, 0, 2, what, place);
        return common(f, 2, 4, what, place);
      default:
        pure(f, what, place);
        return Unit{};
    }
  }

  /// Returns the unit that some children have in common; 0 has any unit.
  Known common(const Expr& f, std::size_t begin, std::size_t end, const std::string& what, Place place) {
    std::optional<std::size_t> first;
    for (std::size_t i = begin; i < end; ++i) {
      const Known& unit = units_.at(f.child(i).id());
      if (!unit || f.child(i).is_zero()) continue;
      if (!first) {
        first = i;
      } else if (const Unit& other = *units_.at(f.child(*first).id()); !(other == *unit)) {
        source_.fail(place,
                     what + " adds or compares " + in_quotes(symbolic::print(f.child(*first))) + ", " + text_of(other) +
                         ", and " + in_quotes(symbolic::print(f.child(i))) + ", " + text_of(*unit),
                     "give its terms one unit, or correct [units]");
      }
    }
    return first ? units_.at(f.child(*first).id()) : std::nullopt;
  }

  /// Throws InputError if an argument of a function is known not to be a pure number.
  void pure(const Expr& f, const std::string& what, Place place) {
    for (std::size_t i = 0; i < f.arity(); ++i)
      if (const Known& unit = units_.at(f.child(i).id()); unit && !(*unit == Unit{}))
        source_.fail(place,
                     what + " has " + in_quotes(symbolic::print(f)) + " of " + in_quotes(symbolic::print(f.child(i))) +
                         ", which is in " + text_of(*unit),
                     "divide it by a quantity of that unit, or correct [units]");
  }

  const Source& source_;
  const Value& document_;
  const mechanics::System& system_;
  std::map<std::string, Unit> given_;
  std::map<symbolic::NodeId, Known> units_;
};

}  // namespace

void check_units(const Source& source, const Value& document, const mechanics::System& system,
                 const std::vector<Expr>& controls) {
  const Member* units = document.find("units");
  if (units != nullptr) UnitCheck(source, document, units->value, system, controls).check();
}

void check_units(const Source& source, const Value& document, const simulate::Problem& problem) {
  const Member* units = document.find("units");
  if (units == nullptr) return;
  UnitCheck check(source, document, units->value, problem.system, {}, true);
  const Member* table = document.find("discrete");
  if (problem.discrete && table->value.find("lagrangian") != nullptr) check.check(*problem.discrete);
  check.check(problem.expressions);
}

void check_units(const Source& source, const Value& document, const control::Problem& problem) {
  const Member* units = document.find("units");
  if (units != nullptr) UnitCheck(source, document, units->value, problem.system, problem.controls).check(problem);
}

}  // namespace herglotz::io
