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

/// The Greek letter that the text begins with, or null. Capitals and omicron that look like Latin letters are none.
const GreekLetter* greek_letter_at(std::string_view text);
/// The length in bytes of the name that the text begins with; 0 where none begins.
std::size_t name_length(std::string_view text);
/// The length in bytes of the letter, digit or underscore that the text begins with; 0 for any other character.
std::size_t name_part_length(std::string_view text);
/// The text with the signs of Unicode that stand for Greek letters replaced by these: micro (U+00B5), ohm (U+2126), and
/// the symbols for theta, phi, pi, kappa, rho and epsilon. Each character stays one character.
std::string with_plain_greek(std::string_view text);
/// The text with Greek letters spelled in ASCII.
std::string spelled_out(std::string_view text);
/// What to write for a character that looks like one of a name and is none, or nothing.
std::string advice_on_letter(std::string_view character);

}  // namespace herglotz::symbolic
