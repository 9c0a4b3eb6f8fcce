#pragma once
/// Text of users made fit for one-line messages.

#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Control characters become spaces; what is longer is cut at a whole character.
std::string one_line(std::string_view text, std::size_t longest);
/// 'text', cut to 60 characters.
std::string in_quotes(std::string_view text);
/// a, b and c; a long list is cut.
std::string listing(const std::vector<std::string>& names, std::string_view last = ", ");

}  // namespace herglotz::io
