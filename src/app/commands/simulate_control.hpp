#pragma once
/// `simulate` for a problem of control: its motion under given controls.

#include "commands/commands.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {

/// Follows a model under the controls of its [guess], and returns the exit status. `data` is the place of CSV on
/// standard output, or nullptr.
int simulate_control(const ModelText& source, const SimulateArguments& arguments, DataOutput* data);

/// Follows the model of a solution under its controls, and prints how far the end and the cost are from the solution.
int replay_solution(const SimulateArguments& arguments, DataOutput* data);

}  // namespace herglotz::app
