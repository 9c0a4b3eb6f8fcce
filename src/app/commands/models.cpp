#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model_source.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {
namespace {

/// Writes a file that must not exist yet.
void write_new(const std::string& file, const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    throw io::InputError("--out", 0, 0, fmt::format("'{}' exists and is never overwritten", file),
                         "choose another --out, or remove it first");
  }
  check_destination("--out", file, {".toml"});
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw io::InputError("--out", 0, 0, fmt::format("'{}' cannot be written", file), "choose another place");
}

}  // namespace

int models_list() {
  std::size_t width = std::string_view(generated_model).size();
  for (const auto& model : io::gallery()) width = std::max(width, model.name.size());
  const auto row = [&](std::string_view name, const std::string& title, const std::string& reference) {
    fmt::print("{}  {}{}\n", styled(stdout, Style::bold, fmt::format("{:<{}}", name, width)), title,
               reference.empty() ? "" : styled(stdout, Style::dim, fmt::format("  [{}]", reference)));
  };
  bool listed = false;
  for (const auto& model : io::gallery()) {
    if (!listed && model.name > generated_model) {
      row(generated_model, "Planar pendulum of N links (--links N)", "");
      listed = true;
    }
    if (model.name != generated_model) row(model.name, model.title, model.reference);
  }
  if (!listed) row(generated_model, "Planar pendulum of N links (--links N)", "");
  return success;
}

int models_show(const ModelsArguments& arguments) {
  fmt::print("{}", model_text(arguments.name, arguments.links));
  return success;
}

int models_copy(const ModelsArguments& arguments) {
  const std::string text = model_text(arguments.name, arguments.links);
  const std::string file = arguments.out.empty() ? arguments.name + ".toml" : arguments.out;
  write_new(file, text);
  fmt::print("{}\n", file);
  return success;
}

}  // namespace herglotz::app
