#include "grammar/shared_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace herglotz::app {

void add_set(CLI::App& command, std::vector<std::string>& into) {
  command.add_option("--set", into, set_help)->type_name("NAME=VALUE")->allow_extra_args(false);
}

void add_format(CLI::App& command, std::string& into, const std::vector<std::string>& formats) {
  command.add_option("--format", into, fmt::format("{}", fmt::join(formats, " or ")))
      ->check(CLI::IsMember(formats))
      ->type_name("FORMAT")
      ->capture_default_str();
}

}  // namespace herglotz::app
