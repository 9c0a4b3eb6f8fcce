#include "start/best_duration.hpp"

#include <cmath>

#include "certificate/measures.hpp"
#include "gauss_nlp.hpp"
#include "guess.hpp"
#include "herglotz/optimise/minimise.hpp"

namespace herglotz::solve {
namespace {

constexpr double far = 20;     ///< from the guess of the duration, as a factor
constexpr double less = 1e-8;  ///< a cost that is lower by less, in parts of it, is the same
constexpr double precision = 1e-9;
constexpr int most_iterations = 200;

}  // namespace

bool falls_with_duration(const Setup& setup, const Collocation& method, const Mesh& mesh, const Path& path,
                         const std::function<bool()>& go_on) {
  const double duration = path.end() - path.start();
  if (setup.duration || std::isfinite(setup.longest) || mesh.arcs.size() > 1) return false;
  if (control::has_constant_cost(setup.problem)) return false;
  if (!(duration > far * guessed_duration(setup))) return false;
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

}  // namespace herglotz::solve
