#include "own_files.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/io/input_files.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::studio {

void require_own_files(const std::string& text, const std::string& file) {
  const auto named = io::input_files(text, file);
  if (named.empty()) return;
  std::error_code ignored;
  const bool saved = std::filesystem::is_regular_file(file, ignored);
  const auto own = saved ? io::input_files(io::model_file_text(file), file) : std::vector<std::string>();
  for (const std::string& name : named)
    if (std::find(own.begin(), own.end(), name) == own.end())
      throw Refused(
          "the studio reads only files that the saved model names, and '" + name + "' is none of them",
          saved ? "save the model; rows of an input may also stand in [files]"
                : "begin with a saved model, `herglotz studio FILE`; rows of an input may also stand in [files]");
}

}  // namespace herglotz::studio
