#pragma once
/// Abilities of the terminal: colours and widths, which are used only if a person reads the output.

#include <cstdio>
#include <string>
#include <string_view>

namespace herglotz::app {

enum class Style { plain, bold, dim, good, bad };

/// Returns true for a terminal that is not "dumb".
bool is_terminal(std::FILE* stream);
/// Returns the text with colour codes if the stream is a terminal and NO_COLOR is unset or empty; else the text itself.
std::string styled(std::FILE* stream, Style style, std::string_view text);
/// Returns the number of columns of the terminal behind the stream, or 100 if there is none.
std::size_t terminal_width(std::FILE* stream);

}  // namespace herglotz::app
