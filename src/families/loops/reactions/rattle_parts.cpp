#include <cmath>
#include <limits>

#include "loops/reactions/reactions.hpp"

namespace herglotz::families {
namespace {

/// A share of the rounding of coordinates: an iteration has arrived whose next step would be smaller.
constexpr double of_rounding = 0.1;

}  // namespace

bool Reactions::begin(const ConstrainedMotion& at, double t) {
  k_.resize(multipliers_.size());
  find(at, t);
  return factorise(at.inverse_inertia);
}

std::optional<Reactions::Works> Reactions::keep_coordinates(const ConstrainedMotion& at, double t, double h) {
  std::vector<std::vector<double>> copies;
  for (const Group& group : groups_)
    for (const double* const works : group.values.works) copies.emplace_back(works, works + group.rows.rows());
  std::vector<const double*> works_at_start;
  for (const std::vector<double>& works : copies) works_at_start.push_back(works.data());
  impulse_.assign(multipliers_.size(), 0.0);
  double previous = std::numeric_limits<double>::infinity();
  bool arrived = false;
  for (int iteration = 0; iteration < most_iterations && !arrived; ++iteration) {
    find(at, t);
    find_step([](const Group& group, std::size_t row) { return -group.values.equation[row]; });
    for (std::size_t row = 0; row < k_.size(); ++row) impulse_[row] += k_[row];
    double size = 1e-300;
    const double relative = moved(at.q, at.lost_q, k_, size) / size;
    if (!std::isfinite(relative)) break;
    // The slopes stay those of the start, so that steps shrink by one factor.
    const bool next_is_small = iteration > 0 && relative * (relative / previous) <= of_rounding * epsilon;
    arrived = relative <= 2 * epsilon || next_is_small || (relative >= previous && previous <= round_off);
    previous = relative;
  }
  if (!arrived) return not_arrived("the constraints turn too far in one step; a smaller step may do");
  for (double& k : impulse_) k /= h;
  double size = 1e-300;
  moved(at.v, at.lost_v, impulse_, size);
  return works_of(impulse_, works_at_start);
}

std::optional<Reactions::Works> Reactions::keep_velocities(const ConstrainedMotion& at, double t) {
  impulse_.assign(multipliers_.size(), 0.0);
  if (!begin(at, t) || !stays_independent(t)) return std::nullopt;
  if (!move_velocities(at, t, false) || !others_follow())
    return not_arrived("Newton's method does not find velocities on the constraints");
  failure_.clear();
  return works_of(impulse_, unit_works());
}

}  // namespace herglotz::families
