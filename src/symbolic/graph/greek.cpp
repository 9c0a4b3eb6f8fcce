#include <algorithm>
#include <array>
#include <utility>

#include "herglotz/symbolic/names.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::array<GreekLetter, 34> kLetters{{
    {"\u03b1", "alpha"},  {"\u03b2", "beta"},     {"\u03b3", "gamma"},  {"\u03b4", "delta"}, {"\u03b5", "epsilon"},
    {"\u03b6", "zeta"},   {"\u03b7", "eta"},      {"\u03b8", "theta"},  {"\u03b9", "iota"},  {"\u03ba", "kappa"},
    {"\u03bb", "lambda"}, {"\u03bc", "mu"},       {"\u03bd", "nu"},     {"\u03be", "xi"},    {"\u03c0", "pi"},
    {"\u03c1", "rho"},    {"\u03c2", "varsigma"}, {"\u03c3", "sigma"},  {"\u03c4", "tau"},   {"\u03c5", "upsilon"},
    {"\u03c6", "phi"},    {"\u03c7", "chi"},      {"\u03c8", "psi"},    {"\u03c9", "omega"}, {"\u0393", "Gamma"},
    {"\u0394", "Delta"},  {"\u0398", "Theta"},    {"\u039b", "Lambda"}, {"\u039e", "Xi"},    {"\u03a0", "Pi"},
    {"\u03a3", "Sigma"},  {"\u03a6", "Phi"},      {"\u03a8", "Psi"},    {"\u03a9", "Omega"},
}};

/// Greek letters that look like Latin letters.
constexpr std::array<std::pair<std::string_view, char>, 16> kLikeLatin{{
    {"\u0391", 'A'},
    {"\u0392", 'B'},
    {"\u0395", 'E'},
    {"\u0396", 'Z'},
    {"\u0397", 'H'},
    {"\u0399", 'I'},
    {"\u039a", 'K'},
    {"\u039c", 'M'},
    {"\u039d", 'N'},
    {"\u039f", 'O'},
    {"\u03a1", 'P'},
    {"\u03a4", 'T'},
    {"\u03a5", 'Y'},
    {"\u03a7", 'X'},
    {"\u03bf", 'o'},
    {"\u037f", 'J'},
}};

/// Unicode signs that look like Greek letters, each with its letter.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kSigns{{
    {"\u00b5", "\u03bc"},
    {"\u2126", "\u03a9"},
    {"\u2206", "\u0394"},
    {"\u03d1", "\u03b8"},
    {"\u03d5", "\u03c6"},
    {"\u03d6", "\u03c0"},
    {"\u03f0", "\u03ba"},
    {"\u03f1", "\u03c1"},
    {"\u03f5", "\u03b5"},
    {"\u03f4", "\u0398"},
}};

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80U;
}

}  // namespace

const GreekLetter* greek_letter_at(std::string_view text) {
  if (text.empty() || is_ascii(text.front())) return nullptr;
  const auto* found =
      std::find_if(kLetters.begin(), kLetters.end(), [&](const auto& entry) { return text.starts_with(entry.letter); });
  return found == kLetters.end() ? nullptr : found;
}

std::size_t name_part_length(std::string_view text) {
  if (text.empty()) return 0;
  if (is_ascii(text.front())) return is_ascii_letter(text.front()) || is_digit(text.front()) ? 1 : 0;
  const GreekLetter* greek = greek_letter_at(text);
  return greek == nullptr ? 0 : greek->letter.size();
}

std::size_t name_length(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return 0;
  std::size_t length = 0;
  while (const std::size_t part = name_part_length(text.substr(length))) length += part;
  return length;
}

std::string with_plain_greek(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto* sign =
        is_ascii(text.front()) ? kSigns.end() : std::find_if(kSigns.begin(), kSigns.end(), [&](const auto& entry) {
          return text.starts_with(entry.first);
        });
    plain += sign == kSigns.end() ? text.substr(0, 1) : sign->second;
    text.remove_prefix(sign == kSigns.end() ? 1 : sign->first.size());
  }
  return plain;
}

std::string spelled_out(std::string_view text) {
  std::string ascii;
  while (!text.empty()) {
    const GreekLetter* greek = greek_letter_at(text);
    ascii += greek == nullptr ? text.substr(0, 1) : greek->name;
    text.remove_prefix(greek == nullptr ? 1 : greek->letter.size());
  }
  return ascii;
}

std::string advice_on_letter(std::string_view character) {
  const auto* like =
      std::find_if(kLikeLatin.begin(), kLikeLatin.end(), [&](const auto& entry) { return entry.first == character; });
  if (like == kLikeLatin.end()) return {};
  return std::string("it cannot be told from the Latin ") + like->second + "; write that";
}

}  // namespace herglotz::symbolic
