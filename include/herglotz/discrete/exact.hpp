#pragma once
/// Exact discrete Lagrangians as formulas. [ASMLL20, Sec. 4].

#include <optional>

#include "herglotz/discrete/discrete_lagrangian.hpp"

namespace herglotz::discrete {

/// Value of DiscreteLagrangian::rule for an exact discrete Lagrangian.
inline constexpr const char* exact_rule = "exact, in closed form";
/// Value for one without a formula. Its discrete motion is the motion itself at every step [ASMLL20, Thm 4.4].
inline constexpr const char* exact_motion_rule = "exact, by the motion";

/// Returns the exact discrete Lagrangian [ASMLL20, Eq. 61] as a formula, for linear systems in independent coordinates:
/// L = sum_i (m v^2/2 + b q v + a v - k q^2/2 + f q)_i + c + gamma z with coefficients of numbers and parameters,
/// without forces, where f = a = 0 if k = gamma b. With q'' = gamma q' - kappa q and theta^2 = kappa - gamma^2/4 it has
/// sines or hyperbolic sines by the sign of theta^2 at the values of the parameters. Returns `std::nullopt` for any
/// other system; throws as discrete_symbols does.
std::optional<DiscreteLagrangian> exact_in_closed_form(const mechanics::System& system);

/// Returns the exact discrete Lagrangian of a system without constraints, on the groupoid of any algebroid, as a name:
/// its rule is exact_motion_rule, and ell is 0 and not to be evaluated.
DiscreteLagrangian exact_by_motion(const mechanics::System& system);
/// Returns whether the motion is followed in place of a formula.
bool is_followed(const DiscreteLagrangian& lagrangian);

}  // namespace herglotz::discrete
