#include "shortest.hpp"

#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

/// Longer expressions are kept as they are: no one reads them, and simplifying them takes long.
constexpr std::size_t largest_simplified = 1500;

}  // namespace

symbolic::Expr shortest(symbolic::Expr f) {
  if (f.is_number() || symbolic::printed_size(f) > largest_simplified) return f;
  const symbolic::Expr closed = symbolic::simplify(f);
  const symbolic::Expr open = symbolic::simplify(symbolic::expand(f));
  return symbolic::printed_size(open) < symbolic::printed_size(closed) ? open : closed;
}

std::vector<symbolic::Expr> shortest(std::vector<symbolic::Expr> f) {
  for (symbolic::Expr& e : f) e = shortest(e);
  return f;
}

symbolic::Matrix shortest(symbolic::Matrix m) {
  m.entries = shortest(m.entries);
  return m;
}

}  // namespace herglotz::mechanics
