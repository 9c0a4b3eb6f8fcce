#pragma once
/// Requests of a page.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace herglotz::studio {

/// Returns a request whose parts have the types that its kind needs, or `std::nullopt`.
std::optional<nlohmann::json> read_request(const std::string& text);

}  // namespace herglotz::studio
