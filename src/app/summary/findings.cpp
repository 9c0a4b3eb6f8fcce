#include "summary/findings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "herglotz/symbolic/print.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {

void print_finding(const simulate::Finding& finding) {
  const std::string judged =
      finding.judged.empty() ? "" : styled(stdout, finding.good ? Style::good : Style::bad, one_line(finding.judged));
  fmt::print("  {} {}{}{}\n", styled(stdout, Style::dim, fmt::format("{:<13}", one_line(finding.subject))),
             one_line(finding.before), judged, one_line(finding.after));
}

namespace {

using nlohmann::ordered_json;

std::string text_of(const symbolic::Expr& f) {
  return symbolic::print(symbolic::simplify(f));
}

}  // namespace

ordered_json singular_json(const std::optional<mechanics::SingularAnalysis>& singular) {
  if (!singular) return nullptr;
  ordered_json object{{"consistent", singular->consistent()}, {"levels", singular->levels()}};
  auto& constraints = object["constraints"] = ordered_json::array();
  for (const auto& constraint : singular->constraints)
    constraints.push_back({{"level", constraint.level}, {"expression", text_of(constraint.expression)}});
  object["dim_total"] = singular->dim_total();
  for (const char* key : {"dim_final", "arbitrary_functions", "undetermined", "dim_gauge_orbits", "dim_physical",
                          "contradiction", "contradiction_level"})
    object[key] = nullptr;
  if (singular->contradiction) {
    object["contradiction"] = text_of(singular->contradiction->expression);
    object["contradiction_level"] = singular->contradiction->level;
    return object;
  }
  object["dim_final"] = singular->dim_final;
  object["arbitrary_functions"] = singular->undetermined.size();
  object["undetermined"] = ordered_json::array();
  for (const auto& symbol : singular->undetermined) object["undetermined"].push_back(std::string(symbol.name()));
  if (singular->dim_gauge_orbits) {
    object["dim_gauge_orbits"] = *singular->dim_gauge_orbits;
    object["dim_physical"] = singular->dim_final - *singular->dim_gauge_orbits;
  }
  return object;
}

ordered_json findings_json(const std::vector<simulate::Finding>& findings) {
  ordered_json list = ordered_json::array();
  std::string subject;
  for (const auto& finding : findings) {
    if (!finding.subject.empty()) subject = finding.subject;
    const char* verdict = finding.judged.empty() ? "note" : finding.good ? "holds" : "fails";
    list.push_back({{"subject", subject},
                    {"text", finding.text()},
                    {"judged", finding.judged},
                    {"good", finding.good},
                    {"what", subject},
                    {"verdict", verdict},
                    {"detail", finding.text()}});
  }
  return list;
}

void print_findings_json(const mechanics::System& system, const simulate::Check& check) {
  ordered_json object{{"model", system.name},
                      {"model_name", system.name},
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
  auto& dissipated = object["dissipated"] = ordered_json::array();
  for (const auto& f : check.dissipated)
    dissipated.push_back({{"name", f.name}, {"holds", f.holds}, {"defect", f.defect}, {"dissipated", f.dissipated}});
  auto& laws = object["laws"] = ordered_json::array();
  for (const auto& law : check.laws)
    laws.push_back({{"name", law.name}, {"dissipated", law.dissipated}, {"source", law.source}});
  object["singular"] = singular_json(check.singular);
  object["findings"] = findings_json(check.findings);
  fmt::print("{}\n", object.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

std::string order_in_words(int order) {
  return order == 0 ? "order of its discrete Lagrangian" : fmt::format("order {}", order);
}

}  // namespace herglotz::app
