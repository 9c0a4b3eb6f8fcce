#pragma once
/// Names of models: ASCII letters, Greek letters, digits and underscores.

#include <cstddef>
#include <string>
#include <string_view>

namespace herglotz::symbolic {

/// A Greek letter that can stand in a name, and its name in ASCII as LaTeX spells it ("theta", "Omega").
struct GreekLetter {
  std::string_view letter;
  std::string_view name;
};

/// Returns the Greek letter that the text begins with, or nullptr. Capitals and omicron that look like Latin letters do
/// not count.
const GreekLetter* greek_letter_at(std::string_view text);
/// Returns the length in bytes of the name that the text begins with; 0 if it begins with no name.
std::size_t name_length(std::string_view text);
/// Returns the length in bytes of the letter, digit or underscore that the text begins with; 0 for any other character.
std::size_t name_part_length(std::string_view text);
/// Returns the text with the signs of Unicode that stand for Greek letters replaced by the letters: micro (U+00B5), ohm
/// (U+2126), and the symbols for theta, phi, pi, kappa, rho and epsilon. Each character stays one character.
std::string with_plain_greek(std::string_view text);
/// Returns the text with Greek letters spelled in ASCII.
std::string spelled_out(std::string_view text);
/// Returns advice for a character that looks like a letter of names but is not one, and an empty string for other
/// characters.
std::string advice_on_letter(std::string_view character);

}  // namespace herglotz::symbolic
