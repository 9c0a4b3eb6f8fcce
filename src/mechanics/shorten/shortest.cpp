#include "shorten/shortest.hpp"

#include <algorithm>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/on_constraint.hpp"
#include "shorten/quotient_ring.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Expr;

/// Expressions longer than this are not simplified: no one reads them, and it takes long.
constexpr std::size_t largest_form = 120;
/// Expressions with more nodes than this do not even get a normal form.
constexpr std::size_t largest_normal = 1500;

}  // namespace

Expr shortest(Expr f, symbolic::Effort& effort, const std::vector<Expr>& relations, const std::vector<Expr>& first) {
  if (effort.is_spent() || f.is_number() || (f.arity() == 0 && relations.empty())) return f;
  std::vector<Expr> forms{f};
  std::vector<Expr> all = relations;
  all.push_back(f);
  const auto nodes = f.graph().reachable(all);
  // The two orders differ only in the places of sines and cosines.
  const bool trigonometric = std::any_of(nodes.begin(), nodes.end(), [&](symbolic::NodeId id) {
    const symbolic::Op op = f.graph().op(id);
    return op == symbolic::Op::sin || op == symbolic::Op::cos || op == symbolic::Op::tan;
  });
  if (nodes.size() <= largest_normal)
    for (const auto order : {QuotientRing::Order::sines_first, QuotientRing::Order::cosines_first}) {
      if (!trigonometric && order == QuotientRing::Order::cosines_first) continue;
      const auto normal = QuotientRing(f.graph(), relations, first, order, effort)(f);
      if (normal && std::find(forms.begin(), forms.end(), *normal) == forms.end()) forms.push_back(*normal);
    }
  const std::size_t equal_forms = forms.size();
  for (std::size_t k = 0; k < equal_forms; ++k)
    if (symbolic::printed_size(forms[k]) <= largest_form) forms.push_back(symbolic::simplify(forms[k], effort));
  return *std::min_element(forms.begin(), forms.end(),
                           [](Expr a, Expr b) { return symbolic::printed_size(a) < symbolic::printed_size(b); });
}

std::vector<Expr> shortest(std::vector<Expr> f, symbolic::Effort& effort) {
  for (Expr& e : f) e = shortest(e, effort);
  return f;
}

symbolic::Matrix shortest(symbolic::Matrix m, symbolic::Effort& effort) {
  m.entries = shortest(m.entries, effort);
  return m;
}

bool is_zero(Expr f, symbolic::Effort& effort) {
  const Expr shorter = shortest(f, effort);
  if (shorter.is_zero() || !effort.is_spent()) return shorter.is_zero();
  return OnConstraint({}, {}, effort).vanishes(shorter);
}

}  // namespace herglotz::mechanics
