#pragma once
/// Where a command may write.

#include <string>
#include <vector>

namespace herglotz::app {

/// Throws io::InputError when `file` (of the option so named) has none of the endings or its folder cannot be written,
/// so that a long run is not lost at its end. An empty file is fine: nothing is to be written.
void check_destination(const std::string& option, const std::string& file, const std::vector<std::string>& endings);

/// Throws io::InputError if something stands there that may not be replaced without --force: a file that is not ours,
/// or a complete sweep.
void check_occupant(const std::string& option, const std::string& file, bool force);

}  // namespace herglotz::app
