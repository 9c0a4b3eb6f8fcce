#pragma once
/// Programs of functions with their first and second derivatives.

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Returns values, Jacobian, and, if `second`, the lower triangle of the Hessian of mu . functions by the variables.
StagePrograms with_derivatives(const Problem& problem, const std::string& name, const std::vector<Expr>& variables,
                               const std::vector<Expr>& functions, bool second = true);

}  // namespace herglotz::control
