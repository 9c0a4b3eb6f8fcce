#include <charconv>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/urdf.hpp"
#include "model_source.hpp"

namespace herglotz::app {
namespace {

/// Returns LINK or LINK=RADIUS as it is given on the command line.
io::UrdfRolling rolling_of(const std::string& given) {
  const std::size_t sign = given.rfind('=');
  io::UrdfRolling rolling{given.substr(0, sign)};
  if (sign == std::string::npos) return rolling;
  double radius = 0;
  const char* end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data() + sign + 1, end, radius);
  if (error != std::errc() || stop != end)
    throw io::InputError("--rolling", 0, 0, "'" + given.substr(sign + 1) + "' is not a radius",
                         "write the name of a link and a number, such as wheel=0.1");
  rolling.radius = radius;
  return rolling;
}

}  // namespace

int import_robot(const ImportArguments& arguments) {
  check_model_destination(arguments.out, arguments.force);
  const std::string xml = arguments.file == "-" ? read_model_text("-").text : io::model_file_text(arguments.file);
  io::UrdfOptions options{arguments.floating};
  for (const std::string& given : arguments.rolling) options.rolling.push_back(rolling_of(given));
  const std::string text = io::model_of_urdf(xml, arguments.file, options);
  write_model(text, arguments.out);
  return success;
}

}  // namespace herglotz::app
