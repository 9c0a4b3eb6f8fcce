#include "page/markup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "herglotz/symbolic/printable.hpp"
#include "page/page.hpp"

namespace herglotz::report {

using nlohmann::json;

namespace {

/// Returns JSON text that may stand inside a script element. Only `<` can do harm there (`</script`, `<!--`); the other
/// characters are escaped so that no reader of the page has to know that. In JSON these characters occur in strings
/// only, where \uXXXX is equivalent.
std::string script_safe(const std::string& text) {
  std::string safe;
  safe.reserve(text.size() + text.size() / 16);
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace

json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

std::string html(std::string_view text) {
  std::string safe;
  for (const char c : symbolic::printable(text)) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* to = text.data();
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t held = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8U | (i < held ? static_cast<std::uint8_t>(bytes[k + i]) : 0U);
    for (std::size_t i = 0; i <= held; ++i) to[i] = letters[group >> (18U - 6U * i) & 63U];
    to += 4;
  }
  return text;
}

std::string filled_page(const std::string& title, const std::string& summary, const json& data, Policy policy) {
  const Page& parts = page();
  std::string text(parts.before_policy);
  if (policy == Policy::webassembly) text += " 'wasm-unsafe-eval'";
  text += parts.before_title;
  text += html(title);
  text += parts.before_summary;
  text += summary;
  text += parts.before_run;
  text += script_safe(data.dump(-1, ' ', true, json::error_handler_t::replace));
  text += parts.end;
  return text;
}

}  // namespace herglotz::report
