#include "constraint_kind.hpp"

#include <algorithm>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::app {

std::string constraint_kind(symbolic::Expr equation, const mechanics::System& system) {
  const auto& y = system.w();
  const auto uses_velocity = [&](symbolic::Expr f) {
    return std::any_of(y.begin(), y.end(), [&](symbolic::Expr v) { return symbolic::depends_on(f, v); });
  };
  const symbolic::Expr whole = symbolic::simplify(symbolic::expand(symbolic::expand_lets(equation)));
  if (!uses_velocity(whole)) return "holonomic";
  for (const auto& slope : symbolic::gradient(whole, y))
    if (uses_velocity(symbolic::simplify(slope))) return "nonlinear in the velocities";
  const std::vector<symbolic::Expr> zero(y.size(), system.graph().number(std::int64_t{0}));
  return symbolic::simplify(symbolic::substitute(whole, y, zero)).is_zero() ? "linear in the velocities"
                                                                            : "affine in the velocities";
}

}  // namespace herglotz::app
