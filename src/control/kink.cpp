#include "herglotz/control/kink.hpp"

namespace herglotz::control {

std::optional<Kink> kink_of(symbolic::Expr node) {
  using symbolic::Op;
  if (node.op() == Op::abs) return Kink{node, node.child(0), -node.child(0), true};
  if (node.op() != Op::select) return std::nullopt;
  const symbolic::Expr a = node.child(0);
  const symbolic::Expr b = node.child(1);
  if (node.child(2) == a && node.child(3) == b) return Kink{node, a, b, true};
  if (node.child(2) == b && node.child(3) == a) return Kink{node, a, b, false};
  return std::nullopt;
}

}  // namespace herglotz::control
