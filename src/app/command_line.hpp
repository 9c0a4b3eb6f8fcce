#pragma once
/// Command line: its grammar, its help, and the messages for mistakes.

namespace herglotz::app {

/// Parses the command line, runs the command and returns the exit status. Throws io::InputError for a mistake in the
/// command line.
int run_command_line(int argc, const char* const* argv);

}  // namespace herglotz::app
