#include "stiff/start_sizes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "drive/error_control.hpp"
#include "drive/rest.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::integrate {

std::array<double, 4> sizes_soon(const Run& run, RightSide& right_side, const std::vector<double>& y0) {
  const auto bounds = error_control(run.dynamics, run.settings.tolerance).bounds;
  std::array<double, 4> sizes{};
  if (run.dynamics.dimension() == 0) return sizes;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const auto size = static_cast<Eigen::Index>(right_side.size());
  const auto d = static_cast<Eigen::Index>(run.dynamics.dimension());
  const double largest = Eigen::Map<const Eigen::VectorXd>(y0.data(), d).cwiseAbs().maxCoeff();
  Eigen::MatrixXd matrix(size, size);
  Eigen::VectorXd rates(size);
  for (const double share : {1.0, 0.6}) {
    const double tau = share * share_at_rest * (run.settings.t_end - run.t0);
    if (!right_side(run.t0 + tau, y0.data(), rates.data())) continue;
    // What rounding has left of a state of rest has no size either.
    if (largest > epsilon * std::abs(tau) * rates.head(d).cwiseAbs().maxCoeff()) continue;
    if (!right_side.jacobian(run.t0 + tau, y0.data(), matrix.data())) continue;
    const Eigen::VectorXd change =
        linear::PartialLu(Eigen::MatrixXd::Identity(size, size) - tau * matrix).solve(Eigen::VectorXd(tau * rates));
    if (!change.allFinite()) continue;
    for (std::size_t g = 0; g < sizes.size(); ++g)
      for (std::size_t i = bounds[g]; i < bounds[g + 1]; ++i)
        sizes[g] = std::max(sizes[g], std::abs(change(static_cast<Eigen::Index>(i))));
  }
  return sizes;
}

void ProjectionFloor::note(const double* correction) {
  for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = std::abs(correction[i]);
}

void ProjectionFloor::count(std::size_t rejected) {
  constexpr std::size_t steps_between_looks = 16;
  constexpr double margin = 4;
  for (std::size_t i = 0; i < moved_.size(); ++i) largest_[i] = std::max(largest_[i], moved_[i]);
  if (++steps_ % steps_between_looks != 0) return;
  const bool stuck = 2 * (rejected - rejected_) >= steps_between_looks;
  rejected_ = rejected;
  for (std::size_t i = 0; i < floor_.size(); ++i)
    floor_[i] = std::max(stuck ? margin * largest_[i] : 0.0, floor_[i] / 2);
  std::fill(largest_.begin(), largest_.end(), 0.0);
}

void ProjectionFloor::bound(double* weights) const {
  for (std::size_t i = 0; i < floor_.size(); ++i)
    if (weights[i] * floor_[i] > 1) weights[i] = 1 / floor_[i];
}

}  // namespace herglotz::integrate
