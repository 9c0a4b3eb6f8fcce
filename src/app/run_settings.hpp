#pragma once
/// Settings of a run that the command line overrides.

#include "commands/commands.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::app {

/// Replaces the settings of the file by the settings of the command line. Throws io::InputError for values out of
/// range, and if both --step and --tolerance or both --output-every and --output-step are given.
void override_settings(simulate::Settings& settings, const RunArguments& arguments);

}  // namespace herglotz::app
