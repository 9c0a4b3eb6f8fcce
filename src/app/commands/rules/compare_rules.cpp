#include "commands/rules/compare_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "herglotz/error.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/simulate/rule_comparison.hpp"
#include "model_source.hpp"
#include "summary/findings.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::string json_of(const simulate::RuleComparison& found) {
  nlohmann::ordered_json multipliers = nlohmann::ordered_json::object();
  for (const auto& [name, value] : found.multipliers) multipliers[name] = value;
  nlohmann::ordered_json entry;
  entry["agree"] = found.agree;
  entry["multipliers"] = multipliers;
  entry["freedom"] = found.freedom;
  entry["residual"] = found.residual;
  entry["t_end"] = found.t_end;
  return entry.dump(2);
}

void print_for_people(const mechanics::System& system, const simulate::RuleComparison& found) {
  fmt::print("{}\n", one_line(simulate::heading(system, system.name)));
  std::vector<std::string> values;
  for (const auto& [name, value] : found.multipliers) values.push_back(fmt::format("{} = {:.10g}", name, value));
  const std::string start = fmt::format(" to t = {:.6g}, with {} at the start", found.t_end, fmt::join(values, ", "));
  simulate::Finding finding{.subject = "rules", .before = "", .judged = "", .after = "", .good = found.agree};
  finding.judged = found.agree ? "the vakonomic motion is the nonholonomic one"
                               : "no vakonomic motion from this start is the nonholonomic one";
  finding.after = found.agree ? start : "; the nearest" + start;
  print_finding(finding);
  std::string left = fmt::format("residual {:.1e}", found.residual);
  if (found.freedom > 0)
    left += fmt::format("; {} combination{} of multipliers may have any value", found.freedom,
                        found.freedom == 1 ? "" : "s");
  print_finding({.subject = "", .before = left, .judged = "", .after = "", .good = true});
}

}  // namespace

int compare_rules(const CheckArguments& arguments, const RuleArguments& rules) {
  const ModelText source = read_model_text(arguments.model);
  Model model{source.file, io::parse_model(source.text, source.file)};
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  try {
    const auto found = simulate::compare_rules(model.problem, rules.t_end);
    if (arguments.format == "json")
      fmt::print("{}\n", json_of(found));
    else
      print_for_people(model.problem.system, found);
    return success;
  } catch (const simulate::RunFailed& failed) {
    complain(fmt::format("{}: {}", model.file, failed.what()));
    return run_failed;
  } catch (const Refused& refusal) {
    refuse(model, refusal.where(), refusal);
  }
}

}  // namespace herglotz::app
