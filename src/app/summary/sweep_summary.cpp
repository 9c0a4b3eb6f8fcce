#include "summary/sweep_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "herglotz/simulate/volume.hpp"
#include "summary/findings.hpp"
#include "summary/summary.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::string members(const io::SweepOutline& outline, const io::SweepSummary& summary) {
  const auto shape = outline.sweep.shape();
  std::string text = fmt::format("{}", summary.members);
  if (shape.size() > 1) text += fmt::format(" ({})", fmt::join(shape, " x "));
  if (!summary.complete()) text += fmt::format(", {} done", summary.done);
  text += summary.failed == 0 ? ", none failed" : fmt::format(", {} failed", summary.failed);
  return text;
}

std::string method(const io::SweepOutline& outline) {
  const ensemble::Layout& layout = outline.layout;
  std::string text = fmt::format("{}, {}", layout.method, order_in_words(layout.order));
  if (outline.step) text += fmt::format(", step {:.6g}", *outline.step);
  if (outline.tolerance) text += fmt::format(", tolerance {:.3g}", *outline.tolerance);
  if (!layout.method_reason.empty()) text += fmt::format(" (auto: {})", layout.method_reason);
  return text;
}

std::string speed(const SweepEffort& effort) {
  const double seconds = std::max(effort.seconds, 1e-9);
  return fmt::format("{}: {:.3g} steps/s, {:.3g} members/s", duration(effort.seconds),
                     static_cast<double>(effort.steps) / seconds, static_cast<double>(effort.members) / seconds);
}

std::string effort_of(const io::SweepSummary& summary, const std::optional<SweepEffort>& effort) {
  std::string text = fmt::format("{} steps", summary.steps);
  if (!effort) return text;
  if (effort->members != summary.done)
    text += fmt::format(", {} of them and {} members by this run", effort->steps, effort->members);
  return text + ", " + speed(*effort);
}

void print_title(const io::SweepOutline& outline) {
  fmt::print("{}", styled(stdout, Style::bold, one_line(outline.name)));
  if (!outline.title.empty()) fmt::print("  {}", one_line(outline.title));
  if (!outline.reference.empty()) fmt::print("  [{}]", one_line(outline.reference));
  fmt::print("\n");
}

void print_device(const ensemble::Layout& layout) {
  if (!layout.device.empty()) print_line("device", one_line(layout.device));
}

void print_failures(const std::vector<ensemble::Failure>& first, std::size_t failed) {
  for (const auto& failure : first)
    print_line("", styled(stdout, Style::bad, fmt::format("member {}: {}", failure.member, one_line(failure.reason))));
  if (failed > first.size())
    print_line("", fmt::format(".. and {} more, with their reasons in the file", failed - first.size()));
}

/// Returns whether the column of a site is shown where there are many: the sites q[0], q[1], q[2], or those of the
/// first row of a grid.
bool is_shown_site(const std::string& name) {
  const std::string site = name.substr(name.find('[') + 1);
  return site == "0]" || site == "1]" || site == "2]" || site == "0,0]" || site == "0,1]" || site == "0,2]";
}

/// Returns the standard deviation, or a bound that it exceeds if the sum of squares is not a double.
std::string deviation(const ensemble::Moments& moments) {
  const double freedom = std::max(moments.count - 1, 1.0);
  if (std::isfinite(moments.squares)) return fmt::format("{:.6g}", std::sqrt(moments.squares / freedom));
  return fmt::format("> {:.1g}", std::sqrt(std::numeric_limits<double>::max() / freedom) / 2);
}

void print_moments(const ensemble::Layout& layout, const io::SweepSummary& summary) {
  fmt::print("\n  {}",
             styled(stdout, Style::bold, fmt::format("{:<24}", fmt::format("at t = {:.6g}", layout.times.back()))));
  for (const char* what : {"least", "mean", "deviation", "largest"})
    fmt::print(" {}", styled(stdout, Style::bold, fmt::format("{:>14}", what)));
  fmt::print("\n");
  std::size_t left_out = 0;
  for (const auto& [name, moments] : summary.last) {
    // A few sites of a model with an index stand for all.
    constexpr std::size_t most_rows = 16;
    if (summary.last.size() > most_rows && name.find('[') != std::string::npos && !is_shown_site(name)) {
      ++left_out;
      continue;
    }
    if (moments.count == 0) {
      fmt::print("  {:<24} {:>14}\n", name, "no value");
      continue;
    }
    fmt::print("  {:<24} {:>14.6g} {:>14.6g} {:>14} {:>14.6g}\n", name, moments.least, moments.mean, deviation(moments),
               moments.largest);
  }
  if (left_out > 0) fmt::print("  .. and {} sites more, in the file\n", left_out);
}

/// Prints the largest residual of each law whose column is kept, and warns of those that are large.
void print_verdict(const io::SweepOutline& outline, const io::SweepSummary& summary) {
  std::vector<std::string> large;
  for (const auto& [column, largest] : summary.largest_residuals)
    if (largest > doubtful_residual) large.push_back("largest_" + column);
  // A discrete motion, of order 0, has laws of its own.
  const bool violated = outline.layout.order != 0 && !large.empty();
  const char* label = violated ? "violated" : "verified";
  for (const auto& [column, largest] : summary.largest_residuals) {
    if (std::isnan(largest)) continue;
    const std::string name = column.substr(column.find('.') + 1);
    const std::string law = column.starts_with("momentum_residual.") ? fmt::format("residual of momentum {}", name)
                            : column.starts_with("dissipated_residual.")
                                ? fmt::format("residual of the dissipated {}", name)
                            : column == simulate::volume_residual_column ? "residual of the volume"
                                                                         : "energy residual";
    print_line(label, std::isfinite(largest) ? fmt::format("largest {} {:.2e}", one_line(law), largest)
                                             : fmt::format("largest {}: not a number", one_line(law)));
    label = "";
  }
  if (!violated) return;
  const bool single = outline.keep != ensemble::Keep::statistics;
  const std::string members = single ? fmt::format("members with such a {}", one_line(large.front())) : "these members";
  print_line("",
             styled(stdout, Style::bad,
                    fmt::format("a balance law is far from holding: do not trust {} before a smaller step or tolerance",
                                members)));
}

void print_notes(const SweepEffort& effort) {
  for (const auto& note : effort.notes) print_line("note", one_line(note));
}

}  // namespace

void SweepEffort::add(const ensemble::Block& block) {
  constexpr std::size_t most = 3;
  members += block.members;
  steps += block.steps;
  failed += block.failures.size();
  first_failures.insert(first_failures.end(), block.failures.begin(),
                        block.failures.begin() + static_cast<std::ptrdiff_t>(std::min(most, block.failures.size())));
  std::sort(first_failures.begin(), first_failures.end(),
            [](const auto& a, const auto& b) { return a.member < b.member; });
  first_failures.resize(std::min(most, first_failures.size()));
}

void print_sweep_summary(const io::SweepOutline& outline, const io::SweepSummary& summary,
                         const std::optional<SweepEffort>& effort, const std::string& out) {
  print_title(outline);
  print_line("members", members(outline, summary));
  print_failures(summary.first_failures, summary.failed);
  print_line("method", method(outline));
  print_device(outline.layout);
  print_line("run", effort_of(summary, effort));
  if (effort) print_notes(*effort);
  print_verdict(outline, summary);
  if (!summary.complete())
    print_line("status", styled(stdout, Style::bad,
                                effort ? "stopped; the same command with --resume continues"
                                       : "incomplete; the journals of its shards stay"));
  const bool journal = effort && !summary.complete();
  print_line("written", one_line(journal ? fmt::format("{}, {}", out, io::journal_of(out).string()) : out));
  print_moments(outline.layout, summary);
}

void print_shard_summary(const io::SweepOutline& outline, const io::Shard& shard, std::size_t done,
                         const SweepEffort& effort, const std::string& out) {
  const std::size_t own = shard.blocks_of(outline.layout.blocks());
  print_title(outline);
  print_line("shard", fmt::format("{} of {}: {} of {} blocks of {} members", shard.index, shard.count, done, own,
                                  outline.layout.block_members));
  print_line("method", method(outline));
  print_device(outline.layout);
  print_line("run", fmt::format("{} members by this run{}, {}", effort.members,
                                effort.failed == 0 ? "" : fmt::format(", {} failed", effort.failed), speed(effort)));
  print_failures(effort.first_failures, effort.failed);
  print_notes(effort);
  if (done < own) print_line("status", styled(stdout, Style::bad, "stopped; the same command continues"));
  print_line("written", one_line(io::journal_of(out, shard).string()));
}

void print_shard_states(const std::vector<io::ShardState>& states) {
  std::size_t done = 0;
  std::size_t blocks = 0;
  std::size_t complete = 0;
  for (std::size_t k = 0; k < states.size(); ++k) {
    const io::ShardState& state = states[k];
    const char* const note = state.done == state.blocks ? "complete" : state.begun ? "" : "not begun";
    fmt::print("{}\n", fmt::format("shard {:<6} {:>8} of {:>8} blocks  {}", k, state.done, state.blocks, note));
    done += state.done;
    blocks += state.blocks;
    complete += state.done == state.blocks ? 1 : 0;
  }
  fmt::print("all          {:>8} of {:>8} blocks  {} of {} shards complete\n", done, blocks, complete, states.size());
}

}  // namespace herglotz::app
