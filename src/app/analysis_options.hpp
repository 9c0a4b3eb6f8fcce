#pragma once
/// Options of the commands that analyse a system: fit and linearise.

#include <CLI/CLI.hpp>

#include "commands/fit.hpp"
#include "commands/linearise.hpp"

namespace herglotz::app {

void add_fit(CLI::App& app, FitArguments& to);
void add_linearise(CLI::App& app, LineariseArguments& to);

}  // namespace herglotz::app
