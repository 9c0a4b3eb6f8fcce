#pragma once
/// Attitudes and poses of rigid bodies: SO(3) and SE(3) as action algebroids over unit quaternions.

#include <span>
#include <string_view>

#include "herglotz/geometry/builders.hpp"

namespace herglotz::geometry {

/// Returns whether `group` is so3 or se3, the groups of attitude_algebroid.
bool has_attitude(std::string_view group);

/// Builds the action algebroid of so3 over quaternions (q0, q1, q2, q3), scalar first, which take vectors of the body
/// to vectors of space, with the angular velocity w in the body: q' = q (0, w)/2. For se3 the base goes on with a
/// position x (3) in space, and the fibre with its velocity v (3) in the body: x' = R(q) v. Throws Refused if the
/// numbers of coordinates do not fit.
Algebroid attitude_algebroid(std::shared_ptr<Graph> graph, Coordinates coordinates, std::string_view group);

/// Returns q0^2 + q1^2 + q2^2 + q3^2 - 1, which every motion keeps.
Expr unit_quaternion(std::span<const Expr> q);

}  // namespace herglotz::geometry
