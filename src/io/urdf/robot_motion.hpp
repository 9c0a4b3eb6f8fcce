#pragma once
/// Motion of the bodies of a robot as definitions of a model: each in terms of the body it hangs on.

#include <array>
#include <string>
#include <vector>

#include "urdf/robot_names.hpp"
#include "urdf/sum.hpp"

namespace herglotz::io {

using Sum3 = std::array<Sum, 3>;
using SumMatrix = std::array<Sum3, 3>;

/// Components along the axes of a body.
struct Motion {
  Sum3 w;  ///< angular velocity
  Sum3 v;  ///< velocity of the origin
  Sum3 n;  ///< the vertical
  Sum h;   ///< height of the origin
};

/// Lines `name = value` of the tables of a model file.
struct ModelLines {
  std::vector<std::string> parameters;
  std::vector<std::string> definitions;

  /// Adds a parameter unless it is 0, and returns its name.
  Sum parameter(const std::string& name, double value);
  /// Adds a definition unless the sum is short, and returns its name or the sum.
  Sum defined(const std::string& name, const Sum& sum);
};

/// Returns the number as TOML has it.
std::string number_text(double value);
/// Returns the coordinate of the body's joint; that of a joint that mimics is in terms of the other one.
Sum coordinate_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names,
                  std::size_t body);
/// Returns the rate of that coordinate.
Sum rate_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names, std::size_t body);
/// Returns the matrix of the quaternion e0_<name>, ..., e3_<name>.
SumMatrix rotation_of(const std::string& name);
/// Returns the place of the body in the frame it hangs on, and the attitude; its lengths are parameters px_, py_, pz_.
Sum3 place_of(const Body& body, const BodyNames& names, const Sum& coordinate, ModelLines* lines);
SumMatrix attitude_of(const Body& body, const BodyNames& names, const Sum& coordinate);

Sum3 cross(const Sum3& a, const Sum3& b);
Sum dot(const Sum3& a, const Sum3& b);

/// Returns the motions of all bodies, and adds their definitions and lengths to the lines.
std::vector<Motion> motions_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names,
                               ModelLines& lines);

}  // namespace herglotz::io
