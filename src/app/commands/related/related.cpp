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

/// Returns the field along constraints that is asked for, if one is.
std::optional<simulate::ConstrainedField> constrained_field(const RelatedArguments& arguments) {
  if (arguments.constrained && arguments.projected)
    throw io::InputError("--projected", 0, 0, "both --constrained and --projected are given", "keep one of them");
  if (arguments.constrained) return simulate::ConstrainedField::of_bracket;
  if (arguments.projected) return simulate::ConstrainedField::projected;
  return std::nullopt;
}

/// Returns the remark of the model that is written.
std::string note_of(const std::optional<simulate::ConstrainedField>& along, const std::string& file,
                    const std::string& function) {
  const char* field = !along ? "X_f" : *along == simulate::ConstrainedField::of_bracket ? "X_f^Delta" : "P(X_f)";
  return fmt::format("the flow of {} of {}, f = {}", field, file, function);
}

/// Writes the flow of a function for a structure of one's own.
int flow_of_structure(const RelatedArguments& arguments, const ModelText& source) {
  const auto along = constrained_field(arguments);
  check_model_destination(arguments.out, arguments.force);
  const auto structure = io::parse_structure(source.text, source.file);
  try {
    auto problem = io::flow_of_structure(structure, arguments.function, along);
    for (const auto& assignment : arguments.set) io::apply_setting(problem, assignment);
    if (along) io::require_on_constraints(structure, problem);
    write_model(io::text_of(problem, note_of(along, source.file, arguments.function)), arguments.out);
  } catch (const Refused& refusal) {
    refuse(source.file, source.text, refusal.table_or("[structure]"), refusal);
  }
  return success;
}

}  // namespace

int flow(const RelatedArguments& arguments) {
  const ModelText source = read_model_text(arguments.model);
  if (io::states_structure(source.text, source.file)) return flow_of_structure(arguments, source);
  const auto along = constrained_field(arguments);
  const Model model = opened(arguments, source);
  return write(arguments, model, note_of(along, model.file, arguments.function), [&] {
    const auto f = function_of(arguments, model.problem.system);
    return along ? simulate::constrained_flow_of(model.problem, f, *along) : simulate::flow_of(model.problem, f);
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
