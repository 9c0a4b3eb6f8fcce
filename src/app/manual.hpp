#pragma once
/// The manual page herglotz(1), written from the commands themselves.

#include <string>

namespace CLI {
class App;
}

namespace herglotz::app {

/// The page in the man macros of roff.
std::string manual_page(const CLI::App& app);

}  // namespace herglotz::app
