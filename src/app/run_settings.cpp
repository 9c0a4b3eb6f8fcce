#include "run_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "herglotz/integrate/integrate.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::app {
namespace {

void require_positive(const char* option, const std::optional<double>& value) {
  if (value && !(*value > 0 && std::isfinite(*value)))
    throw io::InputError(option, 0, 0, fmt::format("{} is not positive and finite", *value), "give a positive number");
}

std::string known_method(const std::string& name) {
  if (name == "auto" || integrate::find_method(name) != nullptr) return name;
  std::vector<std::string> known{"auto"};
  for (const auto& method : integrate::methods()) known.push_back(method.name);
  const auto near = symbolic::nearest_names(name, known);
  throw io::InputError("--method", 0, 0, fmt::format("there is no method '{}'", name),
                       near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                    : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace

void override_settings(simulate::Settings& settings, const RunArguments& arguments) {
  if (arguments.step && arguments.tolerance) {
    throw io::InputError("--tolerance", 0, 0, "both --step and --tolerance are given",
                         "keep --step for a fixed-step method or --tolerance for an adaptive one");
  }
  require_positive("--step", arguments.step);
  require_positive("--tolerance", arguments.tolerance);
  require_positive("--output-step", arguments.output_step);
  if (arguments.output_every && *arguments.output_every < 1)
    throw io::InputError("--output-every", 0, 0, fmt::format("{} is not a number of steps", *arguments.output_every),
                         "give a whole number of at least 1");
  if (arguments.output_every && arguments.output_step) {
    throw io::InputError("--output-step", 0, 0, "both --output-every and --output-step are given", "keep one of them");
  }
  if (arguments.method) settings.method = known_method(*arguments.method);
  if (arguments.t_end) settings.t_end = *arguments.t_end;
  if (arguments.step) {
    settings.step = arguments.step;
    settings.tolerance.reset();
  }
  if (arguments.tolerance) {
    settings.tolerance = arguments.tolerance;
    settings.step.reset();
  }
  if (arguments.output_every || arguments.output_step) {
    settings.output_every.reset();
    if (arguments.output_every) settings.output_every = static_cast<std::size_t>(*arguments.output_every);
    settings.output_step = arguments.output_step;
  }
  const auto* method = integrate::find_method(settings.method);
  if (method == nullptr) return;
  if (arguments.step && method->adaptive) {
    throw io::InputError("--step", 0, 0, fmt::format("method {} is adaptive and takes no step", method->name),
                         "use --tolerance, or another --method");
  }
  if (arguments.tolerance && !method->adaptive) {
    throw io::InputError("--tolerance", 0, 0,
                         fmt::format("method {} has a fixed step and takes no tolerance", method->name),
                         "use --step, or another --method");
  }
}

}  // namespace herglotz::app
