#pragma once
/// Programs of a discrete map and of its derivatives.

#include <string>
#include <vector>

#include "herglotz/mechanics/equations.hpp"

namespace herglotz::discrete {

/// Returns a program of the variables and the parameters of a system, without outputs.
symbolic::Program program_without_outputs(const mechanics::System& system, std::string name,
                                          std::vector<symbolic::Expr> variables);

/// Returns `program`, which has no outputs yet, with the derivatives of `outputs` by some of its variables that do not
/// vanish.
mechanics::SparseProgram derivative_program(symbolic::Program program, const std::vector<symbolic::Expr>& outputs,
                                            const std::vector<symbolic::Expr>& by);

}  // namespace herglotz::discrete
