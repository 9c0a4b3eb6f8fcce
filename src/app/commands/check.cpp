#include "herglotz/simulate/check.hpp"

#include <fmt/format.h>

#include "commands/check_control.hpp"
#include "commands/commands.hpp"
#include "commands/families.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/problem_file.hpp"
#include "model_source.hpp"
#include "summary/findings.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::string heading(const mechanics::System& system) {
  const std::string name = one_line(system.name);
  return styled(stdout, Style::bold, name) + one_line(simulate::heading(system, system.name)).substr(name.size());
}

}  // namespace

int check(const CheckArguments& arguments) {
  const ModelText source = read_model_text(arguments.model);
  if (io::states_control(source.text, source.file)) return check_control(source, arguments);
  if (io::states_families(source.text, source.file)) return check_families(source, arguments);
  Model model{source.file, io::parse_model(source.text, source.file)};
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  const auto& system = model.problem.system;
  const bool json = arguments.format == "json";
  bool first = true;
  const auto print = [&](const simulate::Finding& finding) {
    if (first) fmt::print("{}\n", heading(system));
    first = false;
    print_finding(finding);
  };
  try {
    const auto result = simulate::check(model.problem, json ? std::function<void(const simulate::Finding&)>() : print);
    if (json) print_findings_json(system, result);
    std::fflush(stdout);
    if (result.refused) throw Refused(*result.refused);
    if (result.ok()) return success;
    complain(fmt::format("{}: {}", model.file, result.failure));
    return run_failed;
  } catch (const Refused& refusal) {
    refuse(model, refusal.where(), refusal);
  }
}

}  // namespace herglotz::app
