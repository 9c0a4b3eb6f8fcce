#include "terminal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace herglotz::app {

bool is_terminal(std::FILE* stream) {
  const char* term = std::getenv("TERM");
  return isatty(fileno(stream)) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::string styled(std::FILE* stream, Style style, std::string_view text) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool refused = no_color != nullptr && *no_color != '\0';
  if (style == Style::plain || refused || !is_terminal(stream)) return std::string(text);
  const auto code = style == Style::bold ? "1" : style == Style::dim ? "2" : style == Style::good ? "32" : "1;31";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::size_t terminal_width(std::FILE* stream) {
  winsize size{};
  if (isatty(fileno(stream)) == 1 && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 100;
}

}  // namespace herglotz::app
