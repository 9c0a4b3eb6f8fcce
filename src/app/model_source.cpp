#include "model_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "herglotz/error.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::app {
namespace {

/// Returns the number (from 1) of the line that begins with `key`, or 0.
std::size_t line_of(const std::string& text, const std::string& key) {
  std::size_t line = 1;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t first = text.find_first_not_of(" \t", begin);
    if (first != std::string::npos && text.compare(first, key.size(), key) == 0) return line;
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
    ++line;
  }
  return 0;
}

/// Returns all text on standard input.
std::string standard_input() {
  std::string text;
  char part[4096];
  for (std::size_t got = 0; (got = std::fread(part, 1, sizeof(part), stdin)) > 0;) text.append(part, got);
  if (std::ferror(stdin) != 0) throw io::InputError("-", 0, 0, "standard input cannot be read", "give a model file");
  return text;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names{generated_model};
  for (const auto* models : {&io::gallery(), &io::problem_gallery(), &io::indexed_gallery()})
    for (const auto& model : *models) names.push_back(model.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string model_text(const std::string& name, std::size_t links) {
  if (name == generated_model) {
    try {
      return io::n_link_pendulum(links == 0 ? default_links : links);
    } catch (const Refused& e) {
      throw io::InputError("--links", 0, 0, e.what(), "choose another number of links");
    }
  }
  if (links != 0) {
    throw io::InputError("--links", 0, 0, fmt::format("model '{}' has no number of links", name),
                         fmt::format("only {} takes it", generated_model));
  }
  const auto names = model_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::string(io::gallery_text(name));
  const auto near = symbolic::nearest_names(name, names);
  throw io::InputError(
      name, 0, 0, "there is no such gallery model",
      near.empty() ? "`herglotz models` lists the gallery" : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

ModelText read_model_text(const std::string& argument) {
  if (argument == "-") return {"-", standard_input()};
  std::error_code ignored;
  if (std::filesystem::exists(argument, ignored)) return {argument, io::model_file_text(argument)};
  const auto names = model_names();
  if (std::find(names.begin(), names.end(), argument) != names.end()) return {argument + ".toml", model_text(argument)};
  const auto near = symbolic::nearest_names(std::filesystem::path(argument).stem().string(), names);
  throw io::InputError(
      argument, 0, 0, "there is no such file and no such gallery model",
      near.empty() ? "`herglotz models` lists the gallery" : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

Model open_model(const std::string& argument) {
  const ModelText source = read_model_text(argument);
  return {source.file, io::parse_model(source.text, source.file)};
}

Model open_model_or_sites(const std::string& argument, const std::vector<std::string>& assignments) {
  return model_or_sites(read_model_text(argument), assignments);
}

Model model_or_sites(const ModelText& source, const std::vector<std::string>& assignments) {
  if (io::states_families(source.text, source.file)) {
    families::Model model = io::parse_family_model(source.text, source.file, assignments);
    try {
      return {source.file, families::written_out(model)};
    } catch (const Refused& refused) {
      refuse(source.file, {}, {}, refused);
    }
  }
  Model model{source.file, io::parse_model(source.text, source.file)};
  for (const auto& assignment : assignments) io::apply_setting(model.problem, assignment);
  return model;
}

void refuse(const std::string& file, const std::string& text, const std::string& key, const Refusal& refusal) {
  const std::size_t line = key.empty() ? 0 : line_of(text, key);
  throw io::InputError(file, line, line == 0 ? 0 : 1, refusal.problem,
                       refusal.remedy.empty() ? "see the reference of model files" : refusal.remedy);
}

void refuse(const Model& model, const std::string& key, const Refusal& refusal) {
  refuse(model.file, model.problem.text, key, refusal);
}

}  // namespace herglotz::app
