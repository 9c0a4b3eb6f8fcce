#include "terminal/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "terminal/output.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

constexpr auto patience = std::chrono::milliseconds(300);
constexpr auto period = std::chrono::milliseconds(60);

/// Returns a bar drawn in eighths of a cell.
std::string bar(double fraction, std::size_t cells) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const auto filled = static_cast<std::size_t>(fraction * 8 * static_cast<double>(cells));
  std::string text;
  for (std::size_t i = 0; i < filled / 8; ++i) text += "█";
  text += eighths[filled % 8];
  const std::size_t used = filled / 8 + (filled % 8 != 0 ? 1 : 0);
  return text + std::string(cells - std::min(cells, used), ' ');
}

}  // namespace

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > 360000) return "--:--";
  const auto whole = static_cast<long>(std::lround(seconds));
  return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

StatusLine::StatusLine() : enabled_(is_terminal(stderr)), next_(Clock::now() + patience) {}

StatusLine::~StatusLine() {
  if (drawn_) write_to_error("\r\x1b[2K");
}

bool StatusLine::is_due() {
  const auto now = Clock::now();
  if (!enabled_ || now < next_) return false;
  next_ = now + period;
  return true;
}

void StatusLine::write(const std::string& text) {
  write_to_error("\r\x1b[K" + text);
  drawn_ = true;
}

ProgressBar::ProgressBar(std::string_view label) : label_(one_line(label)), began_(Clock::now()) {}

void ProgressBar::show(double fraction, const std::string& note) {
  if (!line_.enabled()) return;
  if (!first_) first_ = fraction;
  if (!line_.is_due()) return;
  const double done = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0);
  const double spent = std::chrono::duration<double>(Clock::now() - began_).count();
  const double left = spent * (1 - done) / (done - *first_);
  const std::string tail = fmt::format(" {}{:3.0f} %  {} left", note, 100 * done, clock_text(left));
  const std::size_t room = terminal_width(stderr);
  const std::size_t taken = label_.size() + tail.size() + 4;
  const std::size_t cells = room > taken + 8 ? std::min<std::size_t>(40, room - taken) : 8;
  line_.write(fmt::format("{} {}{}", label_, styled(stderr, Style::good, bar(done, cells)), tail));
}

}  // namespace herglotz::app
