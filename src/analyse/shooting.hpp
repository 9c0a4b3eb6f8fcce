#pragma once
/// Newton's method for the velocity at the start of a motion whose end is given.

#include <Eigen/Core>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "herglotz/error.hpp"
#include "herglotz/linear/partial_lu.hpp"

namespace herglotz::analyse {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Tolerance of the motions that are followed to their ends.
constexpr double motion_tolerance = 1e-14;
/// Distance from the end at which shooting stops, relative to the size of the ends.
constexpr double arrival = 2e-13;
/// The ends count as conjugate if the reciprocal condition of the slope is below this.
constexpr double conjugate = 1e-12;

/// Aim of shooting: the end that the motion must reach.
struct ShootingTarget {
  Eigen::VectorXd end;
  double size = 1;  ///< 1 + the size of the ends
  double h = 0;
  std::string ends;   ///< what the ends are, in words
  std::string slope;  ///< the derivative that is singular between conjugate ends
};

/// Returns the velocity with which the motion arrives, and that motion: `shoot(velocity)` follows a motion, `end` is
/// where it arrives, and `slope` the derivative of that by the velocity. Steps are halved while the distance grows.
/// Throws Failed for conjugate ends, and if no motion is found.
template <class Shoot, class End, class Slope>
auto arriving(const Shoot& shoot, const End& end, const Slope& slope, const ShootingTarget& target,
              Eigen::VectorXd velocity) {
  constexpr int most_iterations = 60;
  constexpr int most_halvings = 30;
  auto motion = shoot(velocity);
  const auto off = [&](const auto& of) { return Eigen::VectorXd(end(of) - target.end); };
  double distance = off(motion).template lpNorm<Eigen::Infinity>();
  for (int k = 0; k < most_iterations; ++k) {
    const RowMajor by_velocity = slope(motion);
    const linear::PartialLu lu(by_velocity);
    if (!(lu.reciprocal_condition() > conjugate) ||
        !(by_velocity.cwiseAbs().maxCoeff() > conjugate * std::abs(target.h)))
      throw Failed(target.ends + " are conjugate: " + target.slope + " is singular on the motion between them");
    if (distance <= arrival * target.size) return std::pair(velocity, motion);
    const Eigen::VectorXd update = lu.solve(off(motion));
    double part = 1;
    for (int halving = 0;; ++halving, part /= 2) {
      if (halving == most_halvings) throw Failed("no motion was found between " + target.ends, "take a smaller step");
      const Eigen::VectorXd next = velocity - part * update;
      try {
        auto tried = shoot(next);
        const double found = off(tried).template lpNorm<Eigen::Infinity>();
        if (!(found < distance) && found > arrival * target.size) continue;
        velocity = next;
        motion = std::move(tried);
        distance = found;
        break;
      } catch (const std::runtime_error&) {
        continue;
      }
    }
  }
  throw Failed("no motion was found between " + target.ends, "take a smaller step");
}

}  // namespace herglotz::analyse
