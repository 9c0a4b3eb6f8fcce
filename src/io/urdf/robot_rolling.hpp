#pragma once
/// Wheels and balls of a robot that roll on the plane z = 0.

#include <string>
#include <vector>

#include "herglotz/io/urdf.hpp"
#include "urdf/robot_motion.hpp"

namespace herglotz::io {

/// A body that rolls without slipping: a thin wheel about the axis of its joint, or a ball.
struct RollingBody {
  std::size_t body;
  double radius;
  bool ball;
  Vector3 centre{};  ///< of the wheel or ball, in the frame of the body
};

/// Returns true if rolling bodies need a root that floats: no floating joint and no planar one lets the robot move.
bool needs_floating_root(const Robot& robot, const UrdfOptions& options);

/// Returns the bodies that the options declare as rolling. A radius that is not given is that of the cylinder or sphere
/// of the link. Throws InputError for links that are not there, that fixed joints hold to another one, that slide, or
/// that have no shape that could roll about their joint.
std::vector<RollingBody> rolling_bodies(const Robot& robot, const std::vector<Body>& bodies, const UrdfOptions& options,
                                        const std::string& file);

/// Returns the equations, each = 0: the height of the lowest point, then the two velocities of that point along the
/// plane, v + w x r. With the vertical n seen from the body, its lowest point has the place
/// r = c - R (n - (n.a) a)/|n - (n.a) a| of a wheel about a, and r = c - R n of a ball. Adds parameters R_<link> and
/// definitions to the lines.
std::vector<std::string> rolling_equations(const RollingBody& rolling, const std::vector<Body>& bodies,
                                           const std::vector<BodyNames>& names, const Motion& motion,
                                           ModelLines& lines);

/// Returns the height of the lowest point of a rolling body above the origin of the world, for a pose of the body.
double lowest_point(const RollingBody& rolling, const Body& body, const Pose& pose);

/// Returns true if no joint changes the height of the lowest point of a rolling body: those before its own turn about
/// the vertical or slide across it, as the joints of a planar base do. `poses` are those of all bodies at any state.
bool keeps_its_height(const RollingBody& rolling, const std::vector<Body>& bodies, const std::vector<Pose>& poses);

}  // namespace herglotz::io
