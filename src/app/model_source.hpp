#pragma once
/// Sources of a MODEL argument: a file, standard input, or the gallery.

#include <string>
#include <utility>
#include <vector>

#include "herglotz/error.hpp"
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
/// Reads the same with assignments NAME=VALUE. A model with an index is written out site by site. Throws io::InputError
/// for one with too many coordinates.
Model open_model_or_sites(const std::string& argument, const std::vector<std::string>& assignments);

/// Returns a model with assignments, as `open_model_or_sites` does.
Model model_or_sites(const ModelText& source, const std::vector<std::string>& assignments);

/// Name of the model that is generated rather than stored, and its number of links without --links.
inline constexpr const char* generated_model = "n-link-pendulum";
inline constexpr std::size_t default_links = 5;

/// Returns every name that a MODEL argument accepts without a file.
std::vector<std::string> model_names();
/// Returns the text of a gallery or generated model. `links` applies to the generated model (0: the default). Throws
/// io::InputError.
std::string model_text(const std::string& name, std::size_t links = 0);

/// Problem and remedy of an error; without a remedy it names the reference of model files.
struct Refusal {
  Refusal(std::string what, std::string what_would_be_right)
      : problem(std::move(what)), remedy(std::move(what_would_be_right)) {}
  Refusal(const Error& error) : problem(error.problem()), remedy(error.remedy()) {}  // NOLINT(*-explicit-*)
  std::string problem;
  std::string remedy;
};

/// Throws io::InputError at the place of a refusal in the model file: the line that begins with `key`, such as
/// "[constraints]" or "step", or no line if the file has no such line.
[[noreturn]] void refuse(const std::string& file, const std::string& text, const std::string& key,
                         const Refusal& refusal);
[[noreturn]] void refuse(const Model& model, const std::string& key, const Refusal& refusal);

}  // namespace herglotz::app
