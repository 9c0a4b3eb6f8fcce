#include "herglotz/io/gallery.hpp"

#include <fmt/format.h>

#include "gallery/gallery_texts.hpp"
#include "herglotz/error.hpp"
#include "toml/document.hpp"

namespace herglotz::io {
namespace {

std::string entry(const Value& document, std::string_view key) {
  const Member* model = document.find("model");
  const Member* member = model == nullptr ? nullptr : model->value.find(key);
  return member == nullptr ? std::string() : member->value.text;
}

std::vector<GalleryModel> described(const std::vector<GalleryText>& texts) {
  std::vector<GalleryModel> list;
  for (const GalleryText& model : texts) {
    const Value document = parse_document(model.text, std::string(model.name) + ".toml");
    list.push_back({std::string(model.name), entry(document, "title"), entry(document, "reference")});
  }
  return list;
}

/// Returns the list "a1", ..., "an" for a TOML array.
std::string names(char letter, std::size_t links) {
  std::string list;
  for (std::size_t i = 1; i <= links; ++i) list += fmt::format("{}\"{}{}\"", i == 1 ? "" : ", ", letter, i);
  return list;
}

std::string kinetic_energy(std::size_t links) {
  std::string sum;
  for (std::size_t i = 1; i <= links; ++i) {
    sum += fmt::format("{}{}*v{}^2/2", i == 1 ? "" : " + ", links - i + 1, i);
    for (std::size_t j = i + 1; j <= links; ++j) {
      sum += fmt::format(" + {}*cos(q{} - q{})*v{}*v{}", links - j + 1, i, j, i, j);
    }
  }
  return sum;
}

std::string potential_energy(std::size_t links) {
  std::string sum;
  for (std::size_t i = 1; i <= links; ++i) sum += fmt::format(" - {}*cos(q{})", links - i + 1, i);
  return sum.substr(1);
}

}  // namespace

const std::vector<GalleryModel>& gallery() {
  static const std::vector<GalleryModel> models = described(gallery_texts());
  return models;
}

const std::vector<GalleryModel>& problem_gallery() {
  static const std::vector<GalleryModel> problems = described(problem_texts());
  return problems;
}

const std::vector<GalleryModel>& indexed_gallery() {
  static const std::vector<GalleryModel> models = described(indexed_texts());
  return models;
}

std::string_view gallery_text(std::string_view name) {
  for (const auto* texts : {&gallery_texts(), &problem_texts(), &indexed_texts()})
    for (const GalleryText& text : *texts)
      if (text.name == name) return text.text;
  throw OutOfRange("the gallery has no model '" + std::string(name) + "'");
}

std::string n_link_pendulum(std::size_t links) {
  if (links < 1 || links > 128) throw Refused("a pendulum has 1 to 128 links");
  std::string initial;
  for (std::size_t i = 1; i <= links; ++i) {
    initial += fmt::format("q{} = {:.4f}\n", i, 1.2 - 0.9 * static_cast<double>(i) / static_cast<double>(links));
  }
  return fmt::format(
      R"toml(# A planar chain of {0} links with total mass 1 and total length 1, hanging from a pivot: point masses
# at the ends of massless rods. Angles are measured from the downward vertical. Chaotic for two links and more.

[model]
name = "pendulum-{0}"
title = "Planar pendulum of {0} links with linear damping"
reference = "a textbook chain; damping as in ASMLL20, Ex. 2"

[algebroid]
kind = "tangent"
base = [{1}]
fibre = [{2}]

[parameters]
m = {5:.17g}
l = {5:.17g}
g = 9.81
gamma = 0.1

[definitions]
kinetic = "m*l^2*({3})"
potential = "m*g*l*({4})"

[dynamics]
lagrangian = "kinetic - potential - gamma*z"

[initial]
{6}v{0} = 0.5

[simulation]
t_end = 10.0
step = 0.005
)toml",
      links, names('q', links), names('v', links), kinetic_energy(links), potential_energy(links),
      1.0 / static_cast<double>(links), initial);
}

}  // namespace herglotz::io
