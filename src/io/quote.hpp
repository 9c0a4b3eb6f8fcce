#pragma once
/// Functions that make users' text fit for one-line messages.

#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Returns the text with control characters replaced by spaces. A text of more than `longest` bytes is cut at a whole
/// character.
std::string one_line(std::string_view text, std::size_t longest);
/// Returns 'text' in single quotes, cut to 60 bytes.
std::string in_quotes(std::string_view text);
/// Returns the names as a list such as "a, b and c", in which `last` precedes the last name. A long list is cut.
std::string listing(const std::vector<std::string>& names, std::string_view last = ", ");

}  // namespace herglotz::io
