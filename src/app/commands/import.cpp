#include <fmt/format.h>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/io/urdf.hpp"
#include "model_source.hpp"
#include "terminal/printable.hpp"

namespace herglotz::app {

int import_robot(const ImportArguments& arguments) {
  if (!arguments.out.empty()) {
    check_destination("--out", arguments.out, {".toml"});
    check_occupant("--out", arguments.out, arguments.force);
  }
  const std::string xml = arguments.file == "-" ? read_model_text("-").text : io::model_file_text(arguments.file);
  const std::string text = io::model_of_urdf(xml, arguments.file, {arguments.floating});
  if (arguments.out.empty()) {
    fmt::print("{}", text);
  } else {
    io::write_text(arguments.out, text);
    fmt::print("{}\n", one_line(arguments.out));
  }
  return success;
}

}  // namespace herglotz::app
