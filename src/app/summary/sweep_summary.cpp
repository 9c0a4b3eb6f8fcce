#include "summary/sweep_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "summary/findings.hpp"
#include "summary/summary.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

std::string members(const ensemble::Plan& plan, const io::SweepSummary& summary) {
  const auto shape = plan.sweep.shape();
  std::string text = fmt::format("{}", summary.members);
  if (shape.size() > 1) text += fmt::format(" ({})", fmt::join(shape, " x "));
  if (!summary.complete()) text += fmt::format(", {} done", summary.done);
  text += summary.failed == 0 ? ", none failed" : fmt::format(", {} failed", summary.failed);
  return text;
}

std::string method(const ensemble::Plan& plan, const ensemble::Layout& layout) {
  const auto& settings = plan.problem.settings;
  std::string text = fmt::format("{}, {}", layout.method, order_in_words(layout.order));
  if (settings.step) text += fmt::format(", step {:.6g}", *settings.step);
  if (settings.tolerance) text += fmt::format(", tolerance {:.3g}", *settings.tolerance);
  if (!layout.method_reason.empty()) text += fmt::format(" (auto: {})", layout.method_reason);
  return text;
}

std::string effort(const io::SweepSummary& summary, const SweepEffort& effort) {
  const double seconds = std::max(effort.seconds, 1e-9);
  std::string text = fmt::format("{} steps", summary.steps);
  if (effort.members != summary.done)
    text += fmt::format(", {} of them and {} members by this run", effort.steps, effort.members);
  return text + fmt::format(", {}: {:.3g} steps/s, {:.3g} members/s", duration(effort.seconds),
                            static_cast<double>(effort.steps) / seconds, static_cast<double>(effort.members) / seconds);
}

void print_moments(const ensemble::Layout& layout, const io::SweepSummary& summary) {
  fmt::print("\n  {}",
             styled(stdout, Style::bold, fmt::format("{:<24}", fmt::format("at t = {:.6g}", layout.times.back()))));
  for (const char* what : {"least", "mean", "deviation", "largest"})
    fmt::print(" {}", styled(stdout, Style::bold, fmt::format("{:>14}", what)));
  fmt::print("\n");
  for (const auto& [name, moments] : summary.last) {
    if (moments.count == 0) {
      fmt::print("  {:<24} {:>14}\n", name, "no value");
      continue;
    }
    const double deviation = moments.count > 1 ? std::sqrt(moments.squares / (moments.count - 1)) : 0;
    fmt::print("  {:<24} {:>14.6g} {:>14.6g} {:>14.6g} {:>14.6g}\n", name, moments.least, moments.mean, deviation,
               moments.largest);
  }
}

}  // namespace

void print_sweep_summary(const ensemble::Plan& plan, const ensemble::Layout& layout, const io::SweepSummary& summary,
                         const SweepEffort& done, const std::string& out) {
  const auto& system = plan.problem.system;
  fmt::print("{}", styled(stdout, Style::bold, one_line(system.name)));
  if (!system.title.empty()) fmt::print("  {}", one_line(system.title));
  if (!system.reference.empty()) fmt::print("  [{}]", one_line(system.reference));
  fmt::print("\n");
  print_line("members", members(plan, summary));
  for (const auto& failure : summary.first_failures)
    print_line("", styled(stdout, Style::bad, fmt::format("member {}: {}", failure.member, one_line(failure.reason))));
  if (summary.failed > summary.first_failures.size())
    print_line("", fmt::format(".. and {} more, with their reasons in the file",
                               summary.failed - summary.first_failures.size()));
  print_line("method", method(plan, layout));
  print_line("run", effort(summary, done));
  if (std::isfinite(summary.largest_energy_residual))
    print_line("verified", fmt::format("largest energy residual {:.2e}", summary.largest_energy_residual));
  if (!summary.complete())
    print_line("status", styled(stdout, Style::bad, "stopped; the same command with --resume continues"));
  print_line("written", one_line(summary.complete() ? out : fmt::format("{}, {}", out, io::journal_of(out).string())));
  print_moments(layout, summary);
}

}  // namespace herglotz::app
