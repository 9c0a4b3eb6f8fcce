#pragma once
/// The lines of `herglotz check`: a label, and what was found.

#include <string>
#include <string_view>

namespace herglotz::app {

/// Defects below this count as rounding.
inline constexpr double rounding = 1e-10;

/// Prints one line; an empty label continues the previous one.
void print_finding(std::string_view label, const std::string& text);
/// The text as good or bad news.
std::string judged(bool good, const std::string& text);

}  // namespace herglotz::app
