#pragma once
/// Text and numbers in the form in which a page carries them.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace herglotz::report {

/// Returns the value as JSON. NaN and infinities, which JSON does not have, become strings.
nlohmann::json number(double value);
/// Returns the text escaped so that it may stand in an element or an attribute, with control characters as text.
std::string html(std::string_view text);
/// Returns bytes as letters, digits and two signs, four for three bytes (RFC 4648, Sec. 4).
std::string base64(std::string_view bytes);
/// Permissions that a page gives to scripts besides its own one.
enum class Policy {
  own_script,
  webassembly  ///< compile WebAssembly
};
/// Returns the whole page with its title, its summary for readers without JavaScript (as HTML), and its data.
std::string filled_page(const std::string& title, const std::string& summary, const nlohmann::json& data,
                        Policy policy = Policy::own_script);

}  // namespace herglotz::report
