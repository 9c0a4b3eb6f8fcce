#include "herglotz/simulate/reduce.hpp"

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/model_text.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {

int reduce(const ReduceArguments& arguments) {
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  if (!arguments.out.empty()) {
    check_destination("--out", arguments.out, {".toml"});
    check_occupant("--out", arguments.out, arguments.force);
  }
  std::string text;
  try {
    const auto reduced = simulate::reduce_by_constraints(model.problem, arguments.fibre);
    text = io::text_of(reduced.problem, fmt::format("{} on the algebroid of its constraints", model.file));
    for (const auto& sentence : reduced.left_out) complain(fmt::format("{}: left out: {}", model.file, sentence));
  } catch (const std::invalid_argument& error) {
    refuse(model, "[constraints]", error.what());
  } catch (const simulate::RunFailed& failed) {
    complain(fmt::format("{}: {}", model.file, failed.what()));
    return run_failed;
  }
  if (arguments.out.empty()) {
    fmt::print("{}", text);
  } else {
    io::write_text(arguments.out, text);
    fmt::print("{}\n", one_line(arguments.out));
  }
  return success;
}

}  // namespace herglotz::app
