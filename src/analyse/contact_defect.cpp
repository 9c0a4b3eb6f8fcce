#include "herglotz/analyse/contact_defect.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "herglotz/error.hpp"

namespace herglotz::analyse {
namespace {

/// Returns d(q1, p1, z1)/du_j.
std::vector<double> derivative(const ContactMap& map, std::span<const double> point, std::size_t j, double step) {
  static constexpr std::array<int, 4> offsets{-2, -1, 1, 2};
  static constexpr std::array<double, 4> weights{1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  std::vector<double> shifted(point.begin(), point.end());
  std::vector<double> image(point.size());
  std::vector<double> column(point.size(), 0.0);
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    shifted[j] = point[j] + offsets[k] * step;
    map(shifted, image);
    for (std::size_t i = 0; i < column.size(); ++i) column[i] += weights[k] * image[i] / step;
  }
  return column;
}

}  // namespace

double contact_defect(const ContactMap& map, std::span<const double> point, double factor, double relative_step) {
  if (point.size() % 2 == 0) {
    throw Refused("a point of T*Q x R is (q, p, z) with 2n + 1 entries, not " + std::to_string(point.size()));
  }
  const std::size_t n = point.size() / 2;
  std::vector<double> image(point.size());
  map(point, image);
  double defect = 0;
  for (std::size_t j = 0; j < point.size(); ++j) {
    const auto column = derivative(map, point, j, relative_step * std::max(1.0, std::abs(point[j])));
    double pulled_back = column[2 * n];
    for (std::size_t i = 0; i < n; ++i) pulled_back -= image[n + i] * column[i];
    const double eta = j < n ? -point[n + j] : j < 2 * n ? 0.0 : 1.0;
    const double component = std::abs(pulled_back - factor * eta);
    if (std::isnan(component)) return component;
    defect = std::max(defect, component);
  }
  return defect;
}

}  // namespace herglotz::analyse
