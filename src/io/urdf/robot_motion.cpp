#include "urdf/robot_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace herglotz::io {
namespace {

constexpr const char* directions[3] = {"x", "y", "z"};

std::string joined_name(const std::string& head, std::size_t component, const std::string& tail) {
  return head + std::to_string(component + 1) + "_" + tail;
}

Sum3 defined(ModelLines& lines, const std::string& head, const std::string& tail, const Sum3& sums) {
  Sum3 names;
  for (std::size_t i = 0; i < 3; ++i) names[i] = lines.defined(joined_name(head, i, tail), sums[i]);
  return names;
}

/// Returns true if a component along the axes of one frame is a sum of several along those of the other.
bool mixes(const Matrix3& attitude) {
  return std::any_of(attitude.begin(), attitude.end(),
                     [](const Vector3& row) { return std::count(row.begin(), row.end(), 0.0) < 2; });
}

/// Returns the components along the axes of a frame of a vector of the outer frame.
Sum3 seen_from(const Matrix3& attitude, const Sum3& u) {
  Sum3 seen;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) seen[i] += Sum(attitude[k][i]) * u[k];
  return seen;
}

Sum3 seen_from(const SumMatrix& attitude, const Sum3& u) {
  Sum3 seen;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) seen[i] += attitude[k][i] * u[k];
  return seen;
}

/// Returns the rotation by the angle about a coordinate axis.
SumMatrix about_axis(const Body& body, const Sum& angle) {
  const std::string text = angle.text();
  SumMatrix rotation;
  const std::size_t i = (body.axis + 1) % 3;
  const std::size_t j = (body.axis + 2) % 3;
  rotation[body.axis][body.axis] = Sum(1.0);
  rotation[i][i] = rotation[j][j] = Sum("cos(" + text + ")");
  rotation[j][i] = Sum(body.sense, "sin(" + text + ")");
  rotation[i][j] = Sum(-body.sense, "sin(" + text + ")");
  return rotation;
}

}  // namespace

std::string number_text(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

Sum ModelLines::parameter(const std::string& name, double value) {
  if (value == 0) return {};
  parameters.push_back(name + " = " + number_text(value));
  return Sum(name);
}

Sum ModelLines::defined(const std::string& name, const Sum& sum) {
  if (sum.is_short()) return sum;
  definitions.push_back(name + " = \"" + sum.text() + "\"");
  return Sum(name);
}

Sum3 cross(const Sum3& a, const Sum3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Sum dot(const Sum3& a, const Sum3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

namespace {

/// Returns a sum in the name that begins with `head` of the joint that drives the body.
Sum driven(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names, std::size_t body,
           const std::string& head) {
  const auto& mimic = robot.joints[*bodies[body].joint].mimic;
  if (!mimic) return Sum(head + names[body].joint);
  std::size_t other = 0;
  while (bodies[other].joint != mimic->joint) ++other;
  return Sum(mimic->multiplier, head + names[other].joint);
}

}  // namespace

Sum coordinate_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names,
                  std::size_t body) {
  const auto& mimic = robot.joints[*bodies[body].joint].mimic;
  return driven(robot, bodies, names, body, "q_") + Sum(mimic ? mimic->offset : 0);
}

Sum rate_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names,
            std::size_t body) {
  return driven(robot, bodies, names, body, "v_");
}

SumMatrix rotation_of(const std::string& name) {
  const auto e = [&](int i, int j) {
    const std::string first = "e" + std::to_string(i) + "_" + name;
    return Sum(i == j ? first + "^2" : first + "*e" + std::to_string(j) + "_" + name);
  };
  const auto twice = [&](int i, int j) { return Sum(2.0) * e(i, j); };
  return {{{e(0, 0) + e(1, 1) - e(2, 2) - e(3, 3), twice(1, 2) - twice(0, 3), twice(1, 3) + twice(0, 2)},
           {twice(1, 2) + twice(0, 3), e(0, 0) - e(1, 1) + e(2, 2) - e(3, 3), twice(2, 3) - twice(0, 1)},
           {twice(1, 3) - twice(0, 2), twice(2, 3) + twice(0, 1), e(0, 0) - e(1, 1) - e(2, 2) + e(3, 3)}}};
}

Sum3 place_of(const Body& body, const BodyNames& names, const Sum& coordinate, ModelLines* lines) {
  Sum3 place;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string name = fmt::format("p{}_{}", directions[i], names.joint);
    if (lines != nullptr)
      place[i] = lines->parameter(name, body.origin.place[i]);
    else if (body.origin.place[i] != 0)
      place[i] = Sum(name);
    for (std::size_t k = 0; k < 3; ++k) {
      if (body.kind == JointKind::floating)
        place[i] += Sum(body.origin.attitude[i][k], fmt::format("{}_{}", directions[k], names.link));
      else if (body.kind == JointKind::prismatic && k == body.axis)
        place[i] += Sum(body.sense * body.origin.attitude[i][k]) * coordinate;
    }
  }
  return place;
}

SumMatrix attitude_of(const Body& body, const BodyNames& names, const Sum& coordinate) {
  SumMatrix own;
  if (body.kind == JointKind::revolute)
    own = about_axis(body, coordinate);
  else if (body.kind == JointKind::floating)
    own = rotation_of(names.link);
  else
    for (std::size_t i = 0; i < 3; ++i) own[i][i] = Sum(1.0);
  SumMatrix attitude;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) attitude[i][j] += Sum(body.origin.attitude[i][k]) * own[k][j];
  return attitude;
}

std::vector<Motion> motions_of(const Robot& robot, const std::vector<Body>& bodies, const std::vector<BodyNames>& names,
                               ModelLines& lines) {
  const Motion world{{}, {}, {Sum(), Sum(), Sum(1.0)}, {}};
  std::vector<Motion> motions;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    const std::string& name = names[b].link;
    const Motion& parent = body.parent ? motions[*body.parent] : world;
    const bool floats = body.kind == JointKind::floating;
    const Sum coordinate = floats ? Sum() : coordinate_of(robot, bodies, names, b);
    const Sum3 place = place_of(body, names[b], coordinate, &lines);
    Motion motion;
    motion.h = lines.defined("h_" + name, parent.h + dot(parent.n, place));
    if (floats) {
      motion.n = defined(lines, "n", name, seen_from(rotation_of(name), seen_from(body.origin.attitude, parent.n)));
      for (std::size_t i = 0; i < 3; ++i) {
        motion.w[i] = Sum(joined_name("w", i, name));
        motion.v[i] = Sum(joined_name("v", i, name));
      }
      motions.push_back(motion);
      continue;
    }
    // The velocity of the joint's place on the parent, then along the axes that the joint has at 0.
    const Sum3 carried = cross(parent.w, place);
    Sum3 v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = parent.v[i] + carried[i];
    if (mixes(body.origin.attitude)) v = defined(lines, "s", name, v);
    motion.w = defined(lines, "a", name, seen_from(body.origin.attitude, parent.w));
    motion.v = defined(lines, "u", name, seen_from(body.origin.attitude, v));
    motion.n = defined(lines, "k", name, seen_from(body.origin.attitude, parent.n));
    const Sum rate = Sum(body.sense) * rate_of(robot, bodies, names, b);
    if (body.kind == JointKind::revolute) {
      const SumMatrix turn = about_axis(body, coordinate);
      motion.w = seen_from(turn, motion.w);
      motion.v = seen_from(turn, motion.v);
      motion.n = seen_from(turn, motion.n);
      motion.w[body.axis] += rate;
    } else {
      motion.v[body.axis] += rate;
    }
    motion.w = defined(lines, "w", name, motion.w);
    motion.v = defined(lines, "v", name, motion.v);
    motion.n = defined(lines, "n", name, motion.n);
    motions.push_back(motion);
  }
  return motions;
}

}  // namespace herglotz::io
