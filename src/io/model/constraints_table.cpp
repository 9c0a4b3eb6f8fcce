#include "model/constraints_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "model/inputs_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using mechanics::System;
using symbolic::Expr;

/// Largest number of operators and operands of two rows that are multiplied out.
constexpr std::size_t longest = 600;

/// Returns the fraction with the smallest denominator below 1000 that equals a number up to rounding, or 0/1 if there
/// is none.
std::pair<std::int64_t, std::int64_t> fraction(double number) {
  for (std::int64_t below = 1; below < 1000; ++below) {
    const double above = std::round(number * static_cast<double>(below));
    if (std::abs(above) < 1e6 && std::abs(number * static_cast<double>(below) - above) <= 1e-9 * std::abs(above))
      return {static_cast<std::int64_t>(above), below};
  }
  return {0, 1};
}

/// Returns a sum with every term multiplied by `factor`.
Expr multiple(Expr f, std::int64_t factor) {
  const Expr number = f.graph().number(factor);
  if (f.op() != symbolic::Op::add) return f * number;
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < f.arity(); ++i) terms.push_back(f.child(i) * number);
  return symbolic::sum(terms);
}

/// Returns whether no factor of a term is a sum or a power of a sum. `expand` keeps products that would have too many
/// terms.
bool is_multiplied_out(Expr f) {
  using symbolic::Op;
  const auto plain = [](Expr factor) {
    return factor.op() != Op::add && (factor.op() != Op::pow || factor.child(0).op() == Op::symbol);
  };
  const auto plain_term = [&](Expr term) {
    if (term.op() != Op::mul) return plain(term);
    for (std::size_t i = 0; i < term.arity(); ++i)
      if (!plain(term.child(i))) return false;
    return true;
  };
  if (f.op() != Op::add) return plain_term(f);
  for (std::size_t i = 0; i < f.arity(); ++i)
    if (!plain_term(f.child(i))) return false;
  return true;
}

/// Equations with their places and the forms in which they are compared.
class Equations {
 public:
  Equations(const Source& source, const System& system, std::vector<const Value*> places, const std::vector<Expr>& rows)
      : source_(source), system_(system), places_(std::move(places)) {
    for (const Expr& row : rows) {
      const Expr open = symbolic::expand_lets(row);
      const bool is_long = symbolic::printed_size(open) > longest;
      expanded_.push_back(is_long ? open : symbolic::expand(open));
      rows_.push_back(is_long ? open : symbolic::simplify(expanded_.back()));
    }
    state_ = system.algebroid.x;
    state_.insert(state_.end(), system.w().begin(), system.w().end());
    state_.push_back(system.z);
  }

  void check() {
    for (std::size_t k = 0; k < rows_.size(); ++k) check_content(k);
    sample();
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      for (std::size_t earlier = 0; earlier < k; ++earlier) {
        if (!repeats(k, earlier)) continue;
        fail(k, "equation " + std::to_string(k + 1) + " repeats equation " + std::to_string(earlier + 1),
             "keep one of them");
      }
    }
    check_count();
  }

 private:
  [[noreturn]] void fail(std::size_t k, const std::string& what, const std::string& remedy) const {
    source_.fail(places_[k]->place, what, remedy);
  }

  void check_content(std::size_t k) const {
    const std::string number = "equation " + std::to_string(k + 1);
    if (rows_[k].is_zero()) fail(k, number + " is 0 = 0: it holds for every state", "correct or remove it");
    const auto used = [&](const Expr& symbol) { return symbolic::depends_on(rows_[k], symbol); };
    if (std::any_of(state_.begin(), state_.end(), used)) return;
    fail(k, number + " restricts nothing: no coordinate of the state is in it",
         system_.formulation == mechanics::Formulation::lagrangian
             ? "use base or fibre coordinates or the action"
             : "use base coordinates, momenta p_<fibre> or the action");
  }

  /// Computes the values of all rows at a few states.
  void sample() {
    std::vector<Expr> symbols = state_;
    symbols.push_back(system_.t);
    for (const auto& parameter : system_.parameters) symbols.push_back(parameter.symbol);
    std::mt19937_64 random(1);
    for (int point = 0; point < 3; ++point) {
      std::vector<double> values;
      while (values.size() <= state_.size()) values.push_back(0.3 + std::ldexp(static_cast<double>(random()), -64));
      for (const auto& parameter : system_.parameters) values.push_back(parameter.value);
      samples_.push_back(symbolic::evaluate(rows_, symbols, values));
    }
  }

  /// Returns whether the quotient of two rows is the same at all samples. This excludes most pairs at little cost.
  [[nodiscard]] bool may_repeat(std::size_t k, std::size_t earlier) const {
    for (const auto& sample : samples_) {
      const double left = samples_.front()[k] * sample[earlier];
      const double right = sample[k] * samples_.front()[earlier];
      if (std::abs(left - right) > 1e-9 * (std::abs(left) + std::abs(right))) return false;
    }
    return true;
  }

  /// Returns whether the derivative of the quotient of two rows by the state and time vanishes: f dg - g df = 0.
  /// Products of long rows are not tried; the analysis around the start finds such rows redundant.
  [[nodiscard]] bool repeats(std::size_t k, std::size_t earlier) const {
    const Expr f = rows_[k];
    const Expr g = rows_[earlier];
    if (f == g) return true;
    if (!may_repeat(k, earlier)) return false;
    const auto [above, below] = fraction(samples_.front()[k] / samples_.front()[earlier]);
    const Expr left = expanded(k);
    const Expr right = expanded(earlier);
    const bool sums = is_multiplied_out(left) && is_multiplied_out(right);
    if (above != 0 && sums && symbolic::expand(multiple(left, below) - multiple(right, above)).is_zero()) return true;
    if (symbolic::printed_size(f) + symbolic::printed_size(g) > longest) return false;
    std::vector<Expr> variables = state_;
    variables.push_back(system_.t);
    const auto df = symbolic::gradient(f, variables);
    const auto dg = symbolic::gradient(g, variables);
    for (std::size_t i = 0; i < variables.size(); ++i)
      if (!symbolic::simplify(symbolic::expand(f * dg[i] - g * df[i])).is_zero()) return false;
    return true;
  }

  /// Returns a row multiplied out; long rows are so only once something asks for it.
  [[nodiscard]] Expr expanded(std::size_t k) const {
    return symbolic::printed_size(rows_[k]) > longest ? symbolic::expand(rows_[k]) : expanded_[k];
  }

  void check_count() const {
    if (rows_.size() <= system_.r()) return;
    std::size_t restricting = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Expr rate = mechanics::velocity_constraint(system_, rows_[k]);
      const auto used = [&](const Expr& w) { return symbolic::depends_on(rate, w); };
      if (std::any_of(system_.w().begin(), system_.w().end(), used)) ++restricting;
      if (restricting <= system_.r()) continue;
      fail(k,
           "more constraints than velocities: " + std::to_string(restricting) + " equations restrict a fibre of rank " +
               std::to_string(system_.r()),
           "keep at most " + std::to_string(system_.r()));
    }
  }

  const Source& source_;
  const System& system_;
  std::vector<const Value*> places_;
  std::vector<Expr> expanded_;  ///< without definitions, multiplied out
  std::vector<Expr> rows_;      ///< `expanded_`, simplified
  std::vector<Expr> state_;     ///< x, w, z
  std::vector<std::vector<double>> samples_;
};

}  // namespace

void read_constraints_table(const Vocabulary& vocabulary, const Value& table, const ExpressionRole& role,
                            System& system) {
  const Source& source = vocabulary.source();
  for (const Member& member : table.members) {
    if (member.key == "nonholonomic" || member.key == "vakonomic")
      source.fail(member.place, "[constraints] has no key '" + member.key + "'",
                  "write rule = \"" + member.key + "\" and equations = [...]");
    if (member.key != "rule" && member.key != "equations")
      source.unknown(member.place, "key", member.key, {"rule", "equations"});
  }
  const Value& rule = source.required(table, "rule", "[constraints]", "choose nonholonomic or vakonomic");
  source.expect(rule, Kind::string, "'rule'");
  if (rule.text != "nonholonomic" && rule.text != "vakonomic")
    source.unknown(rule.place, "rule", rule.text, {"nonholonomic", "vakonomic"});
  const Value& equations =
      source.required(table, "equations", "[constraints]", R"(give them as equations = ["..."], each is = 0)");
  read_constraint_equations(vocabulary, equations, "[constraints]",
                            rule.text == "vakonomic" ? mechanics::Rule::vakonomic : mechanics::Rule::nonholonomic, role,
                            system);
}

void read_constraint_equations(const Vocabulary& vocabulary, const Value& equations, std::string_view title,
                               mechanics::Rule rule, const ExpressionRole& role, System& system) {
  const Source& source = vocabulary.source();
  auto places = source.strings(equations, "'equations'");
  if (places.empty())
    source.fail(equations.place, "'equations' is empty", "give at least one, or remove " + std::string(title));
  std::vector<Expr> rows;
  for (const Value* equation : places) {
    rows.push_back(vocabulary.expression(*equation, role));
    // Positions that are prescribed prescribe their velocities too, which must not jump.
    const auto& w = system.w();
    const bool positions =
        std::none_of(w.begin(), w.end(), [&](Expr y) { return symbolic::depends_on(rows.back(), y); });
    require_no_jump(source, rows.back(), positions ? 1 : 0, equation->place, "a constraint",
                    "velocities would jump with it");
  }
  Equations(source, system, std::move(places), rows).check();
  mechanics::constrain(system, rule, std::move(rows));
}

Refusal refusal_of_multiplier(const mechanics::Constraints& constraints, std::string_view name) {
  if (constraints.rule != mechanics::Rule::nonholonomic) return {};
  for (std::size_t k = 1; k <= constraints.equations.size(); ++k) {
    if (name == "lambda" + std::to_string(k))
      return {in_quotes(name) + " is determined by the state and the constraints", "remove it"};
    if (name == "nu" + std::to_string(k)) {
      return {in_quotes(name) +
                  " belongs to the vakonomic rule, and nonholonomic multipliers are determined by the "
                  "state and the constraints",
              "remove it"};
    }
  }
  return {};
}

namespace {

constexpr ExpressionRole condition{"a gauge condition", uses::parameter | uses::base | uses::fibre | uses::time,
                                   "use base coordinates, velocities, time and parameters"};

/// `kind` is the noun for a value of the key.
void read_choice(const Source& source, const Value& value, std::string_view key, std::string_view kind,
                 const std::vector<std::string>& known, std::string& choice) {
  source.expect(value, Kind::string, "'" + std::string(key) + "'");
  for (const auto& name : known)
    if (value.text == name) {
      choice = name;
      return;
    }
  source.unknown(value.place, std::string(kind), value.text, known);
}

}  // namespace

void read_gauge_table(const Vocabulary& vocabulary, const Value& table, mechanics::System& system) {
  const Source& source = vocabulary.source();
  std::string choose = "least";
  std::string branch = "nearest";
  for (const Member& member : table.members) {
    if (member.key == "conditions") {
      source.expect(member.value, Kind::array, "'conditions'");
      for (const Value& value : member.value.items)
        system.gauge.conditions.push_back(symbolic::expand_lets(vocabulary.expression(value, condition)));
    } else if (member.key == "choose") {
      read_choice(source, member.value, "choose", "choice", {"least", "refuse"}, choose);
    } else if (member.key == "branch") {
      read_choice(source, member.value, "branch", "branch", {"nearest"}, branch);
    } else {
      source.unknown(member.place, "key", member.key, {"conditions", "choose", "branch"});
    }
  }
  system.gauge.refuse = choose == "refuse";
  const Member* chosen = table.find("choose");
  if (chosen != nullptr && !system.gauge.conditions.empty())
    source.fail(chosen->place, "both 'conditions' and 'choose' are given", "keep one of them");
}

}  // namespace herglotz::io
