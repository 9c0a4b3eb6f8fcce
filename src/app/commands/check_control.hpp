#pragma once
/// What `check` says about a problem of control.

#include "commands/commands.hpp"
#include "model_source.hpp"

namespace herglotz::app {

/// Prints the counts of unknowns and conditions, bounds and controls in which the Hamiltonian is linear.
int check_control(const ModelText& source, const CheckArguments& arguments);

}  // namespace herglotz::app
