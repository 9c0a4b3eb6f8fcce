#pragma once
/// Robots as URDF describes them: links that joints hold together.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toml/document.hpp"

namespace herglotz::io {

using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;

inline constexpr Matrix3 identity3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Place and attitude of a frame: vectors of it are taken to the outer frame by `attitude`.
struct Pose {
  Vector3 place{};
  Matrix3 attitude = identity3;
};

Matrix3 transposed(const Matrix3& a);
Vector3 operator*(const Matrix3& a, const Vector3& v);
Matrix3 operator*(const Matrix3& a, const Matrix3& b);
/// Returns the pose in the outer frame of `inner`, whose pose is given in the frame `outer`.
Pose operator*(const Pose& outer, const Pose& inner);
/// Returns Rz(yaw) Ry(pitch) Rx(roll), with entries within round-off of 0, 1 and -1 set to them.
Matrix3 from_roll_pitch_yaw(const Vector3& angles);

/// Returns a rotation whose third column is the axis, of length 1. Its columns are coordinate axes if the axis is one.
Matrix3 with_third_axis(const Vector3& axis);

/// Mass, centre of mass, and the inertia tensor about that centre.
struct Inertia {
  double mass = 0;
  Vector3 centre{};
  Matrix3 tensor{};
};

/// Returns the inertia in the outer frame.
Inertia moved(const Inertia& inertia, const Pose& pose);
/// Returns the inertia of two bodies that are one.
Inertia joined(const Inertia& a, const Inertia& b);

enum class ShapeKind { box, cylinder, sphere };

struct Shape {
  ShapeKind kind;
  Vector3 size;  ///< lengths of a box; radius and length of a cylinder; radius of a sphere
  Pose pose;
};

struct Link {
  std::string name;
  Place at;
  std::optional<Inertia> inertia;
  std::vector<Shape> shapes;
};

enum class JointKind { revolute, prismatic, fixed, floating };

/// A joint that follows another one: its coordinate is multiplier q + offset.
struct Mimic {
  std::size_t joint;
  double multiplier;
  double offset;
};

struct Joint {
  std::string name;
  Place at;
  JointKind kind;
  std::size_t parent;  ///< links
  std::size_t child;
  Pose origin;
  Vector3 axis;         ///< of length 1 if the joint turns or slides
  bool planar = false;  ///< it is one of the three joints of a planar one
  std::optional<double> lower, upper, effort, speed;
  double damping = 0;
  double friction = 0;
  std::optional<Mimic> mimic;
};

struct Robot {
  std::string name;
  std::vector<Link> links;
  std::vector<Joint> joints;
};

/// Reads a robot; `file` is the name used in errors. Throws InputError for text that is not URDF, for joints of a kind
/// that is not known, and for names that are used twice or not declared.
Robot read_robot(std::string_view xml, const std::string& file);

}  // namespace herglotz::io
