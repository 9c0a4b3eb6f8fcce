#include "symmetry_ansatz.hpp"

#include <algorithm>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/factor.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;

constexpr std::size_t most_unknowns = 420;
constexpr std::size_t largest_determinant = 6;

/// Returns everything that the base may enter.
std::vector<Expr> functions_of(const System& system) {
  std::vector<Expr> functions{symbolic::expand_lets(system.generator)};
  for (const auto* list : {&system.forces, &system.constraints.equations})
    for (const Expr& f : *list) functions.push_back(symbolic::expand_lets(f));
  const auto& e = system.algebroid;
  for (const auto* matrix : {&e.rho, &e.sigma})
    functions.insert(functions.end(), matrix->entries.begin(), matrix->entries.end());
  for (const auto& [place, value] : e.c.nonzero()) functions.push_back(value);
  return functions;
}

/// The coordinates that may be angles, and those that need not be.
struct Coordinates {
  std::vector<Expr> angles;
  std::vector<Expr> lengths;
};

/// Returns the slopes by x of what is inside sines, cosines and tangents.
std::vector<Expr> slopes_inside(const System& system, const std::vector<Expr>& functions, const Expr& x) {
  auto& graph = system.graph();
  std::vector<Expr> slopes;
  for (const auto id : graph.reachable(functions))
    if (const Op op = graph.op(id); op == Op::sin || op == Op::cos || op == Op::tan)
      slopes.push_back(symbolic::simplify(symbolic::derivative(Expr(graph, graph.children(id).front()), x)));
  return slopes;
}

/// Returns whether one of the slopes is that of an angle, which no base coordinate changes: cos(x - y) turns with x,
/// and cos(x/y) does not.
bool has_an_angle(const System& system, const std::vector<Expr>& slopes) {
  return std::any_of(slopes.begin(), slopes.end(), [&](const Expr& slope) {
    return !slope.is_zero() && std::none_of(system.algebroid.x.begin(), system.algebroid.x.end(),
                                            [&](const Expr& x) { return symbolic::depends_on(slope, x); });
  });
}

Coordinates sorted(const System& system) {
  const auto functions = functions_of(system);
  Coordinates coordinates;
  for (const Expr& x : system.algebroid.x) {
    const bool absent =
        std::none_of(functions.begin(), functions.end(), [&](const Expr& f) { return symbolic::depends_on(f, x); });
    const bool angle = has_an_angle(system, slopes_inside(system, functions, x));
    if (angle || absent) coordinates.angles.push_back(x);
    if (!angle) coordinates.lengths.push_back(x);
  }
  return coordinates;
}

/// Returns the factors x, sin x and cos x of the determinant of W.
std::vector<Expr> denominators(const System& system) {
  if (system.r() > largest_determinant) return {};
  const auto W = symbolic::to_dense(system.graph(),
                                    symbolic::hessian(symbolic::expand_lets(system.generator), system.algebroid.y));
  std::vector<Expr> found;
  const Expr determinant = symbolic::simplify(symbolic::determinant(W));
  if (determinant.is_number()) return {};
  for (const Expr& factor : symbolic::factors_of_numerator(determinant)) {
    const auto is = [&](const Expr& x) { return factor == x || factor == sin(x) || factor == cos(x); };
    if (std::any_of(system.algebroid.x.begin(), system.algebroid.x.end(), is)) found.push_back(factor);
  }
  return found;
}

std::vector<Expr> with_quotients(const std::vector<Expr>& functions, const std::vector<Expr>& denominators) {
  std::vector<Expr> all = functions;
  for (const Expr& denominator : denominators)
    for (const Expr& f : functions)
      if (const Expr quotient = f / denominator; std::find(all.begin(), all.end(), quotient) == all.end())
        all.push_back(quotient);
  return all;
}

}  // namespace

bool is_angle(const System& system, const Expr& x) {
  return has_an_angle(system, slopes_inside(system, functions_of(system), x));
}

std::vector<Expr> symmetry_ansatz(const System& system, bool quadratic) {
  const auto coordinates = sorted(system);
  const std::size_t n = system.n();
  const Expr one = system.graph().number(std::int64_t{1});
  std::vector<Expr> waves{one};
  for (const Expr& x : coordinates.angles) waves.insert(waves.end(), {sin(x), cos(x)});
  std::vector<Expr> products = waves;
  for (std::size_t i = 0; i < coordinates.angles.size(); ++i)
    for (std::size_t j = i + 1; j < coordinates.angles.size(); ++j)
      for (const Expr& f : {sin(coordinates.angles[i]), cos(coordinates.angles[i])})
        for (const Expr& g : {sin(coordinates.angles[j]), cos(coordinates.angles[j])}) products.push_back(f * g);
  std::vector<Expr> lengths = coordinates.lengths;
  for (std::size_t i = 0; quadratic && i < coordinates.lengths.size(); ++i)
    for (std::size_t j = i; j < coordinates.lengths.size(); ++j)
      lengths.push_back(coordinates.lengths[i] * coordinates.lengths[j]);
  if (quadratic && (coordinates.lengths.empty() || system.n() * (lengths.size() + 1) > most_unknowns)) return {};
  const auto below = denominators(system);
  std::vector<Expr> functions{one};
  // The richest ansatz with few enough unknowns is taken.
  for (auto candidate :
       {with_quotients(products, below), with_quotients(waves, below), waves, std::vector<Expr>{one}}) {
    candidate.insert(candidate.end(), lengths.begin(), lengths.end());
    if (n * candidate.size() > most_unknowns) continue;
    functions = std::move(candidate);
    break;
  }
  std::stable_sort(functions.begin(), functions.end(), [](const Expr& a, const Expr& b) {
    return a.is_number() != b.is_number() ? b.is_number() : symbolic::printed_size(a) > symbolic::printed_size(b);
  });
  return functions;
}

}  // namespace herglotz::mechanics
