#include "terminal/fit_progress.hpp"

#include <fmt/format.h>

#include <cmath>

#include "terminal/output.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {
namespace {

constexpr auto between_lines_of_fits = std::chrono::seconds(10);

}  // namespace

FitProgress::FitProgress(std::string_view label)
    : label_(one_line(label)), began_(Clock::now()), next_line_(began_ + between_lines_of_fits) {}

void FitProgress::tried(double chi_squared) {
  ++trials_;
  latest_ = chi_squared;
  show();
}

void FitProgress::show() {
  if (line_.enabled()) {
    if (line_.is_due()) line_.write(text());
    return;
  }
  const auto now = Clock::now();
  if (now < next_line_) return;
  next_line_ = now + between_lines_of_fits;
  complain(text());
}

std::string FitProgress::text() const {
  const std::string found = std::isfinite(latest_) ? fmt::format(", chi squared {:.6g}", latest_) : "";
  const double spent = std::chrono::duration<double>(Clock::now() - began_).count();
  return fmt::format("{}: {} trial{}{}, {}", label_, trials_, trials_ == 1 ? "" : "s", found, clock_text(spent));
}

}  // namespace herglotz::app
