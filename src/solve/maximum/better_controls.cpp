#include "maximum/better_controls.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "facts.hpp"
#include "maximum/maximum_condition.hpp"

namespace herglotz::solve {
namespace {

constexpr int most_rounds = 3;

/// Returns the problem with the path for its guess, and with the better controls on it.
control::Problem from_better_controls(const control::Problem& problem, const Solution& found,
                                      const MaximumCondition& condition) {
  const control::Iterate& path = found.iterate;
  const std::size_t d = path.states.size();
  control::Problem again = problem;
  again.guess = {};
  again.guess.s = problem.guess.s;
  if (!problem.boundary.duration) again.guess.duration = found.duration;
  auto& times = again.guess.times = condition.times;
  times.insert(times.begin(), path.times.front());
  times.push_back(path.times.back());
  const std::size_t stages = condition.times.size();
  for (std::size_t a = 0; a + 1 < d; ++a) {
    std::vector<double> values{path.v[a]};
    for (std::size_t k = 0; k < stages; ++k) values.push_back(path.stage_v[k * d + a]);
    values.push_back(path.v[path.intervals() * d + a]);
    again.guess.columns.emplace(path.states[a], std::move(values));
  }
  for (std::size_t u = 0; u < problem.controls.size(); ++u) {
    std::vector<double> values{condition.controls.front()[u]};
    for (const auto& controls : condition.controls) values.push_back(controls[u]);
    values.push_back(values.back());
    again.guess.columns.emplace(problem.controls[u].name(), std::move(values));
  }
  return again;
}

std::string refutation(const control::Problem& problem, const BetterControl& better) {
  return fmt::format(
      "by Pontryagin's principle the path is not the best: at t = {:.6g} the Hamiltonian is larger by {:.3g} with "
      "'{}' = {:.6g} than with {:.6g}",
      better.t, better.rise, problem.controls[better.control].name(), better.better, better.found);
}

void refute(const control::Problem& problem, const BetterControl& better, Solution& found) {
  found.status = Status::not_converged;
  found.reason = refutation(problem, better) +
                 ", and paths from there lead to none that is; give another [guess]: the least cost may also be only "
                 "approached, by ever faster switching between such values";
  found.cost_error = std::numeric_limits<double>::quiet_NaN();
}

/// Adds what the comparison showed to a solution.
void state(const MaximumCondition& condition, Solution& found) {
  found.comparison = condition.comparison;
  if (condition.comparison.times > 0) found.residuals.emplace_back("needle", condition.comparison.saved);
  state_outcome(found);
}

bool is_better(const control::Problem& problem, const Solution& one, const Solution& other) {
  return problem.cost.maximise ? one.cost > other.cost : one.cost < other.cost;
}

/// A solution, and what Pontryagin's principle says of it.
struct Judged {
  Solution solution;
  std::optional<MaximumCondition> condition;
};

Judged judged(const control::Problem& problem, Solution solution) {
  auto condition = solution.status == Status::solved ? maximum_condition(problem, solution) : std::nullopt;
  return {std::move(solution), std::move(condition)};
}

/// Keeps the best of some paths beside one that is not the best.
class Choice {
 public:
  Choice(const control::Problem& problem, const Solution& before) : problem_(problem), before_(before) {}

  /// Takes a path, and returns whether no other one is needed.
  bool take(Solution solution) {
    if (solution.status != Status::solved && solution.status != Status::stopped) return false;
    Judged one = judged(problem_, std::move(solution));
    const bool ends = !one.condition || !one.condition->largest;
    const Solution& last = best_ ? best_->solution : before_;
    if (ends || is_better(problem_, one.solution, last)) best_ = std::move(one);
    return ends;
  }

  std::optional<Judged> best() { return std::move(best_); }

 private:
  const control::Problem& problem_;
  const Solution& before_;
  std::optional<Judged> best_;
};

/// Returns a path that is the best or better, or no value if there is none.
std::optional<Judged> next(const control::Problem& problem, const Judged& before, const OtherWays& ways) {
  Choice choice(problem, before.solution);
  control::Problem from_iterate = problem;
  from_iterate.guess.iterate = before.solution.iterate;
  from_iterate.guess.keeps_mesh = true;
  for (const Needles needles : {Needles::everywhere, Needles::middle}) {
    auto found = ways.from_needles(from_iterate, *before.condition, needles);
    if (found && choice.take(std::move(*found))) return choice.best();
  }
  choice.take(ways.from_guess(from_better_controls(problem, before.solution, *before.condition)));
  return choice.best();
}

}  // namespace

Solution with_best_controls(const control::Problem& problem, Solution found, const OtherWays& ways) {
  Judged best = judged(problem, std::move(found));
  for (int round = 0; best.condition && best.condition->largest && round < most_rounds; ++round) {
    auto other = next(problem, best, ways);
    if (!other) break;
    other->solution.iterations += best.solution.iterations;
    best = std::move(*other);
  }
  if (!best.condition) return std::move(best.solution);
  if (best.condition->largest) refute(problem, *best.condition->largest, best.solution);
  state(*best.condition, best.solution);
  return std::move(best.solution);
}

}  // namespace herglotz::solve
