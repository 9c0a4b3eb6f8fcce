#pragma once
/// Programs of the derivatives of a discrete map.

#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::discrete {

/// Returns `program`, which has no outputs yet, with the derivatives of `outputs` by some of its variables that do not
/// vanish.
mechanics::SparseProgram derivative_program(symbolic::Program program, const std::vector<symbolic::Expr>& outputs,
                                            const std::vector<symbolic::Expr>& by);

}  // namespace herglotz::discrete
