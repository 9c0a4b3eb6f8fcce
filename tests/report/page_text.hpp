#pragma once
/// What a browser would take from a rendered page.

#include <nlohmann/json.hpp>
#include <string>

namespace herglotz::report {

/// The text between `before` and `after`; empty when one of them is missing.
inline std::string between(const std::string& page, const std::string& before, const std::string& after) {
  const auto first = page.find(before);
  if (first == std::string::npos) return "";
  const auto start = first + before.size();
  const auto end = page.find(after, start);
  return end == std::string::npos ? "" : page.substr(start, end - start);
}

inline nlohmann::json run_of(const std::string& page) {
  return nlohmann::json::parse(between(page, R"(<script type="application/json" id="run">)", "</script>"));
}

inline std::size_t count(const std::string& page, const std::string& what) {
  std::size_t found = 0;
  for (auto at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++found;
  return found;
}

}  // namespace herglotz::report
