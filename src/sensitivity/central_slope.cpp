#include "herglotz/sensitivity/central_slope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace herglotz::sensitivity {
namespace {

constexpr std::size_t pairs = 4;
/// Weights of the differences f(k e) - f(-k e), k = 1 .. 4, over e.
constexpr std::array<double, pairs> weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr double first_share = 1.0 / 32;  ///< e / scale at first
constexpr int most_levels = 9;
constexpr double shrink = 0.25;
constexpr double agreed = 2e-12;
/// A derivative this much smaller than value / scale is not resolved relative to itself.
constexpr double resolved = 1e-4;

struct Level {
  std::vector<double> slope;
  std::vector<double> size;  ///< by group: the largest |derivative|, no less than what is resolved
};

std::optional<Level> level(const ValuesAt& values_at, double e, double scale, std::size_t groups) {
  std::array<double, 2 * pairs> offsets{};
  for (std::size_t k = 0; k < pairs; ++k) {
    offsets[2 * k] = static_cast<double>(k + 1) * e;
    offsets[2 * k + 1] = -offsets[2 * k];
  }
  const auto values = values_at(offsets);
  if (!values) return std::nullopt;
  Level result{std::vector<double>(values->front().size()), std::vector<double>(groups, 0.0)};
  for (std::size_t i = 0; i < result.slope.size(); ++i) {
    double sum = 0;
    for (std::size_t k = pairs; k-- > 0;) sum += weights[k] * ((*values)[2 * k][i] - (*values)[2 * k + 1][i]);
    result.slope[i] = sum / e;
    if (!std::isfinite(result.slope[i])) return std::nullopt;
    double& size = result.size[i % groups];
    size = std::max({size, std::abs(result.slope[i]), resolved * std::abs((*values)[0][i]) / scale});
  }
  return result;
}

double difference(const Level& a, const Level& b, std::size_t groups) {
  double largest = 0;
  for (std::size_t i = 0; i < a.slope.size(); ++i) {
    const double change = std::abs(a.slope[i] - b.slope[i]);
    if (change > 0) largest = std::max(largest, change / b.size[i % groups]);
  }
  return largest;
}

}  // namespace

std::optional<Slope> central_slope(const ValuesAt& values_at, double scale, std::size_t groups) {
  std::optional<Slope> best;
  std::optional<Level> last;
  double e = first_share * scale;
  for (int k = 0; k < most_levels; ++k, e *= shrink) {
    auto now = level(values_at, e, scale, groups);
    if (now && last) {
      const double error = difference(*last, *now, groups);
      // Where round-off is the larger part, the wider differences are the better ones.
      if (best && error > 4 * best->error) return best;
      if (!best || error < best->error) best = Slope{now->slope, error};
      if (error <= agreed) return best;
    }
    last = std::move(now);
  }
  return best;
}

}  // namespace herglotz::sensitivity
