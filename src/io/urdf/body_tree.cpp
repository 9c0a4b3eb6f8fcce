#include "urdf/body_tree.hpp"

#include <cmath>

#include "herglotz/io/model_file.hpp"
#include "quote.hpp"

namespace herglotz::io {
namespace {

/// Links of a robot, walked from its root.
class Walk {
 public:
  Walk(const Robot& robot, bool floating, const std::string& file)
      : robot_(robot), floating_(floating), file_(file), above_(robot.links.size()), below_(robot.links.size()) {}

  std::vector<Body> bodies() {
    connect();
    const std::size_t root = root_link();
    std::vector<Frame> frames(robot_.links.size());
    if (floating_) {
      frames[root].body = 0;
      begin_body(root, std::nullopt, std::nullopt, {}).kind = JointKind::floating;
    }
    add_link(root, frames[root]);
    std::vector<std::size_t> order{root};
    for (std::size_t next = 0; next < order.size(); ++next)
      for (const std::size_t joint : below_[order[next]]) {
        const std::size_t child = robot_.joints[joint].child;
        frames[child] = across(joint, frames[order[next]]);
        add_link(child, frames[child]);
        order.push_back(child);
      }
    if (order.size() < robot_.links.size()) refuse_loop(order);
    if (bodies_.empty()) fail({}, "no joint of the robot moves", "with --floating the whole of it moves as one body");
    refuse_massless();
    return std::move(bodies_);
  }

 private:
  /// Frame of a link in the body that the link belongs to; no body is the world.
  struct Frame {
    std::optional<std::size_t> body;
    Pose pose;
  };

  [[noreturn]] void fail(Place place, const std::string& problem, const std::string& remedy) const {
    throw InputError(file_, place.line, place.column, problem, remedy);
  }

  void connect() {
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      const std::string name = in_quotes(robot_.links[joint.child].name);
      if (const auto other = above_[joint.child])
        fail(joint.at,
             "link " + name + " is the child of " + in_quotes(robot_.joints[*other].name) + " and of " +
                 in_quotes(joint.name),
             "URDF describes trees: cut the loop at one joint");
      above_[joint.child] = j;
      below_[joint.parent].push_back(j);
      if (joint.mimic && robot_.joints[joint.mimic->joint].mimic)
        fail(joint.at, "joint " + in_quotes(joint.name) + " mimics a joint that mimics another one",
             "let it mimic that other one");
    }
  }

  [[nodiscard]] std::size_t root_link() const {
    std::optional<std::size_t> root;
    for (std::size_t i = 0; i < robot_.links.size(); ++i) {
      if (above_[i]) continue;
      if (root)
        fail(robot_.links[i].at,
             "links " + in_quotes(robot_.links[*root].name) + " and " + in_quotes(robot_.links[i].name) +
                 " are both roots",
             "join them by a joint");
      root = i;
    }
    if (!root) fail(robot_.links[0].at, "every link is the child of a joint", "leave one link as the root of the tree");
    return *root;
  }

  [[noreturn]] void refuse_loop(const std::vector<std::size_t>& reached) const {
    std::vector<bool> seen(robot_.links.size());
    for (const std::size_t link : reached) seen[link] = true;
    std::size_t link = 0;
    while (seen[link]) ++link;
    fail(robot_.links[link].at, "link " + in_quotes(robot_.links[link].name) + " hangs on itself",
         "URDF describes trees: cut the loop at one joint");
  }

  Body& begin_body(std::size_t link, std::optional<std::size_t> parent, std::optional<std::size_t> joint,
                   const Pose& origin) {
    Body body{};
    body.link = link;
    body.parent = parent;
    body.joint = joint;
    body.origin = origin;
    bodies_.push_back(std::move(body));
    return bodies_.back();
  }

  Frame across(std::size_t index, const Frame& parent) {
    const Joint& joint = robot_.joints[index];
    const Pose origin = parent.pose * joint.origin;
    if (joint.kind == JointKind::fixed) return {parent.body, origin};
    if (joint.kind == JointKind::floating && parent.body)
      fail(joint.at, "the floating joint " + in_quotes(joint.name) + " hangs on a body that moves",
           "let it hang on the root, or give it axes: revolute and prismatic joints");
    Body& body = begin_body(joint.child, parent.body, index, origin);
    body.kind = joint.kind;
    Pose link;
    if (joint.kind != JointKind::floating) {
      std::size_t along = 0;
      for (std::size_t i = 1; i < 3; ++i)
        if (std::abs(joint.axis[i]) > std::abs(joint.axis[along])) along = i;
      body.turned = 1 - std::abs(joint.axis[along]) > 1e-15;
      if (body.turned) {
        const Matrix3 turn = with_third_axis(joint.axis);
        body.origin = origin * Pose{{}, turn};
        link.attitude = transposed(turn);
      } else {
        body.axis = along;
        body.sense = joint.axis[along] > 0 ? 1 : -1;
      }
    }
    return {bodies_.size() - 1, link};
  }

  void add_link(std::size_t index, const Frame& frame) {
    if (!frame.body) return;
    const Link& link = robot_.links[index];
    Body& body = bodies_[*frame.body];
    if (index != body.link) body.attached.push_back(index);
    if (link.inertia) body.inertia = joined(body.inertia, moved(*link.inertia, frame.pose));
    for (Shape shape : link.shapes) {
      shape.pose = frame.pose * shape.pose;
      body.shapes.push_back(shape);
    }
  }

  void refuse_massless() const {
    std::vector<bool> heavy(bodies_.size());
    for (std::size_t b = bodies_.size(); b-- > 0;) {
      const Inertia& own = bodies_[b].inertia;
      if (own.mass > 0 || own.tensor != Matrix3{}) heavy[b] = true;
      if (heavy[b] && bodies_[b].parent) heavy[*bodies_[b].parent] = true;
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (heavy[b]) continue;
      const std::string link = in_quotes(robot_.links[bodies_[b].link].name);
      if (!bodies_[b].joint) fail({}, "link " + link + " has no inertial, and nothing hangs on it", "give it a mass");
      const Joint& joint = robot_.joints[*bodies_[b].joint];
      fail(joint.at,
           "joint " + in_quotes(joint.name) + " moves no mass: neither link " + link +
               " nor what hangs on it has an inertial",
           "give it a mass, or make the joint fixed");
    }
  }

  const Robot& robot_;
  bool floating_;
  const std::string& file_;
  std::vector<std::optional<std::size_t>> above_;  ///< joint above a link
  std::vector<std::vector<std::size_t>> below_;    ///< joints below a link
  std::vector<Body> bodies_;
};

}  // namespace

std::vector<Body> bodies_of(const Robot& robot, bool floating, const std::string& file) {
  return Walk(robot, floating, file).bodies();
}

}  // namespace herglotz::io
