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

void add_method_options(CLI::App& command, RunArguments& to) {
  command.add_option("--method", to.method, "a name from `herglotz methods`, or auto")->type_name("M");
  command.add_option("--step", to.step, "fixed step; replaces the file's step and tolerance")->type_name("H");
  command.add_option("--tolerance", to.tolerance, "for adaptive methods; replaces the file's step and tolerance")
      ->type_name("TOL");
}

}  // namespace herglotz::app
