#include "herglotz/simulate/related.hpp"

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/model_text.hpp"
#include "herglotz/io/structure_file.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {
namespace {

Model opened(const RelatedArguments& arguments, const ModelText& source) {
  Model model{source.file, io::parse_model(source.text, source.file)};
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  check_model_destination(arguments.out, arguments.force);
  return model;
}

/// Writes the model that `make` makes, and returns the exit status.
template <class Make>
int write(const RelatedArguments& arguments, const Model& model, const std::string& note, const Make& make) {
  try {
    const simulate::Problem made = make();
    const std::string text = io::text_of(made, note);
    for (const auto& sentence : simulate::events_left_out(model.problem, made))
      complain(fmt::format("{}: left out: {}", model.file, sentence));
    write_model(text, arguments.out);
  } catch (const Refused& error) {
    refuse(model, "[dynamics]", error);
  } catch (const simulate::RunFailed& failed) {
    complain(fmt::format("{}: {}", model.file, failed.what()));
    return run_failed;
  }
  return success;
}

/// Reads the function of the phase space. Throws Refused with what is wrong in it.
symbolic::Expr function_of(const RelatedArguments& arguments, const mechanics::System& system) {
  try {
    return symbolic::parse(system.graph(), arguments.function, simulate::phase_scope(system));
  } catch (const symbolic::ParseError& error) {
    throw Refused(fmt::format("FUNCTION '{}': {}", arguments.function, error.what()));
  }
}

/// Writes the flow of X_f for a structure of one's own.
int flow_of_structure(const RelatedArguments& arguments, const ModelText& source) {
  if (arguments.constrained)
    throw io::InputError(
        "--constrained", 0, 0,
        "X_f^Delta is that of a Lagrangian with constraints [LJL21, Eq. 105], and a structure of one's own has none",
        "leave it out, or give a model");
  check_model_destination(arguments.out, arguments.force);
  const auto structure = io::parse_structure(source.text, source.file);
  try {
    auto problem = io::flow_of_structure(structure, arguments.function);
    for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
    write_model(io::text_of(problem, fmt::format("the flow of X_f of {}, f = {}", source.file, arguments.function)),
                arguments.out);
  } catch (const Refused& refusal) {
    refuse(source.file, source.text, "[structure]", refusal);
  }
  return success;
}

}  // namespace

int flow(const RelatedArguments& arguments) {
  const ModelText source = read_model_text(arguments.model);
  if (io::states_structure(source.text, source.file)) return flow_of_structure(arguments, source);
  const Model model = opened(arguments, source);
  const char* delta = arguments.constrained ? "^Delta" : "";
  const std::string note = fmt::format("the flow of X_f{} of {}, f = {}", delta, model.file, arguments.function);
  return write(arguments, model, note, [&] {
    const auto f = function_of(arguments, model.problem.system);
    return arguments.constrained ? simulate::constrained_flow_of(model.problem, f)
                                 : simulate::flow_of(model.problem, f);
  });
}

int extend(const RelatedArguments& arguments) {
  const Model model = opened(arguments, read_model_text(arguments.model));
  const std::string note =
      fmt::format("{} with its action as a coordinate, by the {} rule", model.file, arguments.rule);
  const auto rule = arguments.rule == "vakonomic" ? mechanics::Rule::vakonomic : mechanics::Rule::nonholonomic;
  return write(arguments, model, note, [&] { return simulate::extended(model.problem, rule); });
}

}  // namespace herglotz::app
