#include "model/initial_table.hpp"

#include <algorithm>

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
  InitialReader(const Vocabulary& vocabulary, const Value& table, simulate::Problem& problem)
      : vocabulary_(vocabulary),
        source_(vocabulary.source()),
        table_(table),
        problem_(problem),
        system_(problem.system),
        known_(initial_names(system_)) {}

  void read() {
    for (const Member& member : table_.members) {
      const bool is_state = std::find(known_.begin(), known_.end(), member.key) != known_.end();
      if (member.key == "project" && (!is_state || member.value.kind == Kind::boolean)) {
        source_.expect(member.value, Kind::boolean, "'project'");
        problem_.settings.project = member.value.flag;
      } else if (member.key == "next" && (!is_state || member.value.kind == Kind::table)) {
        read_next(member);
      } else if (is_state) {
        problem_.initial[member.key] =
            vocabulary_.constant(member.value, "the initial value of " + in_quotes(member.key));
      } else {
        refuse(member);
      }
    }
    check_fibre();
  }

 private:
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
    if (!system_.constraints.equations.empty() || !system_.invariants.empty()) known.emplace_back("project");
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
    std::vector<std::string> known;
    for (const Expr& x : system_.algebroid.x) {
      known.emplace_back(x.name());
      problem_.next[known.back()] = 0;
    }
    for (const Member& entry : member.value.members) {
      if (std::find(known.begin(), known.end(), entry.key) == known.end())
        source_.unknown(entry.place, "base coordinate", entry.key, known);
      problem_.next[entry.key] = vocabulary_.constant(entry.value, "the second position of " + in_quotes(entry.key));
    }
  }

  /// The fibre part of a start is given once: by velocities, by momenta, or by a second position.
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
  simulate::Problem& problem_;
  const mechanics::System& system_;
  std::vector<std::string> known_;
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

void read_initial_table(const Vocabulary& vocabulary, const Value& table, simulate::Problem& problem) {
  InitialReader(vocabulary, table, problem).read();
}

}  // namespace herglotz::io
