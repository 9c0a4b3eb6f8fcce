#include "model/discrete_table.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/friction.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using discrete::ActionRule;
using discrete::DiscreteLagrangian;
using discrete::PositionRule;
using symbolic::Expr;

const std::vector<std::string> kRules{"left", "midpoint", "trapezoid", "galerkin", "exact"};
constexpr int most_degree = 15;
const std::vector<std::string> kActionRules{"left", "implicit"};

std::size_t index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

class DiscreteReader {
 public:
  DiscreteReader(Vocabulary& vocabulary, const Value& table, simulate::Problem& problem)
      : vocabulary_(vocabulary), source_(vocabulary.source()), table_(table), problem_(problem) {}

  void read() {
    for (const Member& member : table_.members) {
      if (std::find(kKeys.begin(), kKeys.end(), member.key) == kKeys.end())
        source_.unknown(member.place, "key", member.key, kKeys);
    }
    const Member* lagrangian = table_.find("lagrangian");
    const Member* rule = table_.find("rule");
    if (lagrangian == nullptr && rule == nullptr)
      source_.fail(table_.place, "[discrete] has neither 'lagrangian' nor 'rule'",
                   "give a discrete Lagrangian, or the rule that makes one: " + listing(kRules, " or "));
    if (lagrangian == nullptr) return read_rule(*rule);
    for (const Member& other : table_.members) {
      if (other.key != "lagrangian" && other.key != "forces")
        source_.fail(other.place, "both 'lagrangian' and " + in_quotes(other.key) + " are given",
                     "keep the discrete Lagrangian itself, or the rule that makes one");
    }
    read_lagrangian(lagrangian->value);
  }

 private:
  /// Runs the action, and turns a refusal, which speaks of the system, into an InputError at the table.
  template <class Action>
  auto at_table(const Action& action) const {
    try {
      return action();
    } catch (const Refused& reason) {
      source_.fail(table_.place, reason.problem(), reason.remedy().empty() ? "remove [discrete]" : reason.remedy());
    }
  }

  /// Claims the symbols of the table under their names, which must be free.
  DiscreteLagrangian claim_symbols() {
    const auto symbols = at_table([&] { return discrete::discrete_symbols(problem_.system); });
    const auto claim = [&](const Expr& symbol, const std::string& what, std::string_view coordinate) {
      vocabulary_.claim_fixed(std::string(symbol.name()), what, uses::discrete, coordinate, table_.place);
    };
    const auto& x = problem_.system.algebroid.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      claim(symbols.q0[i], "first position of " + in_quotes(x[i].name()), x[i].name());
      claim(symbols.q1[i], "second position of " + in_quotes(x[i].name()), x[i].name());
    }
    const auto& y = problem_.system.algebroid.y;
    const auto eta = discrete::arrow_of(symbols);
    for (std::size_t a = 0; a < eta.size(); ++a)
      claim(eta[a], "component of the arrow along " + in_quotes(y[a].name()), y[a].name());
    claim(symbols.z0, "first action", problem_.system.z.name());
    claim(symbols.z1, "second action", problem_.system.z.name());
    claim(symbols.t0, "first time", problem_.system.t.name());
    claim(symbols.h, "step", "h");
    return symbols;
  }

  void read_lagrangian(const Value& value) {
    DiscreteLagrangian symbols = claim_symbols();
    const auto eta = discrete::arrow_of(symbols);
    const std::string positions =
        symbols.q0.empty() ? ""
                           : "positions " + named(symbols.q0) + " and " + named(discrete::target_of(symbols)) + ", ";
    const std::string arrow = eta.empty() ? "" : "the arrow " + named(eta) + ", ";
    const std::string rule = "use " + positions + arrow + "the action " + std::string(symbols.z0.name()) + " (and " +
                             std::string(symbols.z1.name()) + "), the time " + std::string(symbols.t0.name()) +
                             ", the step h, parameters and definitions of these";
    const auto read = [&](const Value& text, std::string_view of) {
      return vocabulary_.expression(text, {of, uses::parameter | uses::discrete, rule});
    };
    symbols.ell = read(value, "the discrete Lagrangian");
    require_ends(symbols, value);
    if (const Member* forces = table_.find("forces")) {
      source_.expect(forces->value, Kind::table, "'forces'");
      for (const Member& end : forces->value.members) {
        if (end.key != "minus" && end.key != "plus") source_.unknown(end.place, "key", end.key, {"minus", "plus"});
        source_.expect(end.value, Kind::table, in_quotes(end.key));
        std::vector<Expr>& components = end.key == "minus" ? symbols.minus : symbols.plus;
        for (const Member& member : end.value.members)
          components[fibre_index(member)] = read(member.value, "a discrete force");
      }
    }
    at_table([&] { discrete::require_matching_forces(problem_.system, symbols); });
    problem_.discrete = std::move(symbols);
  }

  /// Requires that both ends of a step are in the discrete Lagrangian: two positions, or an arrow.
  void require_ends(const DiscreteLagrangian& symbols, const Value& value) const {
    const auto uses = [&](const std::vector<Expr>& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const Expr& one) { return symbolic::depends_on(symbols.ell, one); });
    };
    if (discrete::on_groupoid(symbols)) {
      const std::string arrow = named(discrete::arrow_of(symbols));
      if (!uses(symbols.q1))
        source_.fail(value.place, "the discrete Lagrangian does not depend on " + arrow,
                     "it is a function of arrows, e to the power " + arrow);
      return;
    }
    for (const auto* positions : {&symbols.q0, &symbols.q1})
      if (!uses(*positions))
        source_.fail(value.place, "the discrete Lagrangian does not depend on " + named(*positions),
                     "it is a function of two positions " + named(symbols.q0) + " and " + named(symbols.q1));
  }

  [[nodiscard]] std::size_t fibre_index(const Member& member) const {
    std::vector<std::string> fibre;
    for (const Expr& y : problem_.system.algebroid.y) fibre.emplace_back(y.name());
    const std::size_t index = index_of(fibre, member.key);
    if (index == fibre.size()) source_.unknown(member.place, "fibre coordinate", member.key, fibre);
    return index;
  }

  static std::string named(const std::vector<Expr>& symbols) {
    std::vector<std::string> names;
    for (const Expr& symbol : symbols) names.emplace_back(symbol.name());
    return listing(names);
  }

  [[nodiscard]] const std::string& choice(const Member& member, const std::vector<std::string>& known) const {
    source_.expect(member.value, Kind::string, in_quotes(member.key));
    const std::string& name = member.value.text;
    if (std::find(known.begin(), known.end(), name) == known.end())
      source_.unknown(member.value.place, member.key == "rule" ? "rule" : "action rule", name, known);
    return name;
  }

  void read_rule(const Member& rule) {
    const std::string& name = choice(rule, kRules);
    if (problem_.system.formulation == mechanics::Formulation::hamiltonian)
      source_.fail(rule.place, "a rule makes a discrete Lagrangian of a Lagrangian, and the model has a Hamiltonian",
                   "give the discrete Lagrangian itself: lagrangian = \"...\"");
    if (const Member* forces = table_.find("forces"))
      source_.fail(forces->place, "a rule makes discrete forces of those of [dynamics], and 'forces' gives others",
                   "remove it, or give the discrete Lagrangian itself: lagrangian = \"...\"");
    if (name == "galerkin") return read_galerkin();
    if (name == "exact") {
      if (const Member* action = table_.find("action_rule"))
        source_.fail(action->place, "'action_rule' has no place in rule = \"exact\", which follows the motion",
                     "remove it");
    }
    for (const auto* key : {"degree", "quadrature"}) {
      if (const Member* member = table_.find(key))
        source_.fail(member->place,
                     in_quotes(key) + " belongs to rule = \"galerkin\", and the rule is " + in_quotes(name),
                     "remove it, or choose that rule");
    }
    if (name == "exact") return read_exact();
    const Member* action = table_.find("action_rule");
    const std::string action_name = action == nullptr ? "implicit" : choice(*action, kActionRules);
    claim_symbols();
    problem_.discrete = at_table([&] {
      return discrete::discretise(problem_.system, static_cast<PositionRule>(index_of(kRules, name)),
                                  static_cast<ActionRule>(index_of(kActionRules, action_name)));
    });
  }

  void require_unconstrained(const std::string& rule) const {
    if (!problem_.system.constraints.equations.empty())
      source_.fail(table_.place,
                   "rule = " + in_quotes(rule) + " honours no constraints, and the model has [constraints]",
                   "remove [discrete]");
  }

  /// Takes the formula of the exact discrete Lagrangian if there is one. Otherwise the motion itself is followed over
  /// every step.
  void read_exact() {
    if (const Member* action = table_.find("action_rule"))
      source_.fail(action->place,
                   "'action_rule' has no place in rule = \"exact\", which takes the action of the motion", "remove it");
    require_unconstrained("exact");
    if (geometry::is_tangent(problem_.system.algebroid)) {
      claim_symbols();
      problem_.discrete = at_table([&] { return discrete::exact_in_closed_form(problem_.system); });
    }
    if (!problem_.discrete) problem_.discrete = discrete::exact_by_motion(problem_.system);
  }

  /// Reads the degree of the polynomials and the quadrature, whose default is Gauss with one node more than the degree.
  void read_galerkin() {
    if (const Member* action = table_.find("action_rule"))
      source_.fail(action->place,
                   "'action_rule' has no place in rule = \"galerkin\", whose quadrature follows the action",
                   "remove it");
    if (!geometry::is_tangent(problem_.system.algebroid))
      source_.fail(table_.place, "rule = \"galerkin\" needs fibre coordinates that are the velocities of the base",
                   "choose kind = \"tangent\", or remove [discrete]");
    require_unconstrained("galerkin");
    const Member* degree = table_.find("degree");
    if (degree == nullptr)
      source_.fail(table_.place, "rule = \"galerkin\" needs the degree of its polynomials", "add degree = 2");
    source_.expect(degree->value, Kind::integer, "'degree'");
    const double value = degree->value.number;
    if (!(value >= 1 && value <= most_degree))
      source_.fail(degree->value.place,
                   "a degree of " + std::to_string(static_cast<long long>(value)) + " is out of range",
                   "choose 1 to " + std::to_string(most_degree));
    const auto s = static_cast<std::size_t>(value);
    const Member* quadrature = table_.find("quadrature");
    if (quadrature != nullptr) source_.expect(quadrature->value, Kind::string, "'quadrature'");
    const std::string name = quadrature == nullptr ? "gauss-" + std::to_string(s + 1) : quadrature->value.text;
    try {
      problem_.settings.galerkin = integrate::galerkin_rule(s, name);
    } catch (const Refused& reason) {
      source_.fail((quadrature == nullptr ? degree : quadrature)->value.place, reason.problem(), reason.remedy());
    }
  }

  static inline const std::vector<std::string> kKeys{"lagrangian",  "forces", "rule",
                                                     "action_rule", "degree", "quadrature"};

  Vocabulary& vocabulary_;
  const Source& source_;
  const Value& table_;
  simulate::Problem& problem_;
};

}  // namespace

void read_discrete_table(Vocabulary& vocabulary, const Value& table, simulate::Problem& problem) {
  try {
    mechanics::require_no_friction(problem.system, "discrete motions");
  } catch (const Refused& reason) {
    vocabulary.source().fail(table.place, reason.problem(), "remove [discrete] or [friction]");
  }
  DiscreteReader(vocabulary, table, problem).read();
}

}  // namespace herglotz::io
