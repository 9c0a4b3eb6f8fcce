#include "herglotz/symbolic/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace herglotz::symbolic {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0 if the bytes are not UTF-8
};

/// Returns the first character of the text. Overlong forms, surrogates and codes beyond U+10FFFF are not UTF-8.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead >= 0xf8 || text.size() < length) return {};
  char32_t code = lead & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (byte(k) & 0x3fU);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? Character{code, length} : Character{};
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// Returns the number in base 16 with at least the given number of digits.
std::string hexadecimal(std::uint32_t code, std::size_t digits) {
  std::string text;
  for (; code > 0 || text.size() < digits; code /= 16) text.insert(0, 1, "0123456789abcdef"[code % 16]);
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t length = std::max<std::size_t>(character.length, 1);
    const auto code = static_cast<std::uint32_t>(character.code);
    if (character.length == 0) {
      shown += "\\x" + hexadecimal(static_cast<std::uint8_t>(text.front()), 2);
    } else if (!is_control(character.code) || code == '\n' || code == '\t') {
      shown += text.substr(0, length);
    } else {
      shown += code < 0x80 ? "\\x" + hexadecimal(code, 2) : "\\u" + hexadecimal(code, 4);
    }
    text.remove_prefix(length);
  }
  return shown;
}

std::string one_line(std::string_view text) {
  std::string line = printable(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = first_of(text).length;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace herglotz::symbolic
