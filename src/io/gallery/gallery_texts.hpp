#pragma once
/// Texts of models/*.toml, as the build embedded them.

#include <string_view>
#include <vector>

namespace herglotz::io {

struct GalleryText {
  std::string_view name;
  std::string_view text;
};

/// Returns the texts in ascending order of their names: those of motions, and those of problems (models/problems).
const std::vector<GalleryText>& gallery_texts();
const std::vector<GalleryText>& problem_texts();

}  // namespace herglotz::io
