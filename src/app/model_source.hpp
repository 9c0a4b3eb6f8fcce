#pragma once
/// Sources of a MODEL argument: a file, standard input, or the gallery.

#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::app {

/// Problem with the name that its errors carry.
struct Model {
  std::string file;
  simulate::Problem problem;
};

/// Model as text, with the name that its errors carry.
struct ModelText {
  std::string file;
  std::string text;
};

/// Reads a model file, standard input, or the gallery model of that name. Throws io::InputError.
ModelText read_model_text(const std::string& argument);
/// Reads a model file, standard input, or the gallery model of that name if no such file exists. Throws io::InputError.
Model open_model(const std::string& argument);

/// Name of the model that is generated rather than stored, and its number of links without --links.
inline constexpr const char* generated_model = "n-link-pendulum";
inline constexpr std::size_t default_links = 5;

/// Returns every name that a MODEL argument accepts without a file.
std::vector<std::string> model_names();
/// Returns the text of a gallery or generated model. `links` applies to the generated model (0: the default). Throws
/// io::InputError.
std::string model_text(const std::string& name, std::size_t links = 0);

/// Throws io::InputError with the message `what` of a std::invalid_argument at its place in the model file: the line
/// that begins with `key`, such as "[constraints]" or "step", or no line if the file has no such line.
[[noreturn]] void refuse(const std::string& file, const std::string& text, const std::string& key,
                         const std::string& what);
[[noreturn]] void refuse(const Model& model, const std::string& key, const std::string& what);

}  // namespace herglotz::app
