#pragma once
/// Robots described in URDF as model files.

#include <string>
#include <string_view>

namespace herglotz::io {

struct UrdfOptions {
  bool floating = false;  ///< the root link moves freely in space; else it is at rest
};

/// Returns the text of a model file for the robot of a description in URDF: one coordinate for each revolute,
/// continuous and prismatic joint, a pose for a floating one; angular velocity, velocity, vertical and height of each
/// link in terms of those of its parent, so that the text grows linearly with the number of links; gravity; damping,
/// friction and torques as forces. Inertias and lengths are parameters, limits are comments. `file` is the name used in
/// errors. Throws InputError for text that is no URDF or no tree, and for what has no model: planar joints, links
/// without mass.
std::string model_of_urdf(std::string_view xml, const std::string& file, const UrdfOptions& options = {});

}  // namespace herglotz::io
