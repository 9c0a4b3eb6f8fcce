#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "terminal.hpp"

namespace herglotz::app {
namespace {

/// Breaks a text into lines of at most `width` columns, at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t cut = text.rfind(' ', width);
    if (cut == std::string_view::npos || cut == 0) cut = std::min(text.find(' '), text.size());
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
  }
  if (!text.empty()) lines.emplace_back(text);
  return lines;
}

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const auto& method : integrate::methods()) {
    list.push_back({{"name", method.name},
                    {"order", method.order},
                    {"adaptive", method.adaptive},
                    {"algebroids", method.algebroids},
                    {"constraints", method.constraints},
                    {"preserves", method.preserves}});
  }
  fmt::print("{}\n", list.dump(2));
}

void print_table() {
  constexpr std::size_t indent = 22;
  const std::size_t width = std::clamp<std::size_t>(terminal_width(stdout), 60, 120) - indent - 12;
  const auto field = [&](std::string_view label, std::string_view text) {
    std::string_view shown = label;
    for (const auto& part : wrapped(text, width)) {
      fmt::print("{:{}}{} {}\n", "", indent, styled(stdout, Style::dim, fmt::format("{:<11}", shown)), part);
      shown = "";
    }
  };
  for (const auto& method : integrate::methods()) {
    fmt::print("{}  order {}, {}\n", styled(stdout, Style::bold, fmt::format("{:<20}", method.name)), method.order,
               method.adaptive ? "adaptive (tolerance)" : "fixed step (step)");
    field("what", method.summary);
    field("algebroids", fmt::format("{}", fmt::join(method.algebroids, ", ")));
    field("constraints", method.constraints.empty() ? "unconstrained systems only"
                                                    : fmt::format("{}", fmt::join(method.constraints, ", ")));
    field("preserves",
          method.preserves.empty() ? "nothing exactly" : fmt::format("{}", fmt::join(method.preserves, "; ")));
  }
  fmt::print(
      "\n`auto` chooses: the adaptive reference for a tolerance, a contact Gauss method for a step; it says why.\n");
}

}  // namespace

int methods(const std::string& format) {
  format == "json" ? print_json() : print_table();
  return success;
}

}  // namespace herglotz::app
