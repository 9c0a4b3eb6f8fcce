#include "summary/findings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {

void print_finding(const simulate::Finding& finding) {
  const std::string judged =
      finding.judged.empty() ? "" : styled(stdout, finding.good ? Style::good : Style::bad, one_line(finding.judged));
  fmt::print("  {} {}{}{}\n", styled(stdout, Style::dim, fmt::format("{:<13}", one_line(finding.subject))),
             one_line(finding.before), judged, one_line(finding.after));
}

void print_findings_json(const mechanics::System& system, const simulate::Check& check) {
  using nlohmann::ordered_json;
  ordered_json object{{"model_name", system.name},
                      {"title", system.title},
                      {"reference", system.reference},
                      {"ok", check.ok()},
                      {"failure", check.refused ? check.refused->what() : check.failure},
                      {"consistent", check.consistent},
                      {"method", check.method.method},
                      {"method_reason", check.method.reason}};
  auto& symmetries = object["symmetries"] = ordered_json::array();
  for (const auto& symmetry : check.symmetries)
    symmetries.push_back({{"name", symmetry.name}, {"holds", symmetry.holds}, {"defect", symmetry.defect}});
  auto& laws = object["laws"] = ordered_json::array();
  for (const auto& law : check.laws)
    laws.push_back({{"name", law.name}, {"dissipated", law.dissipated}, {"source", law.source}});
  auto& findings = object["findings"] = ordered_json::array();
  std::string subject;
  for (const auto& finding : check.findings) {
    if (!finding.subject.empty()) subject = finding.subject;
    findings.push_back(
        {{"subject", subject}, {"text", finding.text()}, {"judged", finding.judged}, {"good", finding.good}});
  }
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

std::string order_in_words(int order) {
  return order == 0 ? "order of its discrete Lagrangian" : fmt::format("order {}", order);
}

}  // namespace herglotz::app
