#pragma once
/// Exit statuses of commands.

namespace herglotz::app {

enum ExitStatus : int { success = 0, bad_input = 2, run_failed = 3, interrupted = 130 };

}  // namespace herglotz::app
