#include "singular/ranks.hpp"

#include <algorithm>
#include <cmath>

namespace herglotz::mechanics {
namespace {

constexpr double is_zero = 1e-10;
constexpr double is_not = 1e-7;

}  // namespace

Row singular_values(std::vector<Row> rows) {
  constexpr int most_sweeps = 60;
  constexpr double orthogonal = 1e-15;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool turned = false;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = i + 1; j < rows.size(); ++j) {
        const double a = dot(rows[i], rows[i]);
        const double b = dot(rows[j], rows[j]);
        const double c = dot(rows[i], rows[j]);
        if (c == 0 || std::abs(c) <= orthogonal * std::sqrt(a * b)) continue;
        turned = true;
        const double ratio = (b - a) / (2 * c);
        const double tangent = (ratio < 0 ? -1.0 : 1.0) / (std::abs(ratio) + std::sqrt(1 + ratio * ratio));
        const double cosine = 1 / std::sqrt(1 + tangent * tangent);
        const double sine = cosine * tangent;
        for (std::size_t k = 0; k < rows[i].size(); ++k) {
          const double x = rows[i][k];
          const double y = rows[j][k];
          rows[i][k] = cosine * x - sine * y;
          rows[j][k] = sine * x + cosine * y;
        }
      }
    if (!turned) break;
  }
  Row values;
  for (const Row& row : rows) values.push_back(norm(row));
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

Rank rank_of(std::vector<Row> rows, const Row& scale) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (scale[i] > 0)
      for (double& entry : rows[i]) entry /= scale[i];
    const double length = norm(rows[i]);
    if (length > is_not)
      for (double& entry : rows[i]) entry /= length;
  }
  Rank rank;
  for (const double value : singular_values(std::move(rows))) {
    if (value > is_not) ++rank.value;
    if (value > is_zero && value <= is_not) rank.clear = false;
  }
  return rank;
}

}  // namespace herglotz::mechanics
