#pragma once
/// The robot whose wheel and weight roll in the tests of URDF files.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "herglotz/io/urdf.hpp"
#include "project_folders.hpp"

namespace herglotz::io {

/// Returns a frame on one wheel, with a weight that turns.
inline std::string unicycle() {
  std::ifstream file(source_folder() + "/tests/reference/rolling.urdf");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string imported(const std::vector<UrdfRolling>& rolling) {
  return model_of_urdf(unicycle(), "rolling.urdf", {false, rolling});
}

}  // namespace herglotz::io
