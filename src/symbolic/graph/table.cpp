#include "herglotz/symbolic/table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "herglotz/error.hpp"

namespace herglotz::symbolic {

namespace {

void check_points(const std::vector<double>& knots, const std::vector<double>& values) {
  const auto place = [](std::size_t i) { return "point " + std::to_string(i + 1); };
  if (knots.size() != values.size())
    throw Refused(std::to_string(knots.size()) + " times and " + std::to_string(values.size()) + " values",
                  "give a value for each time");
  if (knots.size() < 2) throw Refused("a table of fewer than two points", "give two or more");
  for (std::size_t i = 0; i < knots.size(); ++i) {
    if (!std::isfinite(knots[i]) || !std::isfinite(values[i]))
      throw Refused(place(i) + " is not finite", "give numbers");
    if (i > 0 && !(knots[i] > knots[i - 1]))
      throw Refused("the time of " + place(i) + " is not later than that of the point before",
                    "sort the points by time, and keep one of equal times");
  }
}

/// Returns the slopes at the knots of the spline through n >= 4 points. They solve a tridiagonal system: the second
/// derivative is continuous at all inner knots, and the third at the first and the last of them.
std::vector<double> spline_slopes(const std::vector<double>& h, const std::vector<double>& rise) {
  const std::size_t n = h.size() + 1;
  std::vector<double> below(n);
  std::vector<double> diagonal(n);
  std::vector<double> above(n);
  std::vector<double> slope(n);
  const double first = h[0] + h[1];
  diagonal[0] = h[1];
  above[0] = first;
  slope[0] = ((h[0] + 2 * first) * h[1] * rise[0] + h[0] * h[0] * rise[1]) / first;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    below[i] = h[i];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    above[i] = h[i - 1];
    slope[i] = 3 * (h[i] * rise[i - 1] + h[i - 1] * rise[i]);
  }
  const double last = h[n - 3] + h[n - 2];
  below[n - 1] = last;
  diagonal[n - 1] = h[n - 3];
  slope[n - 1] = (h[n - 2] * h[n - 2] * rise[n - 3] + (2 * last + h[n - 2]) * h[n - 3] * rise[n - 2]) / last;
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    slope[i] -= factor * slope[i - 1];
  }
  slope[n - 1] /= diagonal[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) slope[i] = (slope[i] - above[i] * slope[i + 1]) / diagonal[i];
  return slope;
}

void fill_spline(Table& table, const std::vector<double>& h, const std::vector<double>& rise) {
  auto& [start, c0, c1, c2, c3] = table.rows;
  if (h.size() == 2) {
    const double bend = (rise[1] - rise[0]) / (h[0] + h[1]);
    c1 = {rise[0] - bend * h[0], rise[0] + bend * h[0]};
    c2 = {bend, bend};
    return;
  }
  const std::vector<double> slope = spline_slopes(h, rise);
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double excess = (slope[i] + slope[i + 1] - 2 * rise[i]) / h[i];
    c1[i] = slope[i];
    c2[i] = (rise[i] - slope[i]) / h[i] - excess;
    c3[i] = excess / h[i];
  }
}

}  // namespace

int Table::degree() const {
  return interpolation == Interpolation::hold ? 0 : interpolation == Interpolation::linear ? 1 : 3;
}

int Table::first_jump() const {
  return degree();
}

double Table::operator()(double t, int order) const {
  const auto after = std::upper_bound(rows[0].begin(), rows[0].end(), t);
  const auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - rows[0].begin() - 1, 0));
  const double s = t - rows[0][i];
  // The factors k (k - 1) ... (k - order + 1) of the derivative of s^k.
  double value = 0;
  for (int k = 3; k >= order; --k) {
    double factor = 1;
    for (int j = 0; j < order; ++j) factor *= k - j;
    value = value * s + factor * rows[static_cast<std::size_t>(1 + k)][i];
  }
  return value;
}

Table make_table(std::string name, Interpolation interpolation, std::vector<double> knots,
                 const std::vector<double>& values) {
  check_points(knots, values);
  Table table{std::move(name), interpolation, std::move(knots), {}};
  const bool hold = interpolation == Interpolation::hold;
  const std::size_t pieces = table.knots.size() - (hold ? 0 : 1);
  for (auto& row : table.rows) row.assign(pieces, 0.0);
  std::copy_n(table.knots.begin(), pieces, table.rows[0].begin());
  std::copy_n(values.begin(), pieces, table.rows[1].begin());
  if (hold) return table;
  std::vector<double> h(pieces);
  std::vector<double> rise(pieces);
  for (std::size_t i = 0; i < pieces; ++i) {
    h[i] = table.knots[i + 1] - table.knots[i];
    rise[i] = (values[i + 1] - values[i]) / h[i];
  }
  if (interpolation == Interpolation::linear || pieces == 1)
    table.rows[2] = rise;
  else
    fill_spline(table, h, rise);
  for (const auto& row : table.rows)
    if (std::any_of(row.begin(), row.end(), [](double c) { return !std::isfinite(c); }))
      throw Refused("the points lie too steep for a curve of finite numbers", "rescale the values");
  return table;
}

}  // namespace herglotz::symbolic
