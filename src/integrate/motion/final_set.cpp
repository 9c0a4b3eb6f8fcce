#include "herglotz/integrate/final_set.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::integrate {

bool move_onto(const FinalSet& set, std::span<const double> parameters, double t, std::span<double> state,
               std::size_t first, std::size_t last) {
  constexpr int most_steps = 20;
  constexpr double round_off = 64 * std::numeric_limits<double>::epsilon();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto count = static_cast<Eigen::Index>(set.count);
  const auto size = static_cast<Eigen::Index>(state.size());
  if (count == 0) return true;
  std::vector<double> v(set.functions.variables(), 0.0);
  std::vector<double> out(set.functions.outputs());
  std::vector<double> work(set.functions.work_size());
  for (int step = 0; step < most_steps; ++step) {
    std::copy(state.begin(), state.end(), v.begin());
    v[state.size()] = t;
    set.functions(v.data(), parameters.data(), out.data(), work.data());
    const Eigen::Map<const Eigen::VectorXd> G(out.data(), count);
    const Eigen::Map<const RowMajor> slopes(out.data() + count, count, size);
    if (!G.allFinite() || !slopes.allFinite()) return false;
    const RowMajor free = slopes.middleCols(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(last - first));
    const Eigen::VectorXd change = free.completeOrthogonalDecomposition().solve(-G);
    double length = 0;
    for (std::size_t i = first; i < last; ++i) {
      const double move = change[static_cast<Eigen::Index>(i - first)];
      state[i] += move;
      length = std::max(length, std::abs(move) / std::max(1.0, std::abs(state[i])));
    }
    if (!std::isfinite(length)) return false;
    if (length > round_off) continue;
    // If the free part cannot reach the set, the steps end at the nearest point off it.
    const Eigen::VectorXd terms = slopes.cwiseAbs() * Eigen::Map<const Eigen::VectorXd>(state.data(), size).cwiseAbs();
    return ((G.array().abs() <= 1e-11 * (terms.array() + 1))).all();
  }
  return false;
}

}  // namespace herglotz::integrate
