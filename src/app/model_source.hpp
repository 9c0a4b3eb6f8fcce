#pragma once
/// Where a MODEL argument comes from: a file, or the gallery.

#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::app {

/// A problem with the name that its errors carry.
struct Model {
  std::string file;
  simulate::Problem problem;
};

/// A model as text, and the name that its errors carry.
struct ModelText {
  std::string file;
  std::string text;
};

/// Reads a model file, standard input, or the gallery model of that name. Throws io::InputError.
ModelText read_model_text(const std::string& argument);
/// Reads a model file, or the gallery model of that name where no such file exists. Throws io::InputError.
Model open_model(const std::string& argument);

/// The model that is generated rather than stored, and its size unless --links says otherwise.
inline constexpr const char* generated_model = "n-link-pendulum";
inline constexpr std::size_t default_links = 5;

/// Every name a MODEL argument knows without a file.
std::vector<std::string> model_names();
/// The text of a gallery or generated model. `links` is for the generated one (0: the default). Throws io::InputError.
std::string model_text(const std::string& name, std::size_t links = 0);

/// Puts what the spine refuses (std::invalid_argument) at its place in the model file: the line that defines `key`, as
/// in
/// "[constraints]" or "step", or no line where the file has none.
[[noreturn]] void refuse(const std::string& file, const std::string& text, const std::string& key,
                         const std::string& what);
[[noreturn]] void refuse(const Model& model, const std::string& key, const std::string& what);

}  // namespace herglotz::app
