#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <pugixml.hpp>

#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"
#include "urdf/robot.hpp"

namespace herglotz::io {
namespace {

using pugi::xml_node;

/// Reads the elements of one document, with the place of each for errors.
class Reader {
 public:
  Reader(std::string_view xml, const std::string& file) : xml_(xml), file_(file) {}

  Robot read() {
    pugi::xml_document document;
    const auto parsed =
        document.load_buffer(xml_.data(), xml_.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_utf8);
    if (!parsed)
      fail(place_of(parsed.offset), "this is not well-formed XML: " + lower_case(parsed.description()),
           "name a robot description in URDF");
    for (const xml_node node : document.children())
      if (node.type() == pugi::node_doctype)
        fail(place_of(0), "it has a document type definition", "URDF has none: remove the DOCTYPE with its entities");
    const xml_node root = document.document_element();
    if (std::string_view(root.name()) != "robot")
      fail(at(root), "the root element is " + in_quotes(root.name()) + ", not 'robot'",
           "name a robot description in URDF");
    refuse_macros(root);
    Robot robot;
    robot.name = root.attribute("name").as_string();
    if (robot.name.empty()) robot.name = "robot";
    for (const xml_node node : root.children("link")) add_link(robot, node);
    for (const xml_node node : root.children("joint")) add_joint(robot, node);
    for (const xml_node node : root.children("joint")) add_mimic(robot, node);
    if (robot.links.empty()) fail(at(root), "the robot has no link", "name a robot description in URDF");
    return robot;
  }

 private:
  [[noreturn]] void fail(Place place, const std::string& problem, const std::string& remedy) const {
    throw InputError(file_, place.line, place.column, problem, remedy);
  }

  static std::string lower_case(std::string text) {
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
  }

  [[nodiscard]] Place place_of(std::ptrdiff_t offset) const {
    const std::string_view before =
        xml_.substr(0, std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), xml_.size()));
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t begin = before.rfind('\n');
    return {line, before.size() - (begin == std::string_view::npos ? 0 : begin + 1) + 1};
  }
  [[nodiscard]] Place at(xml_node node) const { return place_of(node.offset_debug()); }

  void refuse_macros(xml_node root) const {
    for (const xml_node node : root.children())
      if (std::string_view(node.name()).starts_with("xacro:"))
        fail(at(node), "it has macros of xacro", "expand them first: xacro FILE > robot.urdf");
  }

  std::string name_of(xml_node node) const {
    const std::string name = node.attribute("name").as_string();
    if (name.empty()) fail(at(node), std::string("a ") + node.name() + " has no name", "give it one: name=\"...\"");
    return name;
  }

  double number(xml_node node, std::string_view text, const std::string& key) const {
    double value = 0;
    const std::size_t first = text.starts_with('+') ? 1 : 0;
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      fail(at(node), key + " is " + in_quotes(text), "write a finite number");
    // Masses times squares of lengths remain finite then.
    if (constexpr double largest = 1e90; std::abs(value) > largest)
      fail(at(node), key + " is " + in_quotes(text), "write a number between -1e90 and 1e90");
    return value;
  }

  std::optional<double> number_if(xml_node node, const char* key) const {
    const auto attribute = node.attribute(key);
    if (!attribute) return std::nullopt;
    const auto words = words_of(attribute.value());
    return number(node, words.size() == 1 ? words[0] : attribute.value(), key);
  }

  static std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    const char* blank = " \t\r\n";
    for (std::size_t begin = text.find_first_not_of(blank); begin != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(blank, begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = text.find_first_not_of(blank, end);
    }
    return words;
  }

  Vector3 vector(xml_node node, const char* key, const Vector3& otherwise) const {
    const auto attribute = node.attribute(key);
    if (!attribute) return otherwise;
    const auto words = words_of(attribute.value());
    if (words.size() != 3)
      fail(at(node), std::string(key) + " has " + std::to_string(words.size()) + " numbers", "write three");
    Vector3 v{};
    for (std::size_t i = 0; i < 3; ++i) v[i] = number(node, words[i], key);
    return v;
  }

  Pose pose_of(xml_node origin) const {
    return {vector(origin, "xyz", {}), from_roll_pitch_yaw(vector(origin, "rpy", {}))};
  }

  double required(xml_node node, const char* key) const {
    const auto value = number_if(node, key);
    if (!value) fail(at(node), std::string(node.name()) + " has no " + key, "give it one");
    return *value;
  }

  std::optional<Inertia> inertia_of(xml_node link) const {
    const xml_node inertial = link.child("inertial");
    if (!inertial) return std::nullopt;
    const xml_node mass = inertial.child("mass");
    const xml_node tensor = inertial.child("inertia");
    if (!mass || !tensor)
      fail(at(inertial), std::string("inertial has no ") + (mass ? "inertia" : "mass"), "give it one");
    Inertia inertia;
    inertia.mass = required(mass, "value");
    if (inertia.mass < 0) fail(at(mass), "the mass is negative", "write the mass in kg");
    const char* keys[3][3] = {{"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) inertia.tensor[i][j] = required(tensor, keys[i][j]);
    for (std::size_t i = 0; i < 3; ++i)
      if (inertia.tensor[i][i] < 0)
        fail(at(tensor), std::string(keys[i][i]) + " is negative", "write the moment of inertia in kg m^2");
    return moved({inertia.mass, {}, inertia.tensor}, pose_of(inertial.child("origin")));
  }

  /// Returns the simple shapes that show a link; meshes are left out.
  std::vector<Shape> shapes_of(xml_node link) const {
    for (const char* kind : {"visual", "collision"}) {
      std::vector<Shape> shapes;
      for (const xml_node shown : link.children(kind)) {
        const Pose pose = pose_of(shown.child("origin"));
        const xml_node geometry = shown.child("geometry");
        if (const xml_node box = geometry.child("box"))
          shapes.push_back({ShapeKind::box, vector(box, "size", {}), pose});
        else if (const xml_node cylinder = geometry.child("cylinder"))
          shapes.push_back(
              {ShapeKind::cylinder, {required(cylinder, "radius"), required(cylinder, "length"), 0}, pose});
        else if (const xml_node sphere = geometry.child("sphere"))
          shapes.push_back({ShapeKind::sphere, {required(sphere, "radius"), 0, 0}, pose});
      }
      if (!shapes.empty()) return shapes;
    }
    return {};
  }

  void add_link(Robot& robot, xml_node node) {
    Link link{name_of(node), at(node), inertia_of(node), shapes_of(node)};
    if (!links_.emplace(link.name, robot.links.size()).second)
      fail(link.at, "there are two links " + in_quotes(link.name), "give each link a name of its own");
    robot.links.push_back(std::move(link));
  }

  std::size_t link_of(xml_node joint, const char* role) const {
    const xml_node node = joint.child(role);
    const std::string name = node.attribute("link").as_string();
    if (name.empty())
      fail(at(joint), "joint " + in_quotes(joint.attribute("name").as_string()) + " has no " + role,
           std::string("name its link: <") + role + " link=\"...\"/>");
    const auto found = links_.find(name);
    if (found == links_.end()) {
      std::vector<std::string> known;
      for (const auto& [link, index] : links_) known.push_back(link);
      const auto near = symbolic::nearest_names(name, known);
      fail(at(node), "there is no link " + in_quotes(name),
           near.empty() ? "name a link of the robot" : "did you mean " + listing(near, " or ") + "?");
    }
    return found->second;
  }

  JointKind kind_of(xml_node node) const {
    const std::string type = node.attribute("type").as_string();
    if (type == "revolute" || type == "continuous") return JointKind::revolute;
    if (type == "prismatic") return JointKind::prismatic;
    if (type == "fixed") return JointKind::fixed;
    if (type == "floating") return JointKind::floating;
    if (type == "planar") return JointKind::revolute;  // behind two that slide
    fail(at(node), "joint " + in_quotes(node.attribute("name").as_string()) + " is of type " + in_quotes(type),
         "known are revolute, continuous, prismatic, fixed, floating and planar");
  }

  Vector3 axis_of(xml_node joint) const {
    const xml_node node = joint.child("axis");
    Vector3 axis = vector(node, "xyz", {1, 0, 0});
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    if (length < 1e-12) fail(at(node), "the axis has length 0", "give a direction, such as xyz=\"0 0 1\"");
    for (double& component : axis) component /= length;
    return axis;
  }

  double part_of(xml_node node, const char* key) const {
    const double value = number_if(node, key).value_or(0);
    if (value < 0) fail(at(node), std::string(key) + " is negative", "write a number that is not below 0");
    return value;
  }

  void add_joint(Robot& robot, xml_node node) {
    Joint joint{};
    joint.name = name_of(node);
    joint.at = at(node);
    joint.kind = kind_of(node);
    joint.parent = link_of(node, "parent");
    joint.child = link_of(node, "child");
    joint.origin = pose_of(node.child("origin"));
    if (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic) joint.axis = axis_of(node);
    const xml_node limit = node.child("limit");
    if (std::string_view(node.attribute("type").value()) != "continuous") {
      joint.lower = number_if(limit, "lower");
      joint.upper = number_if(limit, "upper");
    }
    joint.effort = number_if(limit, "effort");
    joint.speed = number_if(limit, "velocity");
    joint.damping = part_of(node.child("dynamics"), "damping");
    joint.friction = part_of(node.child("dynamics"), "friction");
    if (std::string_view(node.attribute("type").value()) == "planar") add_sliders(robot, joint);
    if (!joints_.emplace(joint.name, robot.joints.size()).second)
      fail(joint.at, "there are two joints " + in_quotes(joint.name), "give each joint a name of its own");
    robot.joints.push_back(std::move(joint));
  }

  /// Puts two joints that slide across the axis before a planar joint, which then turns about it, and links without
  /// mass between them.
  static void add_sliders(Robot& robot, Joint& turn) {
    turn.planar = true;
    turn.lower = turn.upper = std::nullopt;  // URDF does not say of which of the three these would be
    const Matrix3 across = with_third_axis(turn.axis);
    for (std::size_t k = 0; k < 2; ++k) {
      Joint slide{};
      slide.name = turn.name + (k == 0 ? "_x" : "_y");
      slide.at = turn.at;
      slide.kind = JointKind::prismatic;
      slide.parent = turn.parent;
      slide.child = robot.links.size();
      slide.origin = turn.origin;
      for (std::size_t i = 0; i < 3; ++i) slide.axis[i] = across[i][k];
      slide.damping = turn.damping;
      slide.friction = turn.friction;
      slide.planar = true;
      robot.links.push_back({slide.name, turn.at, std::nullopt, {}});
      turn.parent = slide.child;
      turn.origin = {};
      robot.joints.push_back(std::move(slide));
    }
  }

  void add_mimic(Robot& robot, xml_node node) const {
    const xml_node mimic = node.child("mimic");
    Joint& joint = robot.joints[joints_.at(node.attribute("name").as_string())];
    if (!mimic || joint.kind == JointKind::fixed) return;
    const std::string name = mimic.attribute("joint").as_string();
    const auto found = joints_.find(name);
    const auto moves = [](const Joint& one) {
      return one.kind == JointKind::revolute || one.kind == JointKind::prismatic;
    };
    if (found == joints_.end())
      fail(at(mimic), "joint " + in_quotes(joint.name) + " mimics " + in_quotes(name) + ", and there is no such joint",
           "name a revolute or prismatic joint");
    if (!moves(robot.joints[found->second]))
      fail(at(mimic), "joint " + in_quotes(joint.name) + " mimics " + in_quotes(name) + ", which does not move",
           "name a revolute or prismatic joint");
    if (!moves(joint))
      fail(at(mimic), "joint " + in_quotes(joint.name) + " has no coordinate to mimic with", "remove mimic");
    joint.mimic =
        Mimic{found->second, number_if(mimic, "multiplier").value_or(1), number_if(mimic, "offset").value_or(0)};
  }

  std::string_view xml_;
  const std::string& file_;
  std::map<std::string, std::size_t, std::less<>> links_;
  std::map<std::string, std::size_t, std::less<>> joints_;
};

}  // namespace

Robot read_robot(std::string_view xml, const std::string& file) {
  return Reader(xml, file).read();
}

}  // namespace herglotz::io
