#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/ensemble.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "herglotz/io/sweep_outline.hpp"
#include "herglotz/io/sweep_shards.hpp"
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
  if (arguments.device) plan.device = *arguments.device;
  return plan;
}

ensemble::Ensemble compiled(const Model& model, const ensemble::Plan& plan, const SweepArguments& arguments) {
  try {
    return ensemble::Ensemble(plan, {arguments.threads, arguments.lanes});
  } catch (const Refused& e) {
    if (e.where() == "device" && arguments.device) throw io::InputError("--device", 0, 0, e.problem(), e.remedy());
    refuse(model, e.where() == "device" ? e.where() : e.table_or("[sweep]"), e);
  }
}

/// Returns the plan of a model with an index with the settings of the command line.
ensemble::Plan planned_families(const SweepArguments& arguments, const ModelText& source) {
  ensemble::Plan plan = io::parse_family_plan(source.text, source.file, arguments.set, arguments.sweep);
  for (const auto& assignment : arguments.set) refuse_swept(plan.sweep, assignment);
  override_settings(plan.problem.settings, arguments);
  if (arguments.device) plan.device = *arguments.device;
  return plan;
}

families::FieldEnsemble compiled_families(const ModelText& source, const ensemble::Plan& plan,
                                          const SweepArguments& arguments) {
  const auto read = [source, set = arguments.set] { return io::parse_family_model(source.text, source.file, set); };
  try {
    return families::FieldEnsemble(read, plan, {arguments.threads, arguments.lanes});
  } catch (const Refused& e) {
    if (e.where() == "device" && arguments.device) throw io::InputError("--device", 0, 0, e.problem(), e.remedy());
    refuse(source.file, source.text, e.where().empty() ? "[sweep]" : e.where(), e);
  }
}

/// Runs the wanted blocks; progress leaves out `others`, members that are of no concern here. `Runs` is an ensemble.
template <class Runs>
SweepEffort run(const Runs& ensemble, const std::function<bool(std::size_t)>& wanted,
                const std::function<void(const ensemble::Block&)>& add, std::size_t others,
                const InterruptGuard& interrupt) {
  using Clock = std::chrono::steady_clock;
  SweepProgress progress(ensemble.plan().problem.system.name);
  std::mutex mutex;
  SweepEffort effort;
  if constexpr (requires { ensemble.notes(); }) effort.notes = ensemble.notes();
  const auto began = Clock::now();
  ensemble.run(
      wanted,
      [&](ensemble::Block&& block) {
        add(block);
        const std::scoped_lock lock(mutex);
        effort.add(block);
      },
      [&](const ensemble::MemberCounts& done) {
        progress.show({done.done - others, done.failed, done.members - others});
        return !interrupt.requested();
      });
  effort.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return effort;
}

/// Makes the file. Until the file is complete the journal has every member, so an interrupt may end the program.
io::SweepSummary finished(io::SweepWriter& writer, const InterruptGuard& interrupt, const std::string& out) {
  if (interrupt.requested()) return writer.finish();
  const EndOnInterrupt end(
      fmt::format("stopped; {} has every member, and --resume makes the file of it", io::journal_of(out).string()));
  return writer.finish();
}

/// Returns the exit status of a complete sweep, and says so if every member failed.
int status_of(const io::SweepSummary& summary, const std::string& file) {
  if (summary.failed < summary.members) return success;
  complain(fmt::format("{}: every member failed; member {}: {}", file, summary.first_failures.front().member,
                       summary.first_failures.front().reason));
  return run_failed;
}

int say_complete(const std::string& out, std::size_t members) {
  fmt::print("{} is complete: {} members\n", out, members);
  return success;
}

template <class Runs>
int run_whole(const SweepArguments& arguments, const std::string& file, const Runs& ensemble) {
  const ensemble::Plan& plan = ensemble.plan();
  const ensemble::Layout& layout = ensemble.layout();
  if (arguments.resume && !std::filesystem::exists(io::journal_of(arguments.out)) &&
      std::filesystem::exists(arguments.out)) {
    if (!io::is_complete_sweep(arguments.out, plan, layout))
      throw io::InputError(arguments.out, 0, 0, "this is another sweep, or its journal is gone",
                           "leave out --resume to replace it with --force, or give another --out");
    return say_complete(arguments.out, layout.members);
  }
  check_occupant("--out", arguments.out, arguments.force);
  const InterruptGuard interrupt(InterruptGuard::Keeps::all);
  io::SweepWriter writer(plan, layout, arguments.out, arguments.resume);
  const SweepEffort effort = run(
      ensemble, [&](std::size_t block) { return !writer.has(block); },
      [&](const ensemble::Block& block) { writer.add(block); }, 0, interrupt);
  const io::SweepSummary summary = finished(writer, interrupt, arguments.out);
  print_sweep_summary(io::outline_of(plan, layout), summary, effort, arguments.out);
  return summary.complete() ? status_of(summary, file) : interrupted;
}

/// Returns the number of members of other shards.
std::size_t members_of_others(const ensemble::Layout& layout, const io::Shard& shard) {
  std::size_t others = 0;
  for (std::size_t block = 0; block < layout.blocks(); ++block)
    if (!shard.owns(block)) others += std::min(layout.block_members, layout.members - block * layout.block_members);
  return others;
}

template <class Runs>
int run_shard(const SweepArguments& arguments, const io::Shard& shard, const Runs& ensemble) {
  const ensemble::Plan& plan = ensemble.plan();
  const ensemble::Layout& layout = ensemble.layout();
  if (arguments.status) {
    print_shard_states(io::shard_states(plan, layout, arguments.out, shard.count));
    return success;
  }
  if (io::is_complete_sweep(arguments.out, plan, layout)) return say_complete(arguments.out, layout.members);
  check_occupant("--out", arguments.out, arguments.force);
  const InterruptGuard interrupt(InterruptGuard::Keeps::all);
  io::ShardWriter writer(plan, layout, arguments.out, shard);
  const SweepEffort effort = run(
      ensemble, [&](std::size_t block) { return writer.wants(block); },
      [&](const ensemble::Block& block) { writer.add(block); }, members_of_others(layout, shard), interrupt);
  writer.finish();
  print_shard_summary(io::outline_of(plan, layout), shard, writer.done(), effort, arguments.out);
  return writer.done() == shard.blocks_of(layout.blocks()) ? success : interrupted;
}

/// Returns the shard that --shard names, or `std::nullopt` for the whole sweep.
std::optional<io::Shard> asked_shard(const SweepArguments& arguments) {
  if (arguments.shard.empty()) {
    if (arguments.status) throw io::InputError("--status", 0, 0, "there is no --shard", "give any shard K/N with it");
    return std::nullopt;
  }
  try {
    return io::shard_of(arguments.shard);
  } catch (const Refused& e) {
    throw io::InputError("--shard", 0, 0, e.problem(), e.remedy());
  }
}

/// Runs the ensemble that `make` compiles.
template <class Make>
int run_made(const SweepArguments& arguments, const std::string& file, const Make& make) {
  const std::optional<io::Shard> shard = asked_shard(arguments);
  std::optional<decltype(make())> ensemble;
  try {
    ensemble.emplace(make());
  } catch (const io::InputError&) {
    throw;
  } catch (const std::runtime_error& e) {
    complain(fmt::format("{}: {}", file, e.what()));
    return run_failed;
  }
  return shard ? run_shard(arguments, *shard, *ensemble) : run_whole(arguments, file, *ensemble);
}

}  // namespace

int sweep(const SweepArguments& arguments) {
  check_destination("--out", arguments.out, {".h5"});
  static_cast<void>(asked_shard(arguments));  // a wrong one is refused before the model is read
  const ModelText source = read_model_text(arguments.model);
  if (io::states_families(source.text, source.file)) {
    const ensemble::Plan plan = planned_families(arguments, source);
    return run_made(arguments, source.file, [&] { return compiled_families(source, plan, arguments); });
  }
  Model model{source.file, io::parse_model(source.text, source.file)};
  const ensemble::Plan plan = planned(arguments, model);
  return run_made(arguments, source.file, [&] { return compiled(model, plan, arguments); });
}

int merge(const MergeArguments& arguments) {
  check_destination("FILE", arguments.out, {".h5"});
  if (io::is_merged(arguments.out)) {
    io::remove_merged_journals(arguments.out);
    return say_complete(arguments.out, io::SweepReader(arguments.out).facts().members);
  }
  check_occupant("FILE", arguments.out, arguments.force);
  try {
    const io::Merged merged = io::merge_shards(arguments.out, arguments.partial);
    print_sweep_summary(merged.outline, merged.summary, std::nullopt, arguments.out);
    return merged.summary.complete() ? status_of(merged.summary, arguments.out) : success;
  } catch (const io::IncompleteShards& e) {
    complain(e.what());
    return run_failed;
  }
}

}  // namespace herglotz::app
