#include "urdf/robot.hpp"

#include <cmath>

namespace herglotz::io {
namespace {

Vector3 crossed(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

Matrix3 transposed(const Matrix3& a) {
  Matrix3 t;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = a[j][i];
  return t;
}

Vector3 operator*(const Matrix3& a, const Vector3& v) {
  Vector3 product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) product[i] += a[i][j] * v[j];
  return product;
}

Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  Matrix3 product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) product[i][j] += a[i][k] * b[k][j];
  return product;
}

Pose operator*(const Pose& outer, const Pose& inner) {
  const Vector3 turned = outer.attitude * inner.place;
  Pose pose{{}, outer.attitude * inner.attitude};
  for (std::size_t i = 0; i < 3; ++i) pose.place[i] = outer.place[i] + turned[i];
  return pose;
}

Matrix3 from_roll_pitch_yaw(const Vector3& angles) {
  const auto [roll, pitch, yaw] = angles;
  const Matrix3 x{{{1, 0, 0}, {0, std::cos(roll), -std::sin(roll)}, {0, std::sin(roll), std::cos(roll)}}};
  const Matrix3 y{{{std::cos(pitch), 0, std::sin(pitch)}, {0, 1, 0}, {-std::sin(pitch), 0, std::cos(pitch)}}};
  const Matrix3 z{{{std::cos(yaw), -std::sin(yaw), 0}, {std::sin(yaw), std::cos(yaw), 0}, {0, 0, 1}}};
  Matrix3 attitude = z * y * x;
  for (Vector3& row : attitude)
    for (double& entry : row)
      if (std::abs(entry - std::round(entry)) < 1e-15) entry = std::round(entry) + 0.0;
  return attitude;
}

Matrix3 with_third_axis(const Vector3& axis) {
  std::size_t along = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if (std::abs(axis[i]) > std::abs(axis[along])) along = i;
  // The first column lies in the direction that comes after the axis in cyclic order, and the second one follows.
  Vector3 second{};
  second[(along + 2) % 3] = 1;
  Vector3 first = crossed(second, axis);
  const double length = std::copysign(std::hypot(first[0], first[1], first[2]), axis[along]);
  for (double& component : first) component = component / length + 0.0;
  return transposed({first, crossed(axis, first), axis});
}

Inertia moved(const Inertia& inertia, const Pose& pose) {
  return {inertia.mass, (pose * Pose{inertia.centre, identity3}).place,
          pose.attitude * inertia.tensor * transposed(pose.attitude)};
}

namespace {

/// Adds the inertia of a mass point at r to a tensor.
void add_point(Matrix3& tensor, double mass, const Vector3& r) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) tensor[i][j] += mass * ((i == j ? square : 0) - r[i] * r[j]);
}

}  // namespace

Inertia joined(const Inertia& a, const Inertia& b) {
  if (a.mass == 0 && a.tensor == Matrix3{}) return b;
  if (b.mass == 0 && b.tensor == Matrix3{}) return a;
  Inertia both{a.mass + b.mass, {}, a.tensor};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) both.tensor[i][j] += b.tensor[i][j];
    if (both.mass > 0) both.centre[i] = (a.mass * a.centre[i] + b.mass * b.centre[i]) / both.mass;
  }
  for (const Inertia* part : {&a, &b}) {
    Vector3 r{};
    for (std::size_t i = 0; i < 3; ++i) r[i] = part->centre[i] - both.centre[i];
    add_point(both.tensor, part->mass, r);
  }
  return both;
}

}  // namespace herglotz::io
