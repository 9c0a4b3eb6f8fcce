#include "herglotz/sensitivity/central_slope.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace herglotz::sensitivity {
namespace {

constexpr std::size_t pairs = 4;
/// Weights of the differences f(k e) - f(-k e), k = 1 .. 4, over e.
constexpr std::array<double, pairs> weights{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr int most_levels = 9;
constexpr double shrink = 0.25;
constexpr double agreed = 2e-12;
/// A derivative this much smaller than value / scale is not resolved relative to itself.
constexpr double resolved = 1e-4;
/// A derivative this much smaller than value / scale may be round-off of 0: what is given does not depend on the
/// offset.
constexpr double flat = 1e-6;
/// Size beside value / scale by which errors of such derivatives are measured.
constexpr double of_flat = 1e-2;
/// Share of the largest value of all groups up to which values may be round-off of 0.
constexpr double vanishing = 1e-12;
/// Relative error below which differences are narrow enough for values to be smooth over them. Beyond it errors may
/// grow for a while as differences shrink.
constexpr double smooth = 1e-3;
/// Relative change between two derivatives beyond which they show no more than round-off.
constexpr double unrelated = 1e-8;

struct Level {
  std::vector<double> slope;
  std::vector<double> size;   ///< by group: the largest |derivative|, no less than what is resolved
  std::vector<double> floor;  ///< by group: a size below which derivatives may be those of round-off; 0 if none may
};

std::optional<Level> level(const ValuesAt& values_at, double e, double scale, std::size_t groups) {
  std::array<double, 2 * pairs> offsets{};
  for (std::size_t k = 0; k < pairs; ++k) {
    offsets[2 * k] = static_cast<double>(k + 1) * e;
    offsets[2 * k + 1] = -offsets[2 * k];
  }
  const auto values = values_at(offsets);
  if (!values) return std::nullopt;
  Level result{std::vector<double>(values->front().size()), std::vector<double>(groups, 0.0),
               std::vector<double>(groups, 0.0)};
  std::vector<double> largest(groups, 0.0);
  std::vector<double> steepest(groups, 0.0);
  for (std::size_t i = 0; i < result.slope.size(); ++i) {
    double sum = 0;
    for (std::size_t k = pairs; k-- > 0;) sum += weights[k] * ((*values)[2 * k][i] - (*values)[2 * k + 1][i]);
    result.slope[i] = sum / e;
    if (!std::isfinite(result.slope[i])) return std::nullopt;
    steepest[i % groups] = std::max(steepest[i % groups], std::abs(result.slope[i]));
    double& size = result.size[i % groups];
    size = std::max({size, std::abs(result.slope[i]), resolved * std::abs((*values)[0][i]) / scale});
    for (const auto& one : *values) largest[i % groups] = std::max(largest[i % groups], std::abs(one[i]));
  }
  const double of_all = *std::max_element(largest.begin(), largest.end());
  for (std::size_t g = 0; g < groups; ++g) {
    if (largest[g] <= vanishing * of_all)
      result.floor[g] = resolved * of_all / scale;
    else if (steepest[g] <= flat * largest[g] / scale)
      result.floor[g] = of_flat * largest[g] / scale;
  }
  return result;
}

/// Returns the largest change of the derivatives of each group.
std::vector<double> changes(const Level& a, const Level& b) {
  std::vector<double> changes(b.size.size(), 0.0);
  for (std::size_t i = 0; i < a.slope.size(); ++i) {
    double& change = changes[i % changes.size()];
    change = std::max(change, std::abs(a.slope[i] - b.slope[i]));
  }
  return changes;
}

/// Returns the derivatives of b, with their changes from a beside their sizes.
Slope compared(const Level& a, const Level& b) {
  Slope slope{b.slope};
  const auto change = changes(a, b);
  for (std::size_t g = 0; g < change.size(); ++g) {
    if (change[g] == 0) continue;
    const double error = change[g] / std::max(b.size[g], b.floor[g]);
    if (error > slope.error) slope.least_accurate = g;
    slope.error = std::max(slope.error, error);
    if (b.floor[g] > b.size[g] && change[g] > unrelated * b.size[g]) slope.round_off.push_back(g);
  }
  return slope;
}

}  // namespace

std::optional<Slope> central_slope(const ValuesAt& values_at, double scale, std::size_t groups, double first_share) {
  std::optional<Slope> best;
  std::optional<Level> last;
  double e = first_share * scale;
  for (int k = 0; k < most_levels; ++k, e *= shrink) {
    auto now = level(values_at, e, scale, groups);
    if (now && last) {
      Slope found = compared(*last, *now);
      const double error = found.error;
      // If round-off is the larger part, the wider differences are the better ones.
      if (best && best->error < smooth && error > 4 * best->error) return best;
      if (!best || error < best->error) best = std::move(found);
      if (error <= agreed) return best;
    }
    last = std::move(now);
  }
  return best;
}

}  // namespace herglotz::sensitivity
