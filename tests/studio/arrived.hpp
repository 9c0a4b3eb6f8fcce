#pragma once
/// Requests of a page and runs that arrive at it.

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "message.hpp"

namespace herglotz::studio {

/// A run as the page reads it.
struct Arrived {
  nlohmann::json head;
  std::vector<double> numbers;
};

inline Arrived decoded(const Message& message) {
  std::uint32_t length = 0;
  std::memcpy(&length, message.bytes.data(), 4);
  const std::size_t start = (4 + length + 7) / 8 * 8;
  std::vector<double> numbers((message.bytes.size() - start) / sizeof(double));
  std::memcpy(numbers.data(), message.bytes.data() + start, numbers.size() * sizeof(double));
  return {nlohmann::json::parse(message.bytes.substr(4, length)), std::move(numbers)};
}

inline nlohmann::json request(const std::string& text, const nlohmann::json& changes = nlohmann::json::object(),
                              const std::string& method = {}) {
  return {{"kind", "run"}, {"id", 7}, {"text", text}, {"changes", changes}, {"method", method}};
}

}  // namespace herglotz::studio
