#include "toml/quoting.hpp"

#include <fmt/format.h>

namespace herglotz::io {

std::string toml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (code < 0x20 || code == 0x7f)
      result += fmt::format("\\u{:04x}", code);
    else
      result += c;
  }
  return result;
}

std::string toml_string(std::string_view text) {
  return '"' + toml_escaped(text) + '"';
}

}  // namespace herglotz::io
