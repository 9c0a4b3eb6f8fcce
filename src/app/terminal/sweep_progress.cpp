#include "terminal/sweep_progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "terminal/output.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

constexpr auto between_lines = std::chrono::seconds(10);

}  // namespace

SweepProgress::SweepProgress(const std::string& label)
    : label_(label),
      bar_(label),
      lines_(!is_terminal(stderr)),
      began_(Clock::now()),
      next_line_(began_ + between_lines) {}

void SweepProgress::show(const ensemble::MemberCounts& progress) {
  const auto now = Clock::now();
  if (!started_) {
    started_ = true;
    began_ = now;
    first_ = progress.done;
  }
  const double spent = std::chrono::duration<double>(now - began_).count();
  const double rate = spent > 0 ? static_cast<double>(progress.done - first_) / spent : 0;
  const std::string failed = progress.failed == 0 ? "" : fmt::format(", {} failed", progress.failed);
  const double fraction = static_cast<double>(progress.done) / static_cast<double>(progress.members);
  if (!lines_) {
    bar_.show(fraction, fmt::format("{} of {}, {:.3g}/s{} ", progress.done, progress.members, rate, failed));
    return;
  }
  if (now < next_line_) return;
  next_line_ = now + between_lines;
  complain(fmt::format("{}: {} of {} members ({:.0f} %), {:.3g} members/s, {} left{}", label_, progress.done,
                       progress.members, 100 * fraction, rate,
                       clock_text(static_cast<double>(progress.members - progress.done) / rate), failed));
}

}  // namespace herglotz::app
