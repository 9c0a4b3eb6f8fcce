#pragma once
/// Names that users give in LaTeX.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// Reason why a text is not a mathematical symbol, and a remedy.
struct LatexDefect {
  std::size_t at = 0;  ///< the byte of the text that is at fault
  std::string what;
  std::string remedy;
};

/// Returns std::nullopt for a text that TeX and KaTeX set as one symbol wherever it stands: letters, digits and signs;
/// Greek letters and a few symbols; accents and fonts with an argument; ^ and _, each once after its base; balanced
/// braces. No other command is accepted, so that a name cannot read files, define anything or leave its place.
std::optional<LatexDefect> defect_of_latex(std::string_view text);

}  // namespace herglotz::symbolic
