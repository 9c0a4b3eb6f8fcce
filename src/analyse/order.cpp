#include "herglotz/analyse/order.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"

namespace herglotz::analyse {
namespace {

struct Line {
  double slope;
  double value_at_zero;
  double sum_of_squares;  // sum of squares of x about its mean
};

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (xx == 0) throw Refused("a slope needs at least two different abscissae");
  return {xy / xx, mean_y - xy / xx * mean_x, xx};
}

void require_pairs(std::size_t abscissae, std::size_t values) {
  if (abscissae != values) {
    throw Refused(std::to_string(abscissae) + " abscissae and " + std::to_string(values) + " values",
                  "as many of each are needed");
  }
  if (values < 3) throw Refused("a slope with a meaning needs three points or more");
}

}  // namespace

OrderFit fit_order(std::span<const double> steps, std::span<const double> errors, double round_off) {
  require_pairs(steps.size(), errors.size());
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!std::isfinite(errors[i]) || !std::isfinite(steps[i]) || steps[i] == 0) {
      throw Refused("steps must be nonzero and errors finite to fit an order");
    }
    points.emplace_back(std::abs(steps[i]), std::abs(errors[i]));
  }
  std::sort(points.begin(), points.end(), std::greater<>());
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && points[i].first == points[i - 1].first) throw Refused("a step occurs twice");
    if (points[i].second <= round_off) break;
    x.push_back(std::log(points[i].first));
    y.push_back(std::log(points[i].second));
  }
  if (x.size() < 3) {
    throw Refused("only " + std::to_string(x.size()) + " errors lie above round-off",
                  "take larger steps to see the order");
  }
  const Line line = fit_line(x, y);
  OrderFit fit{line.slope, line.value_at_zero, 0, x.size()};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double distance = std::abs(y[i] - line.value_at_zero - line.slope * x[i]) / std::log(10.0);
    fit.deviation = std::max(fit.deviation, distance);
  }
  return fit;
}

DriftFit fit_drift(std::span<const double> times, std::span<const double> values) {
  require_pairs(times.size(), values.size());
  const std::vector<double> t(times.begin(), times.end());
  // The fit starts from the first value, so that the mean of a large constant does not hide a small drift.
  std::vector<double> change;
  DriftFit fit;
  for (const double value : values) {
    change.push_back(value - values.front());
    fit.spread = std::max(fit.spread, std::abs(change.back()));
  }
  const Line line = fit_line(t, change);
  double residual = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double distance = change[i] - line.value_at_zero - line.slope * t[i];
    residual += distance * distance;
  }
  const auto [first, last] = std::minmax_element(t.begin(), t.end());
  fit.slope = line.slope;
  fit.standard_error = std::sqrt(residual / static_cast<double>(t.size() - 2) / line.sum_of_squares);
  fit.drift = std::abs(line.slope) * (*last - *first);
  return fit;
}

}  // namespace herglotz::analyse
