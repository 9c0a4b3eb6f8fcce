#pragma once
/// The lines of `herglotz check`, a label and what was found, and words that other commands share with it.

#include <string>
#include <string_view>

namespace herglotz::app {

/// Defects below this count as rounding.
inline constexpr double rounding = 1e-10;

/// Prints one line; an empty label continues the previous one.
void print_finding(std::string_view label, const std::string& text);
/// "order 4"; that of a method that has the order of what it is given is said so.
std::string order_in_words(int order);
/// The text as good or bad news.
std::string judged(bool good, const std::string& text);

}  // namespace herglotz::app
