#include "model/initial_table.hpp"

#include <algorithm>
#include <span>

#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/names.hpp"
#include "model/constraints_table.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

using mechanics::Formulation;
using symbolic::Expr;

bool names_one_of(const std::vector<Expr>& symbols, const std::string& name) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const Expr& symbol) { return symbol.name() == name; });
}

class InitialReader {
 public:
  InitialReader(const Vocabulary& vocabulary, const Value& table, const std::vector<std::string>& first_samples,
                simulate::Problem& problem)
      : vocabulary_(vocabulary),
        source_(vocabulary.source()),
        table_(table),
        first_samples_(first_samples),
        problem_(problem),
        system_(problem.system),
        known_(initial_names(system_)) {}

  void read() {
    for (const Member& member : table_.members) {
      const bool is_state = std::find(known_.begin(), known_.end(), member.key) != known_.end();
      if (member.key == "project" && (!is_state || member.value.kind == Kind::boolean)) {
        source_.expect(member.value, Kind::boolean, "'project'");
        problem_.settings.project = member.value.flag;
      } else if (member.key == "fixed" && (!is_state || member.value.kind == Kind::array)) {
        read_fixed(member.value);
      } else if (member.key == "next" && (!is_state || member.value.kind == Kind::table)) {
        read_next(member);
      } else if (is_state) {
        read_value(member);
      } else {
        refuse(member);
      }
    }
    check_fibre();
    evaluate();
  }

 private:
  /// Initial value or second position that is an expression in parameters and initial values.
  struct Formula {
    std::string name;  ///< as simulate::StartExpression has it
    const Value* text;
    Expr value;
    std::vector<std::string> uses;  ///< names of initial values
  };

  void read_value(const Member& member) {
    const bool lagrangian = system_.formulation == Formulation::lagrangian;
    const bool vakonomic = system_.constraints.rule == mechanics::Rule::vakonomic;
    const Uses allowed = uses::parameter | uses::base | uses::action | uses::time | uses::momentum |
                         (lagrangian ? uses::fibre : 0) | (vakonomic ? uses::multiplier : 0);
    problem_.initial[member.key] =
        number_or_formula(member.key, member.value, "the initial value of " + in_quotes(member.key), allowed);
  }

  /// Returns the remedy for an initial value that cannot be found; a start that is a first sample may be given instead.
  [[nodiscard]] std::string remedy(const std::string& name, const std::string& otherwise) const {
    const bool sampled = std::find(first_samples_.begin(), first_samples_.end(), name) != first_samples_.end();
    return sampled ? "give " + in_quotes(name) + " in [initial]" : otherwise;
  }

  /// Returns the number in `text`. An expression is kept for evaluate() under `name`, and gives 0.
  double number_or_formula(const std::string& name, const Value& text, const std::string& of, Uses allowed) {
    if (text.kind != Kind::string) return vocabulary_.constant(text, of);
    const std::string rule = remedy(name, "use parameters, other initial values, and definitions of these");
    const Expr value = vocabulary_.expression(text, {of, allowed, rule});
    const auto symbols = symbolic::free_symbols(std::span(&value, 1));
    if (symbols.empty()) return vocabulary_.constant(text, of);
    Formula formula{name, &text, value, {}};
    for (const Expr& symbol : symbols)
      if (std::find(known_.begin(), known_.end(), symbol.name()) != known_.end())
        formula.uses.emplace_back(symbol.name());
    formulas_.push_back(std::move(formula));
    return 0;
  }

  /// Orders the expressions so that each uses earlier ones only, and evaluates them.
  void evaluate() {
    std::vector<simulate::StartExpression> ordered;
    std::vector<std::pair<std::string, const Value*>> texts;
    const auto waits_for = [&](const Formula& formula) {
      return std::find_if(formulas_.begin(), formulas_.end(), [&](const Formula& other) {
        return std::find(formula.uses.begin(), formula.uses.end(), other.name) != formula.uses.end();
      });
    };
    while (!formulas_.empty()) {
      const auto ready = std::find_if(formulas_.begin(), formulas_.end(),
                                      [&](const Formula& formula) { return waits_for(formula) == formulas_.end(); });
      if (ready == formulas_.end()) fail_in_circle();
      texts.emplace_back(in_quotes(ready->name), ready->text);
      ordered.push_back({ready->name, ready->value});
      formulas_.erase(ready);
    }
    if (ordered.empty()) return;
    problem_.expressions = simulate::StartExpressions(system_, std::move(ordered));
    try {
      problem_.expressions.apply(system_, {}, problem_.initial, problem_.next);
    } catch (const Refused& reason) {
      for (const auto& [name, text] : texts)
        if (name == in_quotes(reason.where()))
          source_.fail(text->place, reason.problem(), remedy(std::string(reason.where()), reason.remedy()));
      throw;
    }
  }

  [[noreturn]] void fail_in_circle() const {
    // The path follows each expression to the next one that it waits for; a name that appears a second time is in the
    // circle.
    std::vector<std::string> path;
    const Formula* at = &formulas_.front();
    while (std::find(path.begin(), path.end(), at->name) == path.end()) {
      path.push_back(at->name);
      const auto next = std::find_if(formulas_.begin(), formulas_.end(), [&](const Formula& other) {
        return std::find(at->uses.begin(), at->uses.end(), other.name) != at->uses.end();
      });
      at = &*next;
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), at->name));
    const std::string what = path.size() == 1 ? "the initial value of " + in_quotes(path.front()) + " uses itself"
                                              : "the initial values of " + listing(path, " and ") + " use each other";
    source_.fail(at->text->place, what, remedy(at->name, "give one of them by parameters or as a number"));
  }

  void read_fixed(const Value& value) {
    std::vector<std::string> known;
    for (const auto* symbols : {&system_.algebroid.x, &system_.w()})
      for (const Expr& symbol : *symbols) known.emplace_back(symbol.name());
    for (const Value* item : source_.strings(value, "'fixed'")) {
      const std::string name = symbolic::with_plain_greek(item->text);
      if (std::find(known.begin(), known.end(), name) == known.end())
        source_.unknown(item->place, "coordinate of the start", name, known);
      problem_.settings.fixed.push_back(name);
    }
  }

  [[noreturn]] void refuse(const Member& member) const {
    if (names_one_of(system_.algebroid.y, member.key))
      source_.fail(member.place, "a Hamiltonian model starts from momenta, not from " + in_quotes(member.key),
                   "give p_" + member.key);
    const auto& parameters = system_.parameters;
    if (std::any_of(parameters.begin(), parameters.end(),
                    [&](const auto& parameter) { return parameter.symbol.name() == member.key; }))
      source_.fail(member.place, in_quotes(member.key) + " is a parameter", "give its value in [parameters]");
    const Refusal refusal = refusal_of_multiplier(system_.constraints, member.key);
    if (!refusal.what.empty()) source_.fail(member.place, refusal.what, refusal.remedy);
    std::vector<std::string> known = known_;
    if (!system_.constraints.equations.empty() || !system_.invariants.empty())
      known.insert(known.end(), {"project", "fixed"});
    if (problem_.discrete) known.emplace_back("next");
    source_.unknown(member.place, "initial value", member.key, known);
  }

  void read_next(const Member& member) {
    source_.expect(member.value, Kind::table, "[initial.next]");
    if (!problem_.discrete)
      source_.fail(
          member.place,
          "[initial.next] is the second position of a discrete motion, and the model has no discrete Lagrangian",
          "add it under [discrete], or start from velocities or momenta");
    if (discrete::on_groupoid(*problem_.discrete))
      source_.fail(member.place,
                   "[initial.next] is a second position, and the discrete Lagrangian is one of arrows of a groupoid",
                   "start from velocities or momenta");
    std::vector<std::string> known;
    for (const Expr& x : system_.algebroid.x) {
      known.emplace_back(x.name());
      problem_.next[known.back()] = 0;
    }
    for (const Member& entry : member.value.members) {
      if (std::find(known.begin(), known.end(), entry.key) == known.end())
        source_.unknown(entry.place, "base coordinate", entry.key, known);
      problem_.next[entry.key] =
          number_or_formula("next." + entry.key, entry.value, "the second position of " + in_quotes(entry.key),
                            uses::parameter | uses::base | uses::action | uses::time);
    }
  }

  /// Throws InputError unless the fibre part of a start is given only once: by velocities, by momenta, or by a second
  /// position.
  void check_fibre() const {
    const Member* velocity = nullptr;
    const Member* momentum = nullptr;
    for (const Member& member : table_.members) {
      if (velocity == nullptr && names_one_of(system_.algebroid.y, member.key)) velocity = &member;
      if (momentum == nullptr && names_one_of(system_.p, member.key)) momentum = &member;
    }
    if (velocity != nullptr && momentum != nullptr)
      source_.fail(std::max(velocity->place, momentum->place),
                   "both the velocity " + in_quotes(velocity->key) + " and the momentum " + in_quotes(momentum->key) +
                       " are given",
                   "start from velocities alone, or from momenta alone");
    const Member* given = velocity != nullptr ? velocity : momentum;
    if (given != nullptr && !problem_.next.empty())
      source_.fail(given->place, "both " + in_quotes(given->key) + " and the second position [initial.next] are given",
                   "keep one of them: the momentum follows from two positions");
  }

  const Vocabulary& vocabulary_;
  const Source& source_;
  const Value& table_;
  const std::vector<std::string>& first_samples_;
  simulate::Problem& problem_;
  const mechanics::System& system_;
  std::vector<std::string> known_;
  std::vector<Formula> formulas_;
};

}  // namespace

std::vector<std::string> initial_names(const mechanics::System& system) {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Expr>& symbols) {
    for (const Expr& symbol : symbols) names.emplace_back(symbol.name());
  };
  add(system.algebroid.x);
  add(system.w());
  add({system.z, system.t});
  if (system.constraints.rule == mechanics::Rule::vakonomic) add(system.constraints.multipliers);
  if (system.formulation == Formulation::lagrangian) add(system.p);
  return names;
}

void read_initial_table(const Vocabulary& vocabulary, const Value& table, const std::vector<std::string>& first_samples,
                        simulate::Problem& problem) {
  InitialReader(vocabulary, table, first_samples, problem).read();
}

}  // namespace herglotz::io
