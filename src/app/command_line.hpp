#pragma once
/// The command line: what may be typed, its help, and its mistakes.

namespace herglotz::app {

/// Parses and runs; returns the exit status. Throws io::InputError for a mistake in what was typed.
int run_command_line(int argc, const char* const* argv);

}  // namespace herglotz::app
