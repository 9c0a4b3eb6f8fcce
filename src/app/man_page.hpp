#pragma once
/// The manual page, written from the commands themselves.

#include <string>

namespace CLI {
class App;
}

namespace herglotz::app {

/// The page in the language of man(7).
std::string man_page(const CLI::App& app);

}  // namespace herglotz::app
