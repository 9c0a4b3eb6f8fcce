#pragma once
/// Attitude and place of a body that turns and moves with given rates in its own frame.

#include <array>
#include <vector>

namespace herglotz::report {

using Vector = std::array<double, 3>;
using Quaternion = std::array<double, 4>;  ///< scalar first

/// A body at one time. Its attitude takes vectors of the body to vectors of space.
struct Pose {
  Quaternion attitude{1, 0, 0, 0};
  Vector place{};
};

/// Returns the attitude of a rotation matrix by rows.
Quaternion attitude_of(const std::array<double, 9>& matrix);

/// Returns the poses at the given times of R' = R [spin]x, x' = R drift from a pose at the first time. Rates between
/// rows are cubics; the steps are of order 4 (Magnus' series and Simpson's rule).
std::vector<Pose> carried(const std::vector<double>& times, const std::vector<Vector>& spin,
                          const std::vector<Vector>& drift, const Pose& start);
/// Returns the poses of R' = [spin]x R, x' = drift: rates along the axes of space.
std::vector<Pose> carried_in_space(const std::vector<double>& times, const std::vector<Vector>& spin,
                                   const std::vector<Vector>& drift, const Pose& start);

}  // namespace herglotz::report
