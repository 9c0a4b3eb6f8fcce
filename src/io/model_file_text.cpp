#include <fstream>
#include <system_error>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "toml/document.hpp"

namespace herglotz::io {

std::string model_file_text(const std::filesystem::path& file) {
  std::error_code problem;
  if (std::filesystem::is_directory(file, problem)) {
    throw InputError(file.string(), 0, 0, "this is a folder", "name a model file");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    const bool exists = std::filesystem::exists(file, problem);
    throw InputError(file.string(), 0, 0, exists ? "the file cannot be opened" : "there is no such file",
                     exists ? "check its permissions" : "check the path");
  }
  std::string text;
  std::vector<char> chunk(65536);
  while (text.size() <= kLargestText &&
         stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())).gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw InputError(file.string(), 0, 0, "the file cannot be read", "check the disk");
  return text;
}

}  // namespace herglotz::io
