#include "start/best_duration.hpp"

#include <fmt/format.h>

#include <cmath>

#include "certificate/measures.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {
namespace {

constexpr double far = 20;     ///< from the guess of the duration, as a factor
constexpr double grown = 5;    ///< a duration that grew by this factor without a solution may have no best value
constexpr double rung = 8;     ///< from one duration to the next of those that are tried then, as a factor
constexpr int rungs = 5;       ///< the last is longer than all other starts have
constexpr double less = 1e-8;  ///< a cost that is lower by less, in parts of it, is the same
constexpr double precision = 1e-9;
constexpr int most_iterations = 200;
constexpr double unbounded = 1e8;  ///< costs below its negative are taken for unbounded
constexpr double at_limit = 1e-7;  ///< distance from a limit that is reached, in parts of the duration

/// Returns whether the duration is free and may become as long as it likes.
bool is_unlimited(const Setup& setup, const Mesh& mesh) {
  return !setup.duration && !std::isfinite(setup.longest) && mesh.arcs.size() == 1 &&
         !control::has_constant_cost(setup.problem);
}

struct FixedMinimum {
  Path path;
  double cost;  ///< what is minimised
};

/// Choice whether a path that is stretched is a solution of a duration (`warm`) or a guess (`cold`).
enum class From { warm, cold };

/// Returns the solution of the problem with a given duration.
std::optional<FixedMinimum> at_duration(const Setup& setup, const Collocation& method, Mesh mesh, const Path& path,
                                        From from, double duration, const std::function<bool()>& go_on) {
  Setup fixed = setup;
  fixed.duration = duration;
  mesh.arcs.front().duration = duration;
  GaussNlp nlp(fixed, method, mesh);
  const auto found =
      optimise::minimise(nlp, nlp.iterate(path),
                         {precision, most_iterations, from == From::warm, from == From::warm ? precision : 0, go_on});
  if (optimise::largest_violation(nlp, found.at.x).size > precision) return std::nullopt;
  FixedMinimum result{nlp.path(found.at), 0};
  result.cost = setup.sign * cost_of(fixed, result.path);
  return result;
}

bool falls_with_duration(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                         const Path& path, const std::function<bool()>& go_on) {
  const double duration = path.end() - path.start();
  if (!is_unlimited(setup, mesh) || !(duration > far * guessed_duration(model) / setup.units.time)) return false;
  const auto longer = at_duration(setup, method, mesh, path, From::warm, 2 * duration, go_on);
  const double before = setup.sign * cost_of(setup, path);
  return longer && before - longer->cost > less * std::abs(before);
}

std::string no_best_duration(const Setup& setup, double reached) {
  return fmt::format(
      "no duration is the best: the cost {} as long as the duration grows, as far as {:.3g}; give [boundary] "
      "duration a max",
      improves(setup), reached * setup.units.time);
}

}  // namespace

std::string falling_with_duration(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                                  const Path& path, const std::function<bool()>& go_on) {
  if (!falls_with_duration(model, setup, method, mesh, path, go_on)) return {};
  return no_best_duration(setup, path.end() - path.start());
}

std::string falling_with_all_durations(const Setup& model, const Setup& setup, const Collocation& method,
                                       const Mesh& mesh, const Path& path, const std::function<bool()>& go_on) {
  double duration = guessed_duration(model) / setup.units.time;
  if (!is_unlimited(setup, mesh) || !(path.end() - path.start() > grown * duration)) return {};
  const Path guess = in_units(setup.units, guessed_path(model, method, mesh));
  std::optional<FixedMinimum> before;
  for (int k = 0; k < rungs; ++k, duration *= rung) {
    auto next = at_duration(setup, method, mesh, before ? before->path : guess, From::cold, duration, go_on);
    if (!next || (before && !(before->cost - next->cost > less * std::abs(before->cost)))) return {};
    before = std::move(next);
  }
  return no_best_duration(setup, duration / rung);
}

std::string unbounded_cost(const Setup& setup, const Path& path) {
  if (!(setup.sign * cost_of(setup, path) < -unbounded)) return {};
  return fmt::format("the cost seems to have no bound: it is {:.3g} and goes on; bound controls or states",
                     cost_in_model(setup, path));
}

std::optional<double> reached_limit(const Setup& setup, const Path& path) {
  const double duration = path.end() - path.start();
  if (setup.duration) return std::nullopt;
  for (const double limit : {setup.shortest, setup.longest})
    if (std::abs(duration - limit) <= at_limit * duration) return limit;
  return std::nullopt;
}

}  // namespace herglotz::solve
