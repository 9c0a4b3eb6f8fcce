#include "motion/iteration_form.hpp"

#include <algorithm>
#include <tuple>

namespace herglotz::integrate {
namespace {

/// Returns whether the kernel of the derivatives says that x_dot = w.
bool moves_by_velocities(const Dynamics& dynamics) {
  if (!dynamics.velocities || !dynamics.lagrangian) return false;
  const kernel::Pattern& B = dynamics.mass_pattern;
  std::size_t found = 0;
  for (std::size_t k = 0; k < B.row.size(); ++k) {
    if (B.row[k] >= dynamics.n) continue;
    if (B.col[k] != dynamics.n + B.row[k]) return false;
    ++found;
  }
  return found == dynamics.n;
}

}  // namespace

IterationForm::IterationForm(const Dynamics& dynamics)
    : dimension(dynamics.dimension()),
      positions(moves_by_velocities(dynamics) ? dynamics.n : 0),
      z(dynamics.n + dynamics.r) {
  const std::size_t n = dynamics.n;
  const std::size_t r = dynamics.r;
  const bool eliminates = positions > 0;
  const kernel::Pattern& K = dynamics.saddle_pattern;
  const kernel::Pattern& B = dynamics.mass_pattern;
  const std::size_t first = eliminates ? 0 : n;  // row of the first acceleration
  size = first + r + dynamics.m;
  values = K.row.size() + B.row.size() + 1;
  const std::size_t one = values - 1;
  state.resize(size, none);
  for (std::size_t k = 0; k < first + r; ++k) state[k] = n - first + k;
  if (dynamics.differential())
    for (std::size_t A = 0; A < dynamics.m; ++A) state[first + r + A] = z + 1 + A;

  for (std::size_t i = 0; i < first; ++i) {
    matrix.push_back({i, i, one, 1, 1});
    right.push_back({i, i, one, 0, 1});
  }
  for (std::size_t k = 0; k < K.row.size(); ++k) {
    const std::size_t col = first + K.col[k];
    const bool moves = state[col] != none;
    matrix.push_back({first + K.row[k], col, k, moves ? 1 : 0, 1});
    if (moves) right.push_back({first + K.row[k], state[col], k, 0, 1});
  }
  corner.push_back({0, 0, one, 1, 1});
  right.push_back({size, z, one, 0, 1});
  for (std::size_t k = 0; k < B.row.size(); ++k) {
    const std::size_t value = K.row.size() + k;
    const std::size_t by = B.col[k];
    if (by > z && !dynamics.differential()) continue;
    if (eliminates && B.row[k] < n) continue;
    const bool of_z = B.row[k] == z;
    const std::size_t at = B.row[k] < n ? B.row[k] : B.row[k] < z ? first + B.row[k] - n : first + B.row[k] - n - 1;
    std::vector<Term>& into = of_z ? row : matrix;
    if (by == z)
      (of_z ? corner : column).push_back({of_z ? 0 : at, 0, value, 0, -1});
    else if (by >= n)
      into.push_back({at, by < z ? first + by - n : first + by - n - 1, value, 0, -1});
    else if (!eliminates)
      into.push_back({at, by, value, 0, -1});
    else {
      into.push_back({at, by, value, -1, -1});
      right.push_back({of_z ? size : at, by, value, -1, 1});
    }
  }

  const auto before = [](const Place& a, const Place& b) { return std::tie(a.col, a.row) < std::tie(b.col, b.row); };
  const auto place = [](const Term& term) { return Place{static_cast<int>(term.row), static_cast<int>(term.col)}; };
  for (const Term& term : matrix) places.push_back(place(term));
  std::sort(places.begin(), places.end(), before);
  places.erase(std::unique(places.begin(), places.end(), [&](Place a, Place b) { return !before(a, b); }),
               places.end());
  for (const Term& term : matrix)
    place_of.push_back(
        static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), place(term), before) - places.begin()));
}

std::optional<IterationForm> IterationForm::if_it_pays(const Dynamics& dynamics) {
  constexpr std::size_t few = 32;  // accelerations and multipliers whose dense matrices are as fast
  if (dynamics.flow || !dynamics.mass || dynamics.r + dynamics.m <= few) return {};
  IterationForm form(dynamics);
  if (form.positions == 0 && !form.sparse()) return {};
  return form;
}

}  // namespace herglotz::integrate
