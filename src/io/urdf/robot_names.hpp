#pragma once
/// Names of a robot's joints and links as names of a model may be.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "urdf/body_tree.hpp"

namespace herglotz::io {

/// Returns the text with every byte that is not an ASCII letter or digit replaced by _.
std::string plain_name(std::string_view name);

/// Names that differ, in the order in which they were asked for.
class DifferentNames {
 public:
  /// Returns the plain name, with a number at its end if it is taken.
  std::string add(std::string_view name);

 private:
  std::set<std::string> taken_;
};

/// Coordinate, velocity and rates of one body, as text.
struct BodyNames {
  std::string link;   ///< ends of names that belong to the body
  std::string joint;  ///< ends of names that belong to its joint
};

std::vector<BodyNames> names_of(const Robot& robot, const std::vector<Body>& bodies);

}  // namespace herglotz::io
