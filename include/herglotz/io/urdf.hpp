#pragma once
/// Robots described in URDF as model files.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// A link that rolls without slipping on the plane z = 0: a wheel about the axis of its joint, or a ball.
struct UrdfRolling {
  std::string link;
  std::optional<double> radius{};  ///< if it is not given, that of the cylinder or sphere of the link
};

struct UrdfOptions {
  bool floating = false;               ///< the root link moves freely in space; else it is at rest
  std::vector<UrdfRolling> rolling{};  ///< the root then floats too, unless a joint of the robot lets it move
};

/// Returns the text of a model file for the robot of a description in URDF: one coordinate for each revolute,
/// continuous and prismatic joint, a pose for a floating one; angular velocity, velocity, vertical and height of each
/// link in terms of those of its parent, so that the text grows linearly with the number of links; gravity; damping,
/// friction and torques as forces; links that roll as constraints. Inertias and lengths are parameters, limits are
/// comments. `file` is the name used in errors. Throws InputError for text that is not URDF or not a tree, and for what
/// has no model: links without mass, links that cannot roll.
std::string model_of_urdf(std::string_view xml, const std::string& file, const UrdfOptions& options = {});

}  // namespace herglotz::io
