#pragma once
/// Names that users give in LaTeX.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// Why a text is no mathematical symbol, and what would be right.
struct LatexDefect {
  std::size_t at = 0;  ///< byte of the text
  std::string what;
  std::string remedy;
};

/// Returns std::nullopt for a text that TeX and KaTeX set as one symbol wherever it stands: letters, digits and signs;
/// Greek letters and a few symbols; accents and fonts with an argument; ^ and _, each once behind what it belongs to;
/// balanced braces. No other command is taken, so that a name cannot read files, define anything or leave its place.
std::optional<LatexDefect> defect_of_latex(std::string_view text);

}  // namespace herglotz::symbolic
