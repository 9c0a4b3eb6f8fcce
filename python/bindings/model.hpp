#pragma once
/// A problem and, once it is needed, its compiled form.

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/mechanics/presentation.hpp"
#include "herglotz/simulate/conflicting_values.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::python {

class Model {
 public:
  /// A model with [control] has a system and a start, and is solved instead of run.
  Model(const std::string& text, const std::string& file);

  [[nodiscard]] const simulate::Problem& problem() const { return problem_; }
  /// Returns the problem in a graph of its own, by reading its text again. What is derived in a graph changes the form,
  /// and the last bits, of what is derived in it later, and threads share no graph: so whatever derives takes this
  /// copy, and runs have the graph of the model to themselves. Throws io::InputError for a model with controls.
  [[nodiscard]] simulate::Problem read_again() const;
  /// Throws io::InputError for a model with controls.
  const simulate::Simulator& simulator();
  /// Returns the names of the controls, or the action of their cost; empty without [control].
  [[nodiscard]] const std::vector<std::string>& controls() const { return controls_; }
  [[nodiscard]] const std::string& cost_action() const { return cost_action_; }
  /// Returns what `derive` prints: "motion", "discrete" or "geometry"; it is derived once for all formats.
  const mechanics::Presentation& presented(const std::string& what);

 private:
  simulate::Problem problem_;
  std::string file_;
  std::vector<std::string> controls_;
  std::string cost_action_;
  std::mutex mutex_;
  std::unique_ptr<simulate::Simulator> simulator_;
  /// Each with the model read again, in whose graph it was derived.
  std::map<std::string, std::pair<simulate::Problem, mechanics::Presentation>> presentations_;
};

/// A start and the second position of a discrete motion.
using Start = std::pair<simulate::InitialState, simulate::InitialState>;

/// The start of a problem and its second position, without what does not go with values of these names; with `next`,
/// that second position in place of velocities and momenta. Throws Refused for a second position of a
/// system without a discrete Lagrangian.
template <class Values>
Start start_without_conflicts(const simulate::Problem& problem, const Values& values,
                              const simulate::InitialState& next = {}) {
  Start start{problem.initial, problem.next};
  for (const auto& [name, _] : values)
    simulate::drop_conflicting_values(problem.system, name, start.first, start.second);
  if (next.empty()) return start;
  if (!problem.discrete)
    throw std::invalid_argument(
        "next is a second position, and this system has no discrete Lagrangian; give velocities or momenta, or "
        "discrete={\"rule\": \"midpoint\"} to the system");
  for (const auto* symbols : {&problem.system.algebroid.y, &problem.system.p})
    for (const auto& symbol : *symbols) start.first.erase(std::string(symbol.name()));
  for (const auto& [name, value] : next) start.second[name] = value;
  return start;
}

/// The expressions of initial values and second positions of a problem, without those whose names have values of their
/// own.
template <class Values>
simulate::StartExpressions expressions_beside(const simulate::Problem& problem, const Values& values,
                                              const std::map<std::string, double>& next = {}) {
  simulate::StartExpressions expressions = problem.expressions;
  for (const auto& [name, _] : values) expressions.erase(name);
  for (const auto& [name, _] : next) expressions.erase("next." + name);
  return expressions;
}

}  // namespace herglotz::python
