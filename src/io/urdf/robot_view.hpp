#pragma once
/// The picture of a robot: its simple shapes, and rods between its joints.

#include <string>
#include <vector>

#include "urdf/robot_motion.hpp"

namespace herglotz::io {

/// Returns the lines of [view.bodies].
std::vector<std::string> view_of(const Robot& robot, const std::vector<Body>& bodies,
                                 const std::vector<BodyNames>& names);

}  // namespace herglotz::io
