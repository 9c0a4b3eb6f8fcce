#include "summary/findings.hpp"

#include <fmt/format.h>

#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {

void print_finding(const simulate::Finding& finding) {
  const std::string judged =
      finding.judged.empty() ? "" : styled(stdout, finding.good ? Style::good : Style::bad, one_line(finding.judged));
  fmt::print("  {} {}{}{}\n", styled(stdout, Style::dim, fmt::format("{:<13}", one_line(finding.subject))),
             one_line(finding.before), judged, one_line(finding.after));
}

std::string order_in_words(int order) {
  return order == 0 ? "order of its discrete Lagrangian" : fmt::format("order {}", order);
}

}  // namespace herglotz::app
