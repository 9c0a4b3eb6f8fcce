#include "herglotz/simulate/reduce.hpp"

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/error.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/model_text.hpp"
#include "model_source.hpp"
#include "terminal/output.hpp"

namespace herglotz::app {

namespace {

/// Returns the text of the reduced model, and tells what it does not have.
std::string reduced_text(const ReduceArguments& arguments, const Model& model) {
  std::string text;
  std::vector<std::string> left_out;
  if (arguments.by == "symmetry") {
    auto reduced = simulate::reduce_by_symmetry(model.problem, {arguments.group, arguments.with_group});
    text = io::text_of(reduced.problem, fmt::format("{} reduced by the symmetries {}", model.file, reduced.group));
    left_out = std::move(reduced.reduction.left_out);
  } else {
    auto reduced = simulate::reduce_by_constraints(model.problem, arguments.fibre);
    text = io::text_of(reduced.problem, fmt::format("{} on the algebroid of its constraints", model.file));
    left_out = std::move(reduced.left_out);
  }
  for (const auto& sentence : left_out) complain(fmt::format("{}: left out: {}", model.file, sentence));
  return text;
}

}  // namespace

int reduce(const ReduceArguments& arguments) {
  const bool by_symmetry = arguments.by == "symmetry";
  const char* misplaced = by_symmetry && !arguments.fibre.empty()    ? "--keep goes with --by constraints"
                          : !by_symmetry && !arguments.group.empty() ? "--group goes with --by symmetry"
                          : !by_symmetry && arguments.with_group     ? "--with-group goes with --by symmetry"
                                                                     : nullptr;
  if (misplaced != nullptr) {
    complain(misplaced);
    return bad_input;
  }
  Model model = open_model(arguments.model);
  for (const auto& assignment : arguments.set) io::apply_setting(model.problem, assignment);
  check_model_destination(arguments.out, arguments.force);
  std::string text;
  try {
    text = reduced_text(arguments, model);
  } catch (const Refused& error) {
    if (error.where() == "fibre") refuse("--keep", {}, {}, error);
    refuse(model, by_symmetry ? "[dynamics]" : "[constraints]", error);
  } catch (const simulate::RunFailed& failed) {
    complain(fmt::format("{}: {}", model.file, failed.what()));
    return run_failed;
  }
  write_model(text, arguments.out);
  return success;
}

}  // namespace herglotz::app
