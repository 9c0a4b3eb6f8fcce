#pragma once
/// What the terminal can show: colours and widths, only where a person looks.

#include <cstdio>
#include <string>
#include <string_view>

namespace herglotz::app {

enum class Style { plain, bold, dim, good, bad };

/// True for a terminal that is not "dumb".
bool is_terminal(std::FILE* stream);
/// The text with colour codes when the stream is a terminal and NO_COLOR is unset or empty; else the text itself.
std::string styled(std::FILE* stream, Style style, std::string_view text);
/// Columns of the terminal behind the stream; 100 when there is none.
std::size_t terminal_width(std::FILE* stream);

}  // namespace herglotz::app
