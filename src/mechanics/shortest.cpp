#include "shortest.hpp"

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "quotient_ring.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Expr;

/// Longer expressions are not simplified: no one reads them, and it takes long.
constexpr std::size_t largest_simplified = 600;
/// Of more nodes not even the normal form is tried.
constexpr std::size_t largest_normal = 3000;

}  // namespace

Expr shortest(Expr f, const std::vector<Expr>& relations, const std::vector<Expr>& first) {
  if (f.is_number() || (f.arity() == 0 && relations.empty())) return f;
  Expr best = f;
  const auto consider = [&](Expr candidate) {
    if (symbolic::printed_size(candidate) < symbolic::printed_size(best)) best = candidate;
  };
  const auto consider_simplified = [&](Expr candidate) {
    consider(candidate);
    if (symbolic::printed_size(candidate) <= largest_simplified) consider(symbolic::simplify(candidate));
  };
  consider_simplified(f);
  if (symbolic::printed_size(f) <= largest_simplified) consider_simplified(symbolic::expand(f));
  const std::vector<Expr> outputs{f};
  if (f.graph().reachable(outputs).size() > largest_normal) return best;
  for (const auto order : {QuotientRing::Order::sines_first, QuotientRing::Order::cosines_first}) {
    const auto normal = QuotientRing(f.graph(), relations, first, order)(f);
    if (normal) consider_simplified(*normal);
  }
  return best;
}

std::vector<Expr> shortest(std::vector<Expr> f) {
  for (Expr& e : f) e = shortest(e);
  return f;
}

symbolic::Matrix shortest(symbolic::Matrix m) {
  m.entries = shortest(m.entries);
  return m;
}

}  // namespace herglotz::mechanics
