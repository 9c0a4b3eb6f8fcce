#pragma once
/// The tree of bodies that move in a robot: links that fixed joints hold together are one body.

#include <optional>
#include <string>
#include <vector>

#include "urdf/robot.hpp"

namespace herglotz::io {

/// A body, in a frame at its joint whose axis `axis` the joint moves along or about.
struct Body {
  std::size_t link;                   ///< the first link of the body, which has its name
  std::vector<std::size_t> attached;  ///< links that fixed joints hold to it
  std::optional<std::size_t> parent;  ///< body; `std::nullopt` for the world
  std::optional<std::size_t> joint;   ///< `std::nullopt` for the root of a floating robot
  JointKind kind = JointKind::revolute;
  Pose origin;           ///< of the body in its parent while the joint is at 0
  std::size_t axis = 2;  ///< the coordinate axis of the joint
  double sense = 1;      ///< 1 along that axis, -1 against it
  bool turned = false;   ///< the frame is not that of the link, since the joint lies along no axis of the link
  Inertia inertia;
  std::vector<Shape> shapes;
};

/// Returns the bodies, parents first. The root link is at rest, or floats if `floating`. Throws InputError for links in
/// a loop, more than one root, joints that move no mass, joints that mimic a joint that mimics, floating joints on
/// bodies that move, and robots without a joint that moves.
std::vector<Body> bodies_of(const Robot& robot, bool floating, const std::string& file);

}  // namespace herglotz::io
