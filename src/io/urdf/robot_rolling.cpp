#include "urdf/robot_rolling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

/// Largest distance, in radii, by which a wheel may be off the axis of its joint.
constexpr double on_axis = 1e-9;

class Finder {
 public:
  Finder(const Robot& robot, const std::vector<Body>& bodies, const std::string& file)
      : robot_(robot), bodies_(bodies), file_(file) {}

  [[nodiscard]] RollingBody operator()(const UrdfRolling& asked) const {
    const Link& link = link_of(asked.link);
    const std::size_t b = body_of(link);
    const Body& body = bodies_[b];
    if (body.kind == JointKind::prismatic)
      fail(link, "slides along its joint and does not turn", "name a link on a revolute or continuous joint");
    const bool free = body.kind == JointKind::floating;
    if (asked.radius && (!(*asked.radius > 0) || !std::isfinite(*asked.radius)))
      fail(link, fmt::format("cannot roll with the radius {}", *asked.radius), "give a length above 0");
    for (const Shape& shape : body.shapes) {
      const bool ball = shape.kind == ShapeKind::sphere;
      if (shape.kind == ShapeKind::box || (free && !ball)) continue;
      const RollingBody found{b, asked.radius.value_or(shape.size[0]), ball, shape.pose.place};
      if (!(found.radius > 0) || (!free && !turns_about_joint(body, shape))) continue;
      return found;
    }
    if (asked.radius) return {b, *asked.radius, free};
    fail(link, free ? "has no sphere that could roll" : "has no cylinder or sphere that turns about its joint",
         "give the radius: --rolling " + link.name + "=0.1");
  }

 private:
  [[noreturn]] void fail(const Link& link, const std::string& problem, const std::string& remedy) const {
    throw InputError(file_, link.at.line, link.at.column, "link " + in_quotes(link.name) + " " + problem, remedy);
  }

  [[nodiscard]] const Link& link_of(const std::string& name) const {
    const auto found =
        std::find_if(robot_.links.begin(), robot_.links.end(), [&](const Link& link) { return link.name == name; });
    if (found != robot_.links.end()) return *found;
    std::vector<std::string> known;
    for (const Link& link : robot_.links) known.push_back(link.name);
    const auto near = symbolic::nearest_names(name, known);
    throw InputError(file_, 0, 0, "there is no link " + in_quotes(name) + " that could roll",
                     near.empty() ? "name a link of the robot" : "did you mean " + listing(near, " or ") + "?");
  }

  [[nodiscard]] std::size_t body_of(const Link& link) const {
    const auto index = static_cast<std::size_t>(&link - robot_.links.data());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (bodies_[b].link == index) return b;
      const auto& attached = bodies_[b].attached;
      if (std::find(attached.begin(), attached.end(), index) != attached.end())
        fail(link, "is fixed to " + in_quotes(robot_.links[bodies_[b].link].name), "name that link");
    }
    fail(link, "is at rest", "name a link that moves");
  }

  /// Returns true if the middle of the shape, and the axis of a cylinder, lie on the axis of the joint.
  [[nodiscard]] static bool turns_about_joint(const Body& body, const Shape& shape) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (k == body.axis) continue;
      if (std::abs(shape.pose.place[k]) > on_axis * shape.size[0]) return false;
      if (shape.kind == ShapeKind::cylinder && std::abs(shape.pose.attitude[k][2]) > on_axis) return false;
    }
    return true;
  }

  const Robot& robot_;
  const std::vector<Body>& bodies_;
  const std::string& file_;
};

/// Returns the sum as a factor of a product.
std::string factor(const Sum& sum) {
  const bool is_name = sum.is_short() && sum.products().size() == 1 && sum.products()[0].factor == 1;
  return is_name ? sum.text() : "(" + sum.text() + ")";
}

/// Returns the equations of a body that turns about the axis a of its joint; i, j and a are in cyclic order.
std::vector<std::string> equations_about_joint(const RollingBody& rolling, const Body& body, const std::string& name,
                                               const Motion& motion, ModelLines& lines) {
  const std::size_t a = body.axis;
  const std::size_t i = (a + 1) % 3;
  const std::size_t j = (a + 2) % 3;
  const auto& [w, v, n, h] = motion;
  const std::string R = "R_" + name;
  const std::string rim = "rim_" + name;
  const Sum c = lines.parameter("o_" + name, rolling.centre[a]);
  lines.definitions.push_back(fmt::format("{} = \"sqrt({}^2 + {}^2)\"", rim, factor(n[i]), factor(n[j])));
  // Along a x n, the direction in which the body rolls.
  const Sum ahead = n[i] * v[j] - n[j] * v[i] - c * (n[i] * w[i] + n[j] * w[j]);
  const Sum turn = w[j] * n[i] - w[i] * n[j];  // w.(a x n)
  const Sum height = h + c * n[a];
  if (rolling.ball) {
    const Sum swing = w[a] - dot(w, n) * n[a];
    return {fmt::format("{} - {}", height.text(), R),
            fmt::format("({} - {}*({}))/{}", ahead.text(), R, swing.text(), rim),
            fmt::format("({} + {}*({}))/{}", (v[a] - dot(v, n) * n[a]).text(), factor(Sum(R) - c * n[a]), turn.text(),
                        rim)};
  }
  return {fmt::format("{} - {}*{}", height.text(), R, rim),
          fmt::format("({})/{} - {}*{}", ahead.text(), rim, R, factor(w[a])),
          fmt::format("{} + {}*({})/{}", v[a].text(), R, turn.text(), rim)};
}

/// Returns the equations of a ball that is the root of the robot and floats.
std::vector<std::string> equations_of_free_ball(const RollingBody& rolling, const Body& body, const BodyNames& names,
                                                const Motion& motion, ModelLines& lines) {
  const std::string& name = names.link;
  const Sum R("R_" + name);
  Sum3 c;
  Sum3 r;
  const char* directions[3] = {"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    c[k] = lines.parameter(fmt::format("o{}_{}", directions[k], name), rolling.centre[k]);
    r[k] = c[k] - R * motion.n[k];
  }
  const Sum height = motion.h + dot(motion.n, c) - R;
  const Sum3 carried = cross(motion.w, r);
  Sum3 slip;
  for (std::size_t k = 0; k < 3; ++k)
    slip[k] = lines.defined("slip" + std::to_string(k + 1) + "_" + name, motion.v[k] + carried[k]);
  const SumMatrix attitude = attitude_of(body, names, {});
  std::vector<std::string> equations{height.text()};
  for (std::size_t k = 0; k < 2; ++k)
    equations.push_back(fmt::format("({})*{} + ({})*{} + ({})*{}", attitude[k][0].text(), factor(slip[0]),
                                    attitude[k][1].text(), factor(slip[1]), attitude[k][2].text(), factor(slip[2])));
  return equations;
}

}  // namespace

bool needs_floating_root(const Robot& robot, const UrdfOptions& options) {
  return !options.rolling.empty() && std::none_of(robot.joints.begin(), robot.joints.end(), [](const Joint& joint) {
    return joint.kind == JointKind::floating || joint.planar;
  });
}

std::vector<RollingBody> rolling_bodies(const Robot& robot, const std::vector<Body>& bodies, const UrdfOptions& options,
                                        const std::string& file) {
  std::vector<RollingBody> found;
  for (const UrdfRolling& asked : options.rolling) {
    const RollingBody rolling = Finder(robot, bodies, file)(asked);
    if (std::any_of(found.begin(), found.end(), [&](const RollingBody& one) { return one.body == rolling.body; }))
      throw InputError(file, 0, 0, "link " + in_quotes(asked.link) + " is declared as rolling twice", "name it once");
    found.push_back(rolling);
  }
  return found;
}

std::vector<std::string> rolling_equations(const RollingBody& rolling, const std::vector<Body>& bodies,
                                           const std::vector<BodyNames>& names, const Motion& motion,
                                           ModelLines& lines) {
  const Body& body = bodies[rolling.body];
  const BodyNames& own = names[rolling.body];
  lines.parameters.push_back(fmt::format("R_{} = {}", own.link, number_text(rolling.radius)));
  return body.kind == JointKind::floating ? equations_of_free_ball(rolling, body, own, motion, lines)
                                          : equations_about_joint(rolling, body, own.link, motion, lines);
}

double lowest_point(const RollingBody& rolling, const Body& body, const Pose& pose) {
  const Vector3& n = pose.attitude[2];  // the vertical along the axes of the body
  double size = rolling.radius;
  if (!rolling.ball) size *= std::hypot(n[(body.axis + 1) % 3], n[(body.axis + 2) % 3]);
  return (pose * Pose{rolling.centre, identity3}).place[2] - size;
}

bool keeps_its_height(const RollingBody& rolling, const std::vector<Body>& bodies, const std::vector<Pose>& poses) {
  constexpr double aligned = 1e-9;
  if (bodies[rolling.body].kind == JointKind::floating) return false;
  for (auto b = bodies[rolling.body].parent; b; b = bodies[*b].parent) {
    const Body& body = bodies[*b];
    if (body.kind == JointKind::floating) return false;
    const double along = std::abs(poses[*b].attitude[2][body.axis]);  // of the vertical along the axis of the joint
    if (body.kind == JointKind::prismatic ? along > aligned : 1 - along > aligned) return false;
  }
  return true;
}

}  // namespace herglotz::io
