#include "start/inequalities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {
namespace {

constexpr int most_iterations = 300;
constexpr double precision = 1e-7;
constexpr double broken = 1e-4;  ///< what an inequality exceeds 0 by, in parts of its size
constexpr double share = 0.01;   ///< of the largest excess, where a span of it begins

/// Returns the problem whose inequalities hold up to an excess, a control that is not negative, and whose cost is the
/// sum of the excesses in parts of the sizes of the inequalities.
control::Problem with_excesses(const Setup& model, const Units& units) {
  control::Problem problem = model.problem;
  auto& graph = problem.system.graph();
  control::Expr sum = graph.number(0);
  for (std::size_t k = 0; k < problem.path.size(); ++k) {
    const control::Expr excess = graph.symbol("excess(" + std::to_string(k) + ")");
    problem.controls.push_back(excess);
    problem.bounds.push_back({graph.number(0), std::nullopt});
    problem.path[k] -= excess;
    sum += excess / units.along[model.equations() + k];
  }
  problem.cost.running = sum;
  problem.cost.terminal = graph.number(0);
  problem.cost.maximise = false;
  return problem;
}

/// Inserts values of the excesses after those of the controls.
Path with_excesses(Path path, std::size_t controls, std::size_t count) {
  for (Interval& interval : path.intervals) {
    interval.held.resize(controls + count, Hold::free);
    for (Stage& stage : interval.stages)
      for (Values* values : {&stage.w, &stage.bound})
        values->insert(values->begin() + static_cast<std::ptrdiff_t>(controls), count, 0.0);
  }
  return path;
}

}  // namespace

std::string conflict_of_inequalities(const Setup& model, const Setup& setup, const Collocation& method,
                                     const Mesh& mesh, const std::function<bool()>& go_on) {
  const std::size_t controls = setup.problem.controls.size();
  const std::size_t count = setup.problem.path.size();
  if (count == 0) return "";
  const Path guess = in_units(setup.units, guessed_path(model, method, mesh));
  const control::Problem problem = with_excesses(model, setup.units);
  Units units = setup.units;
  units.v.back() = units.time;
  units.w.insert(units.w.begin() + static_cast<std::ptrdiff_t>(controls),
                 units.along.end() - static_cast<std::ptrdiff_t>(count), units.along.end());
  const Setup relaxed = Setup(problem).divided_by(units);
  Mesh all = mesh;
  for (Arc& arc : all.arcs) arc.held.resize(controls + count, Hold::free);
  GaussNlp nlp(relaxed, method, all);
  const auto found = optimise::minimise(nlp, nlp.iterate(with_excesses(guess, controls, count)),
                                        {precision, most_iterations, false, 0, go_on});
  if (found.verdict == optimise::Verdict::stopped || optimise::largest_violation(nlp, found.at.x).size > 10 * precision)
    return "";
  const Path path = nlp.path(found.at);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) {
    double largest = 0;
    for (const Interval& interval : path.intervals)
      for (const Stage& stage : interval.stages) largest = std::max(largest, stage.w[controls + k]);
    if (largest < broken) continue;
    double first = path.end();
    double last = path.start();
    for (const Interval& interval : path.intervals) {
      for (const Stage& stage : interval.stages) {
        if (stage.w[controls + k] < share * largest) continue;
        first = std::min(first, interval.t);
        last = std::max(last, interval.t + interval.h);
      }
    }
    texts.push_back(fmt::format("inequality {} is broken by up to {:.3g} from t = {:.4g} to {:.4g}", k + 1,
                                largest * setup.units.along[setup.equations() + k], first * units.time,
                                last * units.time));
  }
  if (texts.empty()) return "";
  return fmt::format("[control] path cannot hold together with the equations and the ends: where it fails least, {}",
                     fmt::join(texts, ", "));
}

}  // namespace herglotz::solve
