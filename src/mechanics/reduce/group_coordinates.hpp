#pragma once
/// Coordinates of the second kind of a Lie group, by the adjoint representation alone.

#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::mechanics {

/// Matrices of g = exp(g^1 X_1) .. exp(g^d X_d) for vector fields with [X_A, X_B] = c^C_AB X_C, where g acts by the
/// flows of X_A for the times g^A, the last first.
struct GroupMatrices {
  symbolic::Matrix rates;    ///< g_dot = rates eta, for (g^-1 g_dot)^A = eta^A (d x d)
  symbolic::Matrix adjoint;  ///< X_A(g s) = adjoint(B, A) g_* X_B(s) (d x d)
};

/// Throws Refused if a factor exp(g^A ad_A) has no closed form: ad_A must be nilpotent, or N = ad_A must
/// have N^3 = a N or N^2 = a N.
GroupMatrices group_matrices(const geometry::StructureFunctions& c, const std::vector<symbolic::Expr>& g);

}  // namespace herglotz::mechanics
