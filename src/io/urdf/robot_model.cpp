#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "herglotz/io/urdf.hpp"
#include "urdf/robot_motion.hpp"
#include "urdf/robot_rolling.hpp"
#include "urdf/robot_view.hpp"

namespace herglotz::io {
namespace {

/// Largest height, in radii, of the lowest point of a body on the plane.
constexpr double on_the_plane = 1e-9;

/// Writes the model of one robot.
class Writer {
 public:
  Writer(const Robot& robot, const std::vector<Body>& bodies, std::vector<RollingBody> rolling, const std::string& file)
      : robot_(robot), bodies_(bodies), rolling_(std::move(rolling)), names_(names_of(robot, bodies)), file_(file) {
    poses_ = start_poses();
  }

  std::string text() {
    lines_.parameters.push_back("g = 9.81");
    const auto motions = motions_of(robot_, bodies_, names_, lines_);
    std::vector<std::string> kinetic;
    std::vector<std::string> potential;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      lines_.parameters.push_back(comment_of(b));
      add_energies(b, motions[b], kinetic, potential);
    }
    lines_.definitions.push_back(fmt::format("kinetic = \"{}\"", fmt::join(kinetic, " + ")));
    lines_.definitions.push_back(
        fmt::format("potential = \"{}\"", potential.empty() ? "0" : fmt::format("{}", fmt::join(potential, " + "))));
    const std::string forces = forces_text();
    const std::string constraints = constraints_text(motions);
    const std::string start = start_text();
    return header() + model_tables() + section("parameters", lines_.parameters) +
           section("definitions", lines_.definitions) + "[dynamics]\nlagrangian = \"kinetic - potential\"\n\n" +
           forces + constraints + "[observables]\nkinetic_energy = \"kinetic\"\npotential_energy = \"potential\"\n\n" +
           start + "[simulation]\ntolerance = 1e-10\nt_end = 5.0\n\n" +
           section("view.bodies", view_of(robot_, bodies_, names_));
  }

 private:
  static std::string section(const std::string& table, const std::vector<std::string>& lines) {
    return fmt::format("[{}]\n{}\n\n", table, fmt::join(lines, "\n"));
  }

  [[nodiscard]] bool floats(std::size_t b) const { return bodies_[b].kind == JointKind::floating; }
  /// Returns true if the body's joint has a coordinate of its own.
  [[nodiscard]] bool is_driven(std::size_t b) const { return !floats(b) && !robot_.joints[*bodies_[b].joint].mimic; }

  [[nodiscard]] std::string header() const {
    return fmt::format("# {}: a robot of {} links, {} of which move on their own, from {}.\n", plain_name(robot_.name),
                       robot_.links.size(), bodies_.size(), plain_file_name()) +
           R"(#
# q_ and v_ are the coordinates and velocities of joints, in rad and m; tau_ are torques and forces of motors, d_ the
# damping, f_ dry friction. A link has its mass m_, its centre c_, and its moments of inertia about that centre, along
# its own axes; p_ is the place of its joint on the link before it. Of every link that moves there are, along its axes,
# the angular velocity w_, the velocity v_ of its origin, the vertical n_ and the height h_; a_, u_ and k_ are those of
# the link before it along the axes of the joint, and s_ is the velocity of the joint on that link. What is 0, or a
# number times one name, has no name of its own.

)";
  }

  [[nodiscard]] std::string plain_file_name() const {
    std::string name = std::filesystem::path(file_).filename().string();
    for (char& c : name)
      if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '_';
    return name == "-" ? "standard input" : name;
  }

  [[nodiscard]] std::string model_tables() const {
    std::string text = fmt::format("[model]\nname = \"{}\"\ntitle = \"Robot {}\"\nreference = \"{}\"\n\n",
                                   plain_name(robot_.name), plain_name(robot_.name), plain_file_name());
    std::vector<std::string> factors;
    std::vector<std::string> base;
    std::vector<std::string> fibre;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const std::string& link = names_[b].link;
      if (floats(b))
        factors.push_back(fmt::format(
            "kind = \"lie-group\"\ngroup = \"se3\"\nbase = [\"e0_{0}\", \"e1_{0}\", \"e2_{0}\", \"e3_{0}\", \"x_{0}\", "
            "\"y_{0}\", \"z_{0}\"]\nfibre = [\"w1_{0}\", \"w2_{0}\", \"w3_{0}\", \"v1_{0}\", \"v2_{0}\", \"v3_{0}\"]\n",
            link));
      if (!is_driven(b)) continue;
      base.push_back(fmt::format("\"q_{}\"", names_[b].joint));
      fibre.push_back(fmt::format("\"v_{}\"", names_[b].joint));
    }
    if (!base.empty())
      factors.push_back(fmt::format("kind = \"tangent\"\nbase = [{}]\nfibre = [{}]\n", fmt::join(base, ", "),
                                    fmt::join(fibre, ", ")));
    if (factors.size() == 1) return text + "[algebroid]\n" + factors[0] + "\n";
    text += "[algebroid]\nkind = \"product\"\n\n";
    for (const std::string& factor : factors) text += "[[algebroid.factors]]\n" + factor + "\n";
    return text;
  }

  /// Returns a comment with the link and those that are fixed to it.
  [[nodiscard]] std::string comment_of(std::size_t b) const {
    std::string text = "# " + plain_name(robot_.links[bodies_[b].link].name);
    std::vector<std::string> attached;
    for (const std::size_t link : bodies_[b].attached) attached.push_back(plain_name(robot_.links[link].name));
    if (!attached.empty()) text += fmt::format(", with {}", fmt::join(attached, ", "));
    if (bodies_[b].turned) text += "; turned so that its third axis is that of the joint";
    return text;
  }

  void add_energies(std::size_t b, const Motion& motion, std::vector<std::string>& kinetic,
                    std::vector<std::string>& potential) {
    const std::string& name = names_[b].link;
    const Inertia& inertia = bodies_[b].inertia;
    const Sum mass = lines_.parameter("m_" + name, inertia.mass);
    const char* directions[3] = {"x", "y", "z"};
    Sum3 centre;
    for (std::size_t i = 0; i < 3; ++i)
      centre[i] = lines_.parameter(fmt::format("c{}_{}", directions[i], name), inertia.centre[i]);
    std::vector<std::string> terms;
    if (!mass.is_zero()) {
      const Sum3 carried = cross(motion.w, centre);
      std::vector<std::string> squares;
      for (std::size_t i = 0; i < 3; ++i)
        if (const Sum v = motion.v[i] + carried[i]; !v.is_zero()) squares.push_back(square(v));
      if (!squares.empty()) terms.push_back(fmt::format("{}*({})", mass.text(), fmt::join(squares, " + ")));
    }
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = i; j < 3; ++j) {
        const Sum moment =
            lines_.parameter(fmt::format("I{}{}_{}", directions[i], directions[j], name), inertia.tensor[i][j]);
        if (moment.is_zero() || motion.w[i].is_zero() || motion.w[j].is_zero()) continue;
        if (i == j)
          terms.push_back(moment.text() + "*" + square(motion.w[i]));
        else
          terms.push_back(fmt::format("2*{}*{}*{}", moment.text(), factor(motion.w[i]), factor(motion.w[j])));
      }
    if (!terms.empty()) {
      lines_.definitions.push_back(fmt::format("T_{} = \"({})/2\"", name, fmt::join(terms, " + ")));
      kinetic.push_back("T_" + name);
    }
    const Sum height = motion.h + dot(motion.n, centre);
    if (mass.is_zero() || height.is_zero()) return;
    lines_.definitions.push_back(fmt::format("V_{} = \"{}*g*({})\"", name, mass.text(), height.text()));
    potential.push_back("V_" + name);
  }

  static std::string factor(const Sum& sum) {
    const bool is_name = sum.is_short() && sum.products()[0].factor == 1;
    return is_name ? sum.text() : "(" + sum.text() + ")";
  }
  static std::string square(const Sum& sum) { return factor(sum) + "^2"; }

  /// Returns [dynamics.forces], and adds the parameters of motors, damping and friction.
  std::string forces_text() {
    std::vector<Sum> sums(bodies_.size());
    lines_.parameters.push_back("# motors, damping and dry friction");
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (floats(b)) continue;
      const Joint& joint = robot_.joints[*bodies_[b].joint];
      std::size_t driver = b;
      Sum share(1.0);
      if (joint.mimic) {
        share = Sum(joint.mimic->multiplier);
        for (driver = 0; bodies_[driver].joint != joint.mimic->joint;) ++driver;
      }
      const std::string& name = names_[b].joint;
      const Sum rate = rate_of(robot_, bodies_, names_, b);
      if (!joint.mimic) {
        lines_.parameters.push_back(fmt::format("tau_{} = 0.0", name));
        sums[driver] += Sum("tau_" + name);
      }
      sums[driver] += Sum(-1.0) * share * lines_.parameter("d_" + name, joint.damping) * rate;
      sums[driver] +=
          Sum(-1.0) * share * lines_.parameter("f_" + name, joint.friction) * Sum("sign(" + rate.text() + ")");
    }
    std::string text;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (is_driven(b)) text += fmt::format("v_{} = \"{}\"\n", names_[b].joint, sums[b].text());
    return text.empty() ? "" : "[dynamics.forces]\n" + text + "\n";
  }

  /// Returns true if a wheel before this one turns about the same axle. Both keep their heights.
  [[nodiscard]] bool shares_axle(const RollingBody& rolling) const {
    constexpr double aligned = 1e-9;
    const auto axle = [&](const RollingBody& one) {
      Vector3 direction{};
      for (std::size_t i = 0; i < 3; ++i) direction[i] = poses_[one.body].attitude[i][bodies_[one.body].axis];
      return direction;
    };
    const Vector3 own = axle(rolling);
    return std::any_of(rolling_.begin(), rolling_.end(), [&](const RollingBody& other) {
      if (&other >= &rolling || rolling.ball || other.ball ||
          bodies_[other.body].parent != bodies_[rolling.body].parent)
        return false;
      const Vector3 its = axle(other);
      const Pose& from = poses_[other.body];
      const Pose& to = poses_[rolling.body];
      const double turned = std::hypot(own[1] * its[2] - own[2] * its[1], own[2] * its[0] - own[0] * its[2],
                                       own[0] * its[1] - own[1] * its[0]);
      const double aside = (to.place[0] - from.place[0]) * own[1] - (to.place[1] - from.place[1]) * own[0];
      return turned <= aligned && std::abs(aside) <= aligned * rolling.radius;
    });
  }

  /// Returns [constraints] of the bodies that roll.
  std::string constraints_text(const std::vector<Motion>& motions) {
    if (rolling_.empty()) return "";
    lines_.parameters.push_back("# radii of what rolls, and places o_ of its middle on the axis");
    std::string text;
    for (const RollingBody& rolling : rolling_) {
      auto equations = rolling_equations(rolling, bodies_, names_, motions[rolling.body], lines_);
      const bool fixed = keeps_its_height(rolling, bodies_, poses_);
      // The height says nothing of the motion then, and the velocity along an axle is that of all wheels on it.
      if (fixed && shares_axle(rolling)) equations.pop_back();
      if (fixed) equations.erase(equations.begin());
      text += fmt::format("  # {}: its lowest point {}\n", names_[rolling.body].link,
                          fixed ? "keeps its height, and is at rest" : "is at height 0, and at rest");
      for (const auto& equation : equations) text += fmt::format("  \"{}\",\n", equation);
    }
    return "[constraints]\nrule = \"nonholonomic\"\nequations = [\n" + text + "]\n\n";
  }

  /// Returns the value that the coordinate of a driven joint starts with: the middle of its range if that is without 0.
  [[nodiscard]] double start_of(const Joint& joint) const {
    if (!joint.lower || !joint.upper || !(*joint.lower < *joint.upper)) return 0;
    return *joint.lower > 0 || *joint.upper < 0 ? (*joint.lower + *joint.upper) / 2 : 0;
  }

  /// Returns the places of the bodies at the start; a root that floats is at the origin.
  [[nodiscard]] std::vector<Pose> start_poses() const {
    std::vector<Pose> poses(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Body& body = bodies_[b];
      Pose own;
      if (!floats(b)) {
        const Joint& joint = robot_.joints[*body.joint];
        double q = start_of(joint);
        if (joint.mimic)
          q = joint.mimic->multiplier * start_of(robot_.joints[joint.mimic->joint]) + joint.mimic->offset;
        q *= body.sense;
        if (joint.kind == JointKind::prismatic) {
          own.place[body.axis] = q;
        } else {
          const std::size_t i = (body.axis + 1) % 3;
          const std::size_t j = (body.axis + 2) % 3;
          own.attitude[i][i] = own.attitude[j][j] = std::cos(q);
          own.attitude[j][i] = std::sin(q);
          own.attitude[i][j] = -std::sin(q);
        }
      }
      poses[b] = (body.parent ? poses[*body.parent] : Pose{}) * body.origin * own;
    }
    return poses;
  }

  /// Returns the height of a root that floats at which the first body that rolls touches the plane, or else 0.
  [[nodiscard]] double start_height() const {
    if (rolling_.empty() || keeps_its_height(rolling_.front(), bodies_, poses_)) return 0;
    const RollingBody& first = rolling_.front();
    return -lowest_point(first, bodies_[first.body], poses_[first.body]);
  }

  /// Returns comments on the rolling bodies that do not touch the plane at the start, `root` above the origin.
  [[nodiscard]] std::string comments_on_heights(double root) const {
    std::string text;
    for (const RollingBody& rolling : rolling_) {
      const Body& body = bodies_[rolling.body];
      const double height = lowest_point(rolling, body, poses_[rolling.body]) + root;
      if (std::abs(height) <= on_the_plane * rolling.radius) continue;
      const std::string what = fmt::format("# {} is {:.6g} {} the plane here, ", names_[rolling.body].link,
                                           std::abs(height), height > 0 ? "above" : "below");
      text += what + (keeps_its_height(rolling, bodies_, poses_)
                          ? "and no joint changes that\n"
                          : "and has to be moved onto it with the others: `project` tilts the robot if that can be\n");
    }
    return text;
  }

  /// Returns [initial] with the limits of the joints as comments.
  [[nodiscard]] std::string start_text() const {
    std::string text = rolling_.empty() ? "[initial]\n" : "[initial]\nproject = true\n";
    const double root = start_height();  // of the root, if it floats
    text += comments_on_heights(root);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (floats(b)) text += fmt::format("e0_{} = 1.0\n", names_[b].link);
      if (floats(b) && !rolling_.empty()) text += fmt::format("z_{} = {}\n", names_[b].link, number_text(root));
      if (!is_driven(b)) continue;
      const Joint& joint = robot_.joints[*bodies_[b].joint];
      const bool turns = joint.kind == JointKind::revolute;
      std::vector<std::string> limits;
      if (joint.lower && joint.upper && *joint.lower < *joint.upper)
        limits.push_back(fmt::format("from {} to {} {}", *joint.lower, *joint.upper, turns ? "rad" : "m"));
      if (joint.effort && *joint.effort > 0)
        limits.push_back(fmt::format("at most {} {}", *joint.effort, turns ? "N m" : "N"));
      if (joint.speed && *joint.speed > 0)
        limits.push_back(fmt::format("at most {} {}/s", *joint.speed, turns ? "rad" : "m"));
      text += fmt::format("q_{} = {}", names_[b].joint, number_text(start_of(joint)));
      text += limits.empty() ? "\n" : fmt::format("  # {}\n", fmt::join(limits, ", "));
    }
    return text + "\n";
  }

  const Robot& robot_;
  const std::vector<Body>& bodies_;
  std::vector<RollingBody> rolling_;
  std::vector<BodyNames> names_;
  std::vector<Pose> poses_;  // at the start
  const std::string& file_;
  ModelLines lines_;
};

}  // namespace

std::string model_of_urdf(std::string_view xml, const std::string& file, const UrdfOptions& options) {
  const Robot robot = read_robot(xml, file);
  const auto bodies = bodies_of(robot, options.floating || needs_floating_root(robot, options), file);
  return Writer(robot, bodies, rolling_bodies(robot, bodies, options, file), file).text();
}

}  // namespace herglotz::io
