#pragma once
/// How a run is done, as far as the command line says.

#include "commands/commands.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::app {

/// What the command line says replaces what the file says; --step and --tolerance exclude each other, as do the two
/// ways to say when states are stored. Throws io::InputError.
void override_settings(simulate::Settings& settings, const RunArguments& arguments);

}  // namespace herglotz::app
