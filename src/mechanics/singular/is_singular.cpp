#include <algorithm>
#include <cmath>
#include <random>

#include "herglotz/kernel/saddle_units.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "programs/programs.hpp"
#include "singular/ranks.hpp"

namespace herglotz::mechanics {
bool is_singular(const System& system, const Equations& equations, std::span<const double> parameters,
                 std::span<const double> start) {
  if (system.formulation != Formulation::lagrangian || system.r() == 0) return false;
  constexpr std::size_t most_points = 6;
  constexpr double spread = 0.4;
  constexpr double smallest_ratio = 1e-13;
  const Matrix K = saddle_matrix(system, equations);
  const std::size_t size = K.rows;
  std::vector<std::size_t> places;
  std::vector<Expr> entries;
  for (std::size_t k = 0; k < K.entries.size(); ++k)
    if (!K.entries[k].is_zero()) {
      places.push_back(k);
      entries.push_back(K.entries[k]);
    }
  std::vector<Expr> names = equations.u;
  names.insert(names.end(), equations.l.begin(), equations.l.end());
  Row point(start.begin(), start.end());
  point.resize(names.size(), 0.0);
  const Row centre = point;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    names.push_back(system.parameters[k].symbol);
    point.push_back(parameters[k]);
  }
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  bool seen = false;
  for (std::size_t k = 0; k < most_points; ++k) {
    const Row values_there = symbolic::evaluate(entries, names, point);
    for (std::size_t i = 0; i < centre.size(); ++i)
      point[i] = centre[i] + spread * uniform(engine) * std::max(1.0, std::abs(centre[i]));
    if (!std::all_of(values_there.begin(), values_there.end(), [](double x) { return std::isfinite(x); })) continue;
    Row v(size * size, 0.0);
    for (std::size_t e = 0; e < places.size(); ++e) v[places[e]] = values_there[e];
    kernel::take_out_units(system.r(), size - system.r(),
                           [&](std::size_t i, std::size_t j) -> double& { return v[i * size + j]; });
    // Entries are scaled to unit size on the diagonal, so that a system of light and heavy bodies is regular.
    Row scale;
    for (std::size_t i = 0; i < size; ++i) {
      double largest = 0;
      for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(v[i * size + j]));
      scale.push_back(largest > 0 ? 1 / std::sqrt(largest) : 1);
    }
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) v[i * size + j] *= scale[i] * scale[j];
    if (surely_regular(v, size)) return false;
    std::vector<Row> rows;
    for (auto row = v.begin(); row != v.end(); row += static_cast<std::ptrdiff_t>(size))
      rows.emplace_back(row, row + static_cast<std::ptrdiff_t>(size));
    const Row values = singular_values(std::move(rows));
    if (values.back() > smallest_ratio * values.front()) return false;
    seen = true;
  }
  return seen;
}

}  // namespace herglotz::mechanics
