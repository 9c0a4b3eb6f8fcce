#include "herglotz/control/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "herglotz/integrate/capabilities.hpp"
#include "summary/findings.hpp"
#include "terminal/terminal.hpp"

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
                    {"verb", "simulate"},
                    {"order", method.order},
                    {"adaptive", method.adaptive},
                    {"algebroids", method.algebroids},
                    {"constraints", method.constraints},
                    {"preserves", method.preserves},
                    {"switches", integrate::locates_switches(method)},
                    {"friction", integrate::follows_friction(method)}});
  }
  for (const auto& method : control::methods()) {
    list.push_back({{"name", method.name},
                    {"verb", "solve"},
                    {"order", method.order},
                    {"adaptive", method.adaptive},
                    {"algebroids", {method.algebroids}},
                    {"constraints", {"nonholonomic", "vakonomic"}},
                    {"preserves", {method.multipliers}},
                    {"switches", false},
                    {"friction", false}});
  }
  fmt::print("{}\n", list.dump(2));
}

/// Returns the name without its order: methods of a family differ in little else.
std::string family_of(const integrate::MethodInfo& method) {
  const std::size_t dash = method.name.rfind('-');
  const bool numbered = dash != std::string::npos && dash + 1 < method.name.size() &&
                        method.name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
  return numbered ? method.name.substr(0, dash) : method.name;
}

bool are_alike(const integrate::MethodInfo& a, const integrate::MethodInfo& b) {
  return family_of(a) == family_of(b) && a.adaptive == b.adaptive && a.algebroids == b.algebroids &&
         a.constraints == b.constraints && a.preserves == b.preserves;
}

/// Returns groups of methods that differ in their order only, in the order of the registry.
std::vector<std::vector<integrate::MethodInfo>> families() {
  std::vector<std::vector<integrate::MethodInfo>> all;
  for (const auto& method : integrate::methods()) {
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const auto& family) { return are_alike(family.front(), method); });
    if (known == all.end())
      all.push_back({method});
    else
      known->push_back(method);
  }
  return all;
}

void print_field(std::string_view label, Style style, std::size_t indent, std::string_view text) {
  constexpr std::size_t column = 26;
  const std::size_t width = std::clamp<std::size_t>(terminal_width(stdout), 70, 120) - column - 1;
  bool first = true;
  for (const auto& part : wrapped(text, width)) {
    const std::string shown = fmt::format("{:{}}{:<{}}", "", indent, first ? label : "", column - indent);
    fmt::print("{}{}\n", first ? styled(stdout, style, shown) : shown, part);
    first = false;
  }
}

/// Returns the summary of a method, without the words that its order and its family state already.
std::string summary_of(const integrate::MethodInfo& method) {
  std::string summary = method.summary;
  for (const std::string& repeated : {fmt::format(", order {}", method.order), std::string(", fixed step")})
    if (summary.ends_with(repeated)) summary.resize(summary.size() - repeated.size());
  const bool grows = method.adaptive && method.order == 0;
  return fmt::format("{}: {}", grows ? "order by the tolerance" : order_in_words(method.order), summary);
}

void print_family(const std::vector<integrate::MethodInfo>& family) {
  for (const auto& method : family) print_field(method.name, Style::bold, 0, summary_of(method));
  const auto& common = family.front();
  print_field("step", Style::dim, 2, common.adaptive ? "adaptive (tolerance)" : "fixed (step)");
  print_field("algebroids", Style::dim, 2, fmt::format("{}", fmt::join(common.algebroids, ", ")));
  print_field("constraints", Style::dim, 2,
              common.constraints.empty() ? "unconstrained systems only"
                                         : fmt::format("{}", fmt::join(common.constraints, ", ")));
  print_field("preserves", Style::dim, 2,
              common.preserves.empty() ? "nothing exactly" : fmt::format("{}", fmt::join(common.preserves, "; ")));
  print_field("switches", Style::dim, 2,
              !integrate::locates_switches(common)  ? "not located: order 1 there"
              : integrate::follows_friction(common) ? "steps end there; friction sticks and slips"
                                                    : "steps end there");
}

void print_table() {
  for (const auto& family : families()) {
    print_family(family);
    fmt::print("\n");
  }
  fmt::print("{}\n",
             fmt::join(wrapped("`auto` chooses: for a tolerance the adaptive reference, for a step a contact Gauss "
                               "method, for a step and [discrete] the discrete Herglotz equations; it says why.",
                               std::clamp<std::size_t>(terminal_width(stdout), 70, 120)),
                       "\n"));
  fmt::print("\n{}\n\n", styled(stdout, Style::bold, "Methods of `herglotz solve`"));
  print_field("auto", Style::bold, 0, "direct-gauss-6, then shooting where it converges");
  for (const auto& method : control::methods()) {
    const std::string order = method.order == 0 ? "order of [discrete]" : order_in_words(method.order);
    print_field(method.name, Style::bold, 0,
                fmt::format("{}; its multipliers are those of {}", order, method.multipliers));
  }
}

}  // namespace

int methods(const std::string& format) {
  format == "json" ? print_json() : print_table();
  return success;
}

}  // namespace herglotz::app
