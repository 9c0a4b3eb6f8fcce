#include "findings.hpp"

#include <fmt/format.h>

#include "terminal.hpp"

namespace herglotz::app {

void print_finding(std::string_view label, const std::string& text) {
  fmt::print("  {} {}\n", styled(stdout, Style::dim, fmt::format("{:<13}", label)), text);
}

std::string order_in_words(int order) {
  return order == 0 ? "order of its discrete Lagrangian" : fmt::format("order {}", order);
}

std::string judged(bool good, const std::string& text) {
  return styled(stdout, good ? Style::good : Style::bad, text);
}

}  // namespace herglotz::app
