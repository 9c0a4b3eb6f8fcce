#pragma once
/// Findings of `check` about a problem of control.

#include "commands/commands.hpp"
#include "model_source.hpp"

namespace herglotz::app {

/// Prints the numbers of unknowns and conditions, the bounds, and the controls in which the Hamiltonian is linear.
/// Returns the exit status.
int check_control(const ModelText& source, const CheckArguments& arguments);

}  // namespace herglotz::app
