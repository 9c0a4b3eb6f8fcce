#pragma once
/// Text of users in a form that is safe in a terminal, a comment or a page.

#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// Returns the text with control characters shown as escapes, such as \x1b, \u009b or \u202e: control characters of
/// ASCII and ISO 6429, separators of lines and paragraphs, characters that change the direction of writing, and bytes
/// that are not UTF-8. Line ends and tabs are kept.
std::string printable(std::string_view text);

/// Returns `printable(text)` with line ends and tabs as blanks, so that it cannot end the line, heading or comment in
/// which it stands.
std::string one_line(std::string_view text);

/// Returns whether the bytes are UTF-8.
bool is_utf8(std::string_view text);

}  // namespace herglotz::symbolic
