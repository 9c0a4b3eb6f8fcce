#pragma once
/// Texts of models/*.toml, as the build embedded them.

#include <string_view>
#include <vector>

namespace herglotz::io {

struct GalleryText {
  std::string_view name;
  std::string_view text;
};

/// Returns the texts in ascending order of their names: those of motions, those of problems (models/problems), and
/// those of models with an index (models/indexed).
const std::vector<GalleryText>& gallery_texts();
const std::vector<GalleryText>& problem_texts();
const std::vector<GalleryText>& indexed_texts();

}  // namespace herglotz::io
