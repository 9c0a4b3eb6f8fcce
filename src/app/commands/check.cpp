#include "herglotz/simulate/check.hpp"

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "herglotz/io/model_file.hpp"
#include "model_source.hpp"
#include "summary/findings.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {

int check(const CheckArguments& arguments) {
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  const auto& system = model.problem.system;
  bool first = true;
  const auto print = [&](const simulate::Finding& finding) {
    if (first) fmt::print("{}\n", simulate::heading(system, styled(stdout, Style::bold, system.name)));
    first = false;
    print_finding(finding);
  };
  try {
    const auto result = simulate::check(model.problem, print);
    std::fflush(stdout);
    if (result.refused) throw simulate::Refused(*result.refused);
    if (result.ok()) return success;
    fmt::print(stderr, "{}: {}\n", model.file, result.failure);
    return run_failed;
  } catch (const simulate::Refused& refusal) {
    refuse(model, refusal.key, refusal.what());
  }
}

}  // namespace herglotz::app
