#include "start/best_duration.hpp"

#include <fmt/format.h>

#include <cmath>

#include "certificate/measures.hpp"
#include "certificate/no_best_control.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {
namespace {

constexpr double far = 20;     ///< from the guess of the duration, as a factor
constexpr double less = 1e-8;  ///< a cost that is lower by less, in parts of it, is the same
constexpr double precision = 1e-9;
constexpr int most_iterations = 200;
constexpr double unbounded = 1e8;  ///< costs below its negative are taken for unbounded
constexpr double at_limit = 1e-7;  ///< distance from a limit that is reached, in parts of the duration

bool falls_with_duration(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                         const Path& path, const std::function<bool()>& go_on) {
  const double duration = path.end() - path.start();
  if (setup.duration || std::isfinite(setup.longest) || mesh.arcs.size() > 1) return false;
  if (control::has_constant_cost(setup.problem)) return false;
  if (!(duration > far * guessed_duration(model) / setup.units.time)) return false;
  Setup longer = setup;
  longer.duration = 2 * duration;
  Mesh stretched = mesh;
  stretched.arcs.front().duration = 2 * duration;
  GaussNlp nlp(longer, method, stretched);
  const auto found = optimise::minimise(nlp, nlp.iterate(path), {precision, most_iterations, true, precision, go_on});
  if (optimise::largest_violation(nlp, found.at.x).size > precision) return false;
  const double before = setup.sign * cost_of(setup, path);
  return before - setup.sign * cost_of(longer, nlp.path(found.at)) > less * std::abs(before);
}

std::string no_best_duration(const Setup& setup, const Path& path) {
  return fmt::format(
      "no duration is the best: the cost {} as long as the duration grows, as far as {:.3g}; give [boundary] "
      "duration a max",
      improves(setup), (path.end() - path.start()) * setup.units.time);
}

}  // namespace

std::string falling_with_duration(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                                  const Path& path, const std::function<bool()>& go_on) {
  if (std::string pace = cost_of_pace(setup, path); !pace.empty()) return pace;
  if (!falls_with_duration(model, setup, method, mesh, path, go_on)) return {};
  return no_best_duration(setup, path);
}

std::string falling_in_vain(const Setup& model, const Setup& setup, const Collocation& method, const Mesh& mesh,
                            const Path& path, const std::function<bool()>& go_on) {
  if (std::string pace = cost_of_pace(setup, path); !pace.empty()) return pace;
  const double guess = guessed_duration(model) / setup.units.time;
  if (setup.duration || std::isfinite(setup.longest) || !(path.end() - path.start() > far * guess)) return {};
  Path along = in_units(setup.units, guessed_path(model, method, mesh));
  std::optional<double> last;
  for (const double duration : {guess, far * guess, 2 * far * guess}) {
    Setup longer = setup;
    longer.duration = duration;
    Mesh stretched = mesh;
    stretched.arcs.front().duration = duration;
    GaussNlp nlp(longer, method, stretched);
    const auto found = optimise::minimise(nlp, nlp.iterate(along), {precision, most_iterations, false, 0, go_on});
    // Paths that meet all conditions bound the least costs from above, whether they are the best or not.
    if (found.verdict != optimise::Verdict::solved && optimise::largest_violation(nlp, found.at.x).size > precision)
      return {};
    along = nlp.path(found.at);
    const double cost = setup.sign * cost_of(longer, along);
    if (last && !(*last - cost > less * std::abs(*last))) return {};
    last = cost;
  }
  return no_best_duration(setup, along);
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
