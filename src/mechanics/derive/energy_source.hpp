#pragma once
/// Parts of the source of the energy law. Theory, Sec. 3.

#include "generator.hpp"

namespace herglotz::mechanics {

/// Returns the terms whose sum is f, with named definitions opened and constant factors multiplied into sums.
std::vector<Expr> summands(Expr f);
/// Returns lambda_A Phi^A_a s^a. For s = y this is the power of the nonholonomic constraint forces.
Expr constraint_power(const System& system, const Equations& equations, const std::vector<Expr>& s);
/// Adds c^k_ij y^i y^j p_k + (sigma - rho)^a_j y^j dL/dx^a, which is zero on skew algebroids with one anchor.
void add_bracket_power(Expr& power, const System& system, const Equations& equations, const Generator& generator);

}  // namespace herglotz::mechanics
