#include "maximum/better_controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "certificate/certificate.hpp"
#include "facts.hpp"
#include "maximum/maximum_condition.hpp"

namespace herglotz::solve {
namespace {

constexpr int most_rounds = 3;
constexpr std::array all_needles{Needles::everywhere, Needles::rising, Needles::falling, Needles::middle};
constexpr double followed = 1e-6;  ///< a path that violates its equations by more says nothing of other controls

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
                 ", and paths from there lead to none that is: the least cost may only be approached, by ever faster "
                 "switching between such values, or another [guess] may lead to it";
  found.cost_error = std::numeric_limits<double>::quiet_NaN();
}

/// Adds what the comparison showed to a solution.
void state(const MaximumCondition& condition, Solution& found) {
  found.comparison = condition.comparison;
  if (!condition.comparison.of_all && !condition.times.empty())
    found.notes.push_back("H was not compared with that of all controls at every time: " + condition.comparison.why);
  if (condition.comparison.times > 0) found.residuals.emplace_back("needle", condition.comparison.saved);
  state_outcome(found);
}

bool is_better(const control::Problem& problem, const Solution& one, const Solution& other) {
  return problem.cost.maximise ? one.cost > other.cost : one.cost < other.cost;
}

/// Returns whether costates of a path may tell better controls.
bool has_costates(const Solution& found) {
  if (found.status == Status::solved) return true;
  return found.status == Status::not_converged && !found.residuals.empty() && found.residuals.front().second < followed;
}

/// A solution, and what Pontryagin's principle says of it.
struct Judged {
  Solution solution;
  std::optional<MaximumCondition> condition;
};

/// Takes a path for a solution that has the maximum condition at all stages, to the tolerance of the cost, though H is
/// not concave in controls near those of some stages: those between the bounds at which a control jumps inside an
/// interval, or at a kink.
void take_for_solved(const control::Problem& problem, Judged& path) {
  Solution& found = path.solution;
  if (found.but_for_near_controls.empty() || !path.condition->comparison.of_all || path.condition->largest) return;
  for (const auto& [name, value] : found.residuals)
    if (name == "gap" && !(value <= problem.settings.tolerance)) return;
  found.status = Status::solved;
  found.reason = found.but_for_near_controls;
  std::erase(found.notes, not_everywhere);
  std::erase(found.notes, not_best_inside);
  found.notes.emplace_back(
      "a control jumps inside intervals of the mesh, or stays at a kink: 'hamiltonian' and 'legendre_margin' are those "
      "of the controls there, and the best controls would save no more than 'needle'");
  // Second derivatives by such controls say nothing of the second variation either.
  std::erase_if(found.residuals, [](const auto& residual) { return residual.first == negative_directions; });
  std::erase_if(found.notes, [](const std::string& note) { return note.starts_with(no_minimum); });
}

Judged judged(const control::Problem& problem, Solution solution) {
  auto condition = has_costates(solution) ? maximum_condition(problem, solution) : std::nullopt;
  Judged result{std::move(solution), std::move(condition)};
  if (result.condition && result.solution.status != Status::solved) take_for_solved(problem, result);
  return result;
}

/// Keeps the best of some paths beside one that is not the best.
class Choice {
 public:
  Choice(const control::Problem& problem, const Solution& before) : problem_(problem), before_(before) {}

  /// Takes a path, and returns whether no other one is needed.
  bool take(Solution solution) {
    Judged one = judged(problem_, std::move(solution));
    if (one.solution.status != Status::solved && one.solution.status != Status::stopped) return false;
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

control::Problem from_iterate(control::Problem problem, const control::Iterate& path) {
  problem.guess.iterate = path;
  problem.guess.keeps_mesh = true;
  return problem;
}

/// Returns a path that is the best or better, or no value if there is none.
std::optional<Judged> next(const control::Problem& problem, const Judged& before, const OtherWays& ways) {
  Choice choice(problem, before.solution);
  const control::Problem again = from_iterate(problem, before.condition->path);
  for (const Needles needles : all_needles) {
    auto found = ways.from_needles(again, *before.condition, needles);
    if (found && choice.take(std::move(*found))) return choice.best();
  }
  choice.take(ways.from_guess(from_better_controls(problem, before.solution, *before.condition)));
  return choice.best();
}

/// Returns the solution near a path that is none, such as one whose controls jump inside intervals: with arcs between
/// the jumps of the best controls. Returns no value if there is none.
std::optional<Judged> solution_near(const control::Problem& problem, const Judged& path, const OtherWays& ways) {
  const control::Problem again = from_iterate(problem, path.condition->path);
  for (const Needles needles : all_needles) {
    auto found = needles == Needles::middle ? std::nullopt : ways.from_needles(again, *path.condition, needles);
    if (!found) continue;
    Judged result = judged(problem, std::move(*found));
    if (result.solution.status == Status::solved && result.condition && !result.condition->largest) return result;
  }
  return std::nullopt;
}

/// Returns whether the cost falls to second order along some directions, so that the path is none of a minimum.
bool is_saddle(const Solution& found) {
  return std::any_of(found.residuals.begin(), found.residuals.end(),
                     [](const auto& residual) { return residual.first == negative_directions && residual.second > 0; });
}

/// Returns the condition with waves on the controls, of the given size in parts of their ranges.
MaximumCondition with_waves(MaximumCondition condition, double size, int half_waves) {
  const double start = condition.times.front();
  const double duration = condition.times.back() - start;
  for (std::size_t u = 0; u < condition.controls.front().size(); ++u) {
    double largest = 0;
    for (const auto& controls : condition.controls) largest = std::max(largest, std::abs(controls[u]));
    const Range bounds = condition.bounds[u];
    const double range = bounds.is_finite() ? bounds.width() / 2 : std::max(largest, 1.0);
    for (std::size_t k = 0; k < condition.times.size(); ++k)
      condition.controls[k][u] +=
          size * range * std::sin(half_waves * std::numbers::pi * (condition.times[k] - start) / duration);
  }
  return condition;
}

/// Solves again from beside a path along which the second variation is negative, to one side and the other, and returns
/// a better minimum, or no value if none was found.
std::optional<Judged> beside_saddle(const control::Problem& problem, const Judged& saddle, const OtherWays& ways) {
  if (!saddle.condition || saddle.condition->controls.empty()) return std::nullopt;
  for (const int half_waves : {1, 2}) {
    for (const double size : {0.3, -0.3}) {
      Judged other = judged(problem, ways.from_guess(from_better_controls(
                                         problem, saddle.solution, with_waves(*saddle.condition, size, half_waves))));
      if (other.solution.status == Status::stopped) return other;
      const bool is_minimum = other.solution.status == Status::solved && !is_saddle(other.solution);
      if (is_minimum && other.condition && !other.condition->largest &&
          is_better(problem, other.solution, saddle.solution))
        return other;
    }
  }
  return std::nullopt;
}

/// Leaves a path along which the second variation is negative, or says that it is no solution.
Judged without_saddle(const control::Problem& problem, Judged path, const OtherWays& ways) {
  if (path.solution.status != Status::solved || problem.controls.empty() || !is_saddle(path.solution)) return path;
  if (auto other = beside_saddle(problem, path, ways)) {
    other->solution.iterations += path.solution.iterations;
    return std::move(*other);
  }
  Solution& found = path.solution;
  // Where controls come to bounds, places of switches that the tolerance leaves open may be such directions.
  const auto& active = found.iterate.active;
  if (std::any_of(active.begin(), active.end(), [](auto bound) { return bound != 0; })) return path;
  found.status = Status::not_converged;
  found.reason =
      "the path is stationary and no minimum, because its second variation is negative, and paths beside it "
      "lead to no minimum; give another [guess]";
  found.cost_error = std::numeric_limits<double>::quiet_NaN();
  return path;
}

}  // namespace

Solution with_best_controls(const control::Problem& problem, Solution found, const OtherWays& ways) {
  Judged best = judged(problem, std::move(found));
  if (best.condition && best.solution.status != Status::solved) {
    if (!best.condition->largest) return std::move(best.solution);
    auto near = solution_near(problem, best, ways);
    if (!near) return std::move(best.solution);
    near->solution.iterations += best.solution.iterations;
    best = std::move(*near);
  }
  for (int round = 0; best.condition && best.condition->largest && round < most_rounds; ++round) {
    auto other = next(problem, best, ways);
    if (!other) break;
    other->solution.iterations += best.solution.iterations;
    best = std::move(*other);
  }
  const bool is_refuted = best.condition && best.condition->largest;
  if (!is_refuted) best = without_saddle(problem, std::move(best), ways);
  if (!best.condition) {
    state_outcome(best.solution);
    return std::move(best.solution);
  }
  if (best.condition->largest) refute(problem, *best.condition->largest, best.solution);
  state(*best.condition, best.solution);
  return std::move(best.solution);
}

}  // namespace herglotz::solve
