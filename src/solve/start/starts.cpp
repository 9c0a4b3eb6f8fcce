#include "start/starts.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "gauss_nlp.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr;

constexpr int most_iterations_to_start = 300;
constexpr double precision_of_start = 1e-7;
constexpr double pressing = 1e-2;  ///< sum of the multipliers of limits at a path that they keep from the ends
constexpr double stiffness = 100;  ///< of ends that are asked for by a cost, in parts of the cost

/// Returns the sum of the squares of the conditions at the ends, in parts of their sizes.
Expr distance_of(const Setup& model, const Units& units) {
  Expr sum = model.problem.system.graph().number(0);
  const auto add = [&](const Expr& distance, double size) {
    const Expr relative = distance / size;
    sum += relative * relative;
  };
  for (std::size_t i = 0; i < model.form.cost(); ++i)
    if (model.final[i]) add(model.form.v[i] - *model.final[i], units.v[i]);
  for (std::size_t j = 0; j < model.conditions(); ++j) add(model.problem.boundary.conditions[j], units.conditions[j]);
  return sum;
}

/// Returns the problem with free ends and with a terminal cost of its own. Its path has the same states and controls.
control::Problem with_free_ends(const Setup& model, const Expr& terminal) {
  control::Problem problem = model.problem;
  problem.cost.terminal = terminal;
  problem.boundary.final.clear();
  problem.boundary.conditions.clear();
  return problem;
}

/// Result of the minimisation of a problem with free ends, in the units of the setup.
struct FreeMinimum {
  Path path;
  bool solved;
  double defect;
  bool is_least;  ///< to second order, no small change lowers the cost
  bool is_free;   ///< no bound or inequality presses against the path
};

/// Returns whether no bound or inequality of the programme keeps the point from lower values.
bool is_free(const optimise::Nlp& nlp, const optimise::PrimalDualPoint& at) {
  double sum = 0;
  for (std::size_t i = 0; i < at.x.size(); ++i)
    if (nlp.lower()[i] < nlp.upper()[i]) sum += at.at_lower[i] + at.at_upper[i];
  for (std::size_t j = 0; j < at.mu.size(); ++j)
    if (nlp.g_lower()[j] < nlp.g_upper()[j]) sum += std::abs(at.mu[j]);
  return sum < pressing;
}

FreeMinimum minimum_of(const control::Problem& problem, const Setup& setup, const Collocation& method, const Mesh& mesh,
                       const Path& start, const std::function<bool()>& go_on) {
  Units units = setup.units;
  units.conditions.clear();
  const Setup relaxed = Setup(problem, PathIndependentCosts::taken).divided_by(units);
  GaussNlp nlp(relaxed, method, mesh);
  const auto found =
      optimise::minimise(nlp, nlp.iterate(start), {precision_of_start, most_iterations_to_start, false, 0, go_on});
  Path path = nlp.path(found.at);
  path.ends.assign(setup.conditions(), 0.0);
  const bool solved = found.verdict == optimise::Verdict::solved;
  const auto directions = solved ? optimise::directions(nlp, found.at) : std::nullopt;
  return {std::move(path), solved, optimise::largest_violation(nlp, found.at.x).size,
          solved && !(directions && directions->negative > 0), is_free(nlp, found.at)};
}

}  // namespace

std::vector<StartingGuess> starts(const Setup& setup) {
  if (setup.duration) return {{}, {{}, true}, {{1, 0.3}}, {{1, -0.3}, true}, {{1, 1}}};
  return {{}, {{}, true}, {{3, 0.3}}, {{10, -0.3}, true}, {{0.3, 0.3}}, {{100, 0.3}, true}, {{1000, -0.3}}};
}

Path with_costates(const Setup& setup, Path path) {
  const auto d = static_cast<Eigen::Index>(setup.d());
  const auto m = static_cast<Eigen::Index>(setup.m());
  const auto cost = static_cast<Eigen::Index>(setup.form.cost());
  const auto equations = static_cast<Eigen::Index>(setup.equations());
  for (Interval& interval : path.intervals) {
    const StageDerivatives e = derivatives_at(setup, interval.stages, 1, Orders::first);
    for (std::size_t i = 0; i < interval.stages.size(); ++i) {
      Stage& stage = interval.stages[i];
      const Eigen::MatrixXd by_w = e.J[i].block(0, d, d + equations, m).transpose();
      Eigen::MatrixXd others = by_w;
      others.col(cost).setZero();
      const Eigen::VectorXd found = linear::least_squares(others, -setup.sign * by_w.col(cost));
      for (Eigen::Index a = 0; a < d; ++a) stage.P[static_cast<std::size_t>(a)] = a == cost ? setup.sign : found[a];
      for (Eigen::Index c = 0; c < equations; ++c) stage.kappa[static_cast<std::size_t>(c)] = found[d + c];
    }
    interval.P0 = interval.stages.front().P;
    interval.P1 = interval.stages.back().P;
  }
  return path;
}

std::optional<Path> path_to_soft_ends(const Setup& model, const Setup& setup, const Collocation& method,
                                      const Mesh& mesh, const std::function<bool()>& go_on) {
  const Path start = in_units(setup.units, guessed_path(model, method, mesh));
  const double weight = setup.sign * stiffness * setup.units.cost();
  const auto problem = with_free_ends(model, model.problem.cost.terminal + distance_of(model, setup.units) * weight);
  FreeMinimum found = minimum_of(problem, setup, method, mesh, start, go_on);
  if (!found.solved) return std::nullopt;
  return std::move(found.path);
}

NearestEnd nearest_end(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                       const Path& start, const std::function<bool()>& go_on) {
  control::Problem problem =
      with_free_ends(model, distance_of(model, setup.units) * setup.units.cost() - model.form.v.back());
  problem.cost.maximise = false;
  NearestEnd result;
  FreeMinimum minimum = minimum_of(problem, setup, method, mesh, start, go_on);
  result.path = std::move(minimum.path);
  result.found = minimum.defect < precision_of_start;
  result.is_free = minimum.is_free;
  result.is_nearest = minimum.is_least;
  const Values& last = result.path.intervals.back().v1;
  const auto compare = [&](double relative, double unit, const std::string& name) {
    if (!(std::abs(relative) > result.distance)) return;
    result.distance = std::abs(relative);
    result.farthest = fmt::format("{}, by {:.3g}", name, std::abs(relative * unit));
  };
  for (std::size_t i = 0; i < setup.form.cost(); ++i)
    if (setup.final[i])
      compare(last[i] - *setup.final[i], setup.units.v[i],
              fmt::format("{} = {:.6g} at the end", setup.form.v[i].name(), *model.final[i]));
  Values point = result.path.intervals.front().v0;
  point.insert(point.end(), last.begin(), last.end());
  point.push_back(result.path.end() - result.path.start());
  Values ends(setup.ends.functions());
  setup.ends.values(point, ends);
  for (std::size_t j = 0; j < setup.conditions(); ++j)
    compare(ends[j + 1], setup.units.conditions[j], fmt::format("condition {} of [boundary]", j + 1));
  return result;
}

std::string out_of_reach(const NearestEnd& nearest) {
  if (nearest.is_nearest)
    return "the conditions at the ends cannot all hold near here; farthest from holding is " + nearest.farthest;
  return "no path to the ends was found: along the nearest one, small changes of the controls do not bring it nearer "
         "to first order; farthest from holding is " +
         nearest.farthest + ": give a [guess] of the controls that leads nearer";
}

}  // namespace herglotz::solve
