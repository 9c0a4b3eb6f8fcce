#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "model_source.hpp"
#include "run_settings.hpp"
#include "summary/sweep_summary.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/output.hpp"
#include "terminal/sweep_progress.hpp"

namespace herglotz::app {
namespace {

/// Throws io::InputError if --set assigns a swept quantity, whose many values would replace it.
void refuse_swept(const ensemble::Sweep& sweep, const std::string& assignment) {
  const std::string name = assignment.substr(0, assignment.find('='));
  for (const auto& quantity : sweep.quantities) {
    if (quantity.name == name)
      throw io::InputError("--set", 0, 0, fmt::format("'{}' is swept", name), "set what [sweep] leaves alone");
  }
}

/// Returns the plan of the file with the settings of the command line.
ensemble::Plan planned(const SweepArguments& arguments, Model& model) {
  ensemble::Plan plan = io::parse_plan(model.problem.text, model.file, arguments.sweep);
  for (const auto& assignment : arguments.set) {
    refuse_swept(plan.sweep, assignment);
    io::apply_setting(plan.problem, assignment);
  }
  override_settings(plan.problem.settings, arguments);
  return plan;
}

ensemble::Ensemble compiled(const Model& model, const ensemble::Plan& plan, const SweepArguments& arguments) {
  try {
    return ensemble::Ensemble(plan, {arguments.threads, arguments.lanes});
  } catch (const std::invalid_argument& e) {
    // A message about a table begins with its name.
    const std::string what = e.what();
    refuse(model, what.starts_with("[") ? what.substr(0, what.find(' ')) : "[sweep]", what);
  }
}

SweepEffort run(const ensemble::Ensemble& ensemble, io::SweepWriter& writer, const InterruptGuard& interrupt) {
  using Clock = std::chrono::steady_clock;
  SweepProgress progress(ensemble.plan().problem.system.name);
  std::atomic<std::size_t> members = 0;
  std::atomic<std::size_t> steps = 0;
  const auto began = Clock::now();
  ensemble.run([&](std::size_t block) { return !writer.has(block); },
               [&](ensemble::Block&& block) {
                 writer.add(block);
                 members += block.members;
                 steps += block.steps;
               },
               [&](const ensemble::Progress& done) {
                 progress.show(done);
                 return !interrupt.requested();
               });
  return {members, steps, std::chrono::duration<double>(Clock::now() - began).count()};
}

/// Makes the file. Until the file is complete the journal has every member, so an interrupt may end the program.
io::SweepSummary finished(io::SweepWriter& writer, const InterruptGuard& interrupt, const std::string& out) {
  if (interrupt.requested()) return writer.finish();
  const EndOnInterrupt end(
      fmt::format("stopped; {} has every member, and --resume makes the file of it", io::journal_of(out).string()));
  return writer.finish();
}

int status_of(const io::SweepSummary& summary, const Model& model) {
  if (!summary.complete()) return interrupted;
  if (summary.failed < summary.members) return success;
  complain(fmt::format("{}: every member failed; member {}: {}", model.file, summary.first_failures.front().member,
                       summary.first_failures.front().reason));
  return run_failed;
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  check_destination("--out", arguments.out, {".h5"});
  Model model = open_model(arguments.model);
  const ensemble::Plan plan = planned(arguments, model);
  std::optional<ensemble::Ensemble> ensemble;
  try {
    ensemble.emplace(compiled(model, plan, arguments));
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& e) {
    complain(fmt::format("{}: {}", model.file, e.what()));
    return run_failed;
  }
  const ensemble::Layout& layout = ensemble->layout();
  if (arguments.resume && !std::filesystem::exists(io::journal_of(arguments.out)) &&
      std::filesystem::exists(arguments.out)) {
    if (!io::is_complete_sweep(arguments.out, plan, layout))
      throw io::InputError(arguments.out, 0, 0, "this is another sweep, or its journal is gone",
                           "leave out --resume to replace it with --force, or give another --out");
    fmt::print("{} is complete: {} members\n", arguments.out, layout.members);
    return success;
  }
  check_occupant("--out", arguments.out, arguments.force);
  const InterruptGuard interrupt;
  io::SweepWriter writer(plan, layout, arguments.out, arguments.resume);
  const SweepEffort effort = run(*ensemble, writer, interrupt);
  const io::SweepSummary summary = finished(writer, interrupt, arguments.out);
  print_sweep_summary(plan, layout, summary, effort, arguments.out);
  return status_of(summary, model);
}

}  // namespace herglotz::app
