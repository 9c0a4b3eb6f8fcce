#include "urdf/robot_names.hpp"

namespace herglotz::io {

std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (char& c : plain) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter) c = '_';
  }
  return plain;
}

std::string DifferentNames::add(std::string_view name) {
  const std::string plain = plain_name(name);
  std::string unique = plain;
  for (int number = 2; !taken_.insert(unique).second; ++number) unique = plain + "_" + std::to_string(number);
  return unique;
}

std::vector<BodyNames> names_of(const Robot& robot, const std::vector<Body>& bodies) {
  DifferentNames links;
  DifferentNames joints;
  std::vector<BodyNames> names;
  for (const Body& body : bodies) {
    const std::string link = links.add(robot.links[body.link].name);
    names.push_back({link, body.joint ? joints.add(robot.joints[*body.joint].name) : link});
  }
  return names;
}

}  // namespace herglotz::io
