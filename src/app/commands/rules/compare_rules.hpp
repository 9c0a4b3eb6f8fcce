#pragma once
/// `herglotz check MODEL --compare-rules`: both rules of constraints from one start.

#include <optional>

#include "commands/commands.hpp"

namespace herglotz::app {

struct RuleArguments {
  bool asked = false;
  std::optional<double> t_end;  ///< end of the motion; by default that of the model
};

/// Says whether a vakonomic motion from the start of the model is the nonholonomic one, and returns the exit status.
int compare_rules(const CheckArguments& arguments, const RuleArguments& rules);

}  // namespace herglotz::app
