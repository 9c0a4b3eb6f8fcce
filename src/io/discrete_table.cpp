#include "discrete_table.hpp"

#include <algorithm>
#include <optional>

#include "herglotz/symbolic/derivative.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using discrete::ActionRule;
using discrete::DiscreteLagrangian;
using discrete::PositionRule;
using symbolic::Expr;

const std::vector<std::string> kRules{"left", "midpoint", "trapezoid"};
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
      if (other.key != "lagrangian")
        source_.fail(other.place, "both 'lagrangian' and " + in_quotes(other.key) + " are given",
                     "keep the discrete Lagrangian itself, or the rule that makes one");
    }
    read_lagrangian(lagrangian->value);
  }

 private:
  /// What refuses a system speaks of it, at the table.
  template <class Action>
  auto at_table(const Action& action) const {
    try {
      return action();
    } catch (const std::invalid_argument& reason) {
      const std::string what = reason.what();
      const std::size_t cut = what.find("; ");
      source_.fail(table_.place, what.substr(0, cut),
                   cut == std::string::npos ? "remove [discrete]" : what.substr(cut + 2));
    }
  }

  /// The symbols of the table under their names, which nothing else may have.
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
    claim(symbols.z0, "first action", problem_.system.z.name());
    claim(symbols.z1, "second action", problem_.system.z.name());
    claim(symbols.t0, "first time", problem_.system.t.name());
    claim(symbols.h, "step", "h");
    return symbols;
  }

  void read_lagrangian(const Value& value) {
    DiscreteLagrangian symbols = claim_symbols();
    const std::string rule = "use positions " + named(symbols.q0) + " and " + named(symbols.q1) + ", the action " +
                             std::string(symbols.z0.name()) + " (and " + std::string(symbols.z1.name()) +
                             "), the time " + std::string(symbols.t0.name()) +
                             ", the step h, parameters and definitions of these";
    symbols.ell = vocabulary_.expression(value, {"the discrete Lagrangian", uses::parameter | uses::discrete, rule});
    for (const auto* positions : {&symbols.q0, &symbols.q1}) {
      const bool used = std::any_of(positions->begin(), positions->end(),
                                    [&](const Expr& q) { return symbolic::depends_on(symbols.ell, q); });
      if (!used)
        source_.fail(value.place, "the discrete Lagrangian does not depend on " + named(*positions),
                     "it is a function of two positions " + named(symbols.q0) + " and " + named(symbols.q1));
    }
    problem_.discrete = std::move(symbols);
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
    const Member* action = table_.find("action_rule");
    const std::string action_name = action == nullptr ? "implicit" : choice(*action, kActionRules);
    claim_symbols();
    problem_.discrete = at_table([&] {
      return discrete::discretise(problem_.system, static_cast<PositionRule>(index_of(kRules, name)),
                                  static_cast<ActionRule>(index_of(kActionRules, action_name)));
    });
  }

  static inline const std::vector<std::string> kKeys{"lagrangian", "rule", "action_rule"};

  Vocabulary& vocabulary_;
  const Source& source_;
  const Value& table_;
  simulate::Problem& problem_;
};

}  // namespace

void read_discrete_table(Vocabulary& vocabulary, const Value& table, simulate::Problem& problem) {
  DiscreteReader(vocabulary, table, problem).read();
}

}  // namespace herglotz::io
