#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "destination.hpp"
#include "herglotz/io/existing_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "model_source.hpp"
#include "terminal/printable.hpp"
#include "terminal/terminal.hpp"

namespace herglotz::app {

namespace {

/// Returns the gallery with the generated model at its place in the alphabet.
std::vector<io::GalleryModel> listed_models() {
  std::vector<io::GalleryModel> models;
  for (const auto& model : io::gallery())
    if (model.name != generated_model) models.push_back(model);
  const io::GalleryModel generated{generated_model, "Planar pendulum of N links (--links N)", ""};
  const auto by_name = [](const io::GalleryModel& a, const io::GalleryModel& b) { return a.name < b.name; };
  models.insert(std::upper_bound(models.begin(), models.end(), generated, by_name), generated);
  return models;
}

}  // namespace

int models_list(const ModelsArguments& arguments) {
  const auto models = arguments.problems  ? io::problem_gallery()
                      : arguments.indexed ? io::indexed_gallery()
                                          : listed_models();
  if (arguments.format == "json") {
    auto list = nlohmann::ordered_json::array();
    for (const auto& model : models)
      list.push_back({{"name", model.name}, {"title", model.title}, {"reference", model.reference}});
    fmt::print("{}\n", list.dump(2));
    return success;
  }
  std::size_t width = 0;
  for (const auto& model : models) width = std::max(width, model.name.size());
  for (const auto& model : models)
    fmt::print("{}  {}{}\n", styled(stdout, Style::bold, fmt::format("{:<{}}", model.name, width)), model.title,
               model.reference.empty() ? "" : styled(stdout, Style::dim, fmt::format("  [{}]", model.reference)));
  return success;
}

int models_show(const ModelsArguments& arguments) {
  fmt::print("{}", model_text(arguments.name, arguments.links));
  return success;
}

int models_copy(const ModelsArguments& arguments) {
  const std::string text = model_text(arguments.name, arguments.links);
  const std::string file = arguments.out.empty() ? arguments.name + ".toml" : arguments.out;
  check_destination("--out", file, {".toml"});
  check_occupant("--out", file, arguments.force);
  io::write_text(file, text);
  fmt::print("{}\n", one_line(file));
  return success;
}

}  // namespace herglotz::app
