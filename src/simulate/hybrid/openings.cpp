#include "hybrid/openings.hpp"

#include <algorithm>

namespace herglotz::simulate {
namespace {

constexpr double drift = 1e-12;

}  // namespace

Openings::Openings(const integrate::Settings& settings)
    : share_(settings.step == 0 ? std::max(settings.tolerance, drift) : drift) {}

void Openings::forget(std::size_t impact) {
  opened_.erase(impact);
  hidden_.erase(impact);
}

bool Openings::hide(const Landing& landing, double t) {
  const auto opened = opened_.find(landing.impact);
  if (opened == opened_.end() || is_hidden(landing.impact)) return false;
  if (landing.speed * (t - opened->second) / 4 > inaccuracy(landing.size)) return false;
  hidden_.insert(landing.impact);
  return true;
}

double Openings::inaccuracy(double size) const {
  constexpr double least = 1e-300;
  return std::max(share_ * size, least);
}

}  // namespace herglotz::simulate
