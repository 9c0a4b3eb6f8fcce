#pragma once
/// Parts of the source of the energy law. Theory, Sec. 3.

#include "generator.hpp"

namespace herglotz::mechanics {

/// The terms whose sum f is, through named definitions and constant factors of sums.
std::vector<Expr> summands(Expr f);
/// lambda_A Phi^A_a s^a: the power (for s = y) of the nonholonomic constraint forces.
Expr constraint_power(const System& system, const Equations& equations, const std::vector<Expr>& s);
/// Adds c^k_ij y^i y^j p_k + (sigma - rho)^a_j y^j dL/dx^a, which is zero on skew algebroids with one anchor.
void add_bracket_power(Expr& power, const System& system, const Equations& equations, const Generator& generator);

}  // namespace herglotz::mechanics
