#include "urdf/robot_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace herglotz::io {
namespace {

std::string list(const Sum3& sums) {
  std::vector<std::string> entries;
  for (const Sum& sum : sums) entries.push_back("\"" + sum.text() + "\"");
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

std::string list(const Vector3& numbers) {
  return fmt::format("[{}, {}, {}]", number_text(numbers[0]), number_text(numbers[1]), number_text(numbers[2]));
}

std::string matrix(const SumMatrix& rows) {
  return fmt::format("[{}, {}, {}]", list(rows[0]), list(rows[1]), list(rows[2]));
}

std::string matrix(const Matrix3& rows) {
  return fmt::format("[{}, {}, {}]", list(rows[0]), list(rows[1]), list(rows[2]));
}

std::string attitude_entry(const Matrix3& attitude) {
  return attitude == identity3 ? "" : ", attitude = " + matrix(attitude);
}

double length_of(const Vector3& v) {
  return std::hypot(v[0], v[1], v[2]);
}

/// Returns the shape in the frame of the body named `on`.
std::string shape_text(const Shape& shape, const std::string& on) {
  const auto [a, b, c] = shape.size;
  const std::string at = fmt::format("on = \"{}\", at = {}", on, list(shape.pose.place));
  switch (shape.kind) {
    case ShapeKind::box:
      return fmt::format("{{ shape = \"box\", {}{}, size = {} }}", at, attitude_entry(shape.pose.attitude),
                         list(shape.size));
    case ShapeKind::sphere:
      return fmt::format("{{ shape = \"sphere\", {}, radius = {} }}", at, number_text(a));
    case ShapeKind::cylinder:
      break;
  }
  // The axle of a wheel is its y axis, that of a cylinder its z axis.
  const Matrix3 turn{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
  return fmt::format("{{ shape = \"wheel\", {}{}, radius = {}, width = {} }}", at,
                     attitude_entry(shape.pose.attitude * turn), number_text(a), number_text(b));
}

}  // namespace

std::vector<std::string> view_of(const Robot& robot, const std::vector<Body>& bodies,
                                 const std::vector<BodyNames>& names) {
  double size = 0;
  for (const Body& body : bodies) size = std::max({size, length_of(body.origin.place), length_of(body.inertia.centre)});
  if (size == 0) size = 0.5;
  DifferentNames taken;
  for (const BodyNames& name : names) taken.add(name.link);
  std::vector<std::string> lines;
  const auto add = [&](const std::string& name, const std::string& text) { lines.push_back(name + " = " + text); };
  const auto rod = [&](const std::string& on, const std::string& to) {
    add(taken.add(on + "_rod"),
        fmt::format("{{ shape = \"rod\", on = \"{}\", from = [0, 0, 0], to = {}, radius = {}, color = \"grey\" }}", on,
                    to, number_text(std::round(size * 50) / 1000)));
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    const std::string& name = names[b].link;
    const Sum coordinate = body.kind == JointKind::floating ? Sum() : coordinate_of(robot, bodies, names, b);
    const std::string on = body.parent ? fmt::format("on = \"{}\", ", names[*body.parent].link) : "";
    add(name, fmt::format("{{ shape = \"frame\", {}at = {}, attitude = {}, size = {} }}", on,
                          list(place_of(body, names[b], coordinate, nullptr)),
                          matrix(attitude_of(body, names[b], coordinate)), number_text(std::round(size * 150) / 1000)));
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    for (const Shape& shape : body.shapes) add(taken.add(names[b].link + "_shape"), shape_text(shape, names[b].link));
    bool is_last = true;
    for (std::size_t c = b + 1; c < bodies.size(); ++c) {
      if (bodies[c].parent != b) continue;
      is_last = false;
      if (length_of(bodies[c].origin.place) > 0 && bodies[c].kind == JointKind::revolute)
        rod(names[b].link, list(place_of(bodies[c], names[c], Sum(), nullptr)));
    }
    if (is_last && body.shapes.empty() && length_of(body.inertia.centre) > 1e-3 * size)
      rod(names[b].link, list(body.inertia.centre));
  }
  return lines;
}

}  // namespace herglotz::io
