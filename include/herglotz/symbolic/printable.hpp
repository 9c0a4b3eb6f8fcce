#pragma once
/// Text of users made fit for a terminal, a comment or a page.

#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// The text with control characters shown as escapes, such as \x1b, \u009b or \u202e: those of ASCII and ISO 6429,
/// separators of lines and paragraphs, the ones that change the direction of writing, and bytes that are not UTF-8.
/// Line ends and tabs are kept.
std::string printable(std::string_view text);

/// The same with line ends and tabs as blanks: it cannot end the line, heading or comment in which it stands.
std::string one_line(std::string_view text);

/// Whether the bytes are UTF-8.
bool is_utf8(std::string_view text);

}  // namespace herglotz::symbolic
