#pragma once
/// Manual page herglotz(1), generated from the commands themselves.

#include <string>

namespace CLI {
class App;
}

namespace herglotz::app {

/// Returns the name of a command with those of the commands it belongs to, such as "herglotz models copy".
std::string full_name(const CLI::App& app);

/// Returns the page in the man macros of roff.
std::string manual_page(const CLI::App& app);

}  // namespace herglotz::app
