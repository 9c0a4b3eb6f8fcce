#include "print/latex_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "herglotz/symbolic/names.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::array<std::string_view, 40> kGreek{
    "alpha",  "beta",  "gamma", "delta",  "epsilon", "zeta",   "eta",      "theta",   "iota",       "kappa",
    "lambda", "mu",    "nu",    "xi",     "rho",     "sigma",  "tau",      "upsilon", "phi",        "chi",
    "psi",    "omega", "pi",    "Gamma",  "Delta",   "Theta",  "Lambda",   "Xi",      "Pi",         "Sigma",
    "Phi",    "Psi",   "Omega", "varphi", "Upsilon", "varrho", "vartheta", "varpi",   "varepsilon", "varsigma"};

/// Returns the word as a Greek letter, or `nullptr` if there is no such letter.
const GreekLetter* greek_letter(std::string_view word) {
  const GreekLetter* greek = greek_letter_at(word);
  return greek != nullptr && greek->letter == word ? greek : nullptr;
}

/// Returns true if the word is a Greek letter or the name of one.
bool is_greek(std::string_view word) {
  if (greek_letter(word) != nullptr) return true;
  return std::find(kGreek.begin(), kGreek.end(), word) != kGreek.end();
}

/// Returns the angle that `th` or `ph` abbreviates, or "" for other words.
std::string_view abbreviated(std::string_view word) {
  return word == "th" ? "\\theta" : word == "ph" ? "\\phi" : "";
}

bool are_digits(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the LaTeX of a Greek letter, one letter, or digits; "" for other words.
std::string single(std::string_view word) {
  if (const GreekLetter* greek = greek_letter(word)) return "\\" + std::string(greek->name);
  if (is_greek(word)) return "\\" + std::string(word);
  if (word == "ell" || word == "hbar") return "\\" + std::string(word);
  return word.size() == 1 || are_digits(word) ? std::string(word) : "";
}

/// A word as one letter and its subscript.
struct Letter {
  std::string text;
  std::string below;
};

/// Returns the direction in a word of v and a direction (vx, vtheta, vth) or of w and an angle (wth), else "".
std::string direction_in(std::string_view word) {
  const std::string_view rest = word.substr(1);
  const bool velocity = word.front() == 'v' || word.front() == 'w';
  if (velocity && !abbreviated(rest).empty()) return std::string(abbreviated(rest));
  return word.front() == 'v' || (velocity && is_greek(rest)) ? single(rest) : "";
}

/// Returns true for a letter before a Greek word (wpsi, Iphi) that is unlikely to be an English word (not meta, emu):
/// the Greek word has at least three letters, and the letter is not a differential as in dtheta.
bool is_letter_with_greek(std::string_view word) {
  const std::string_view rest = word.substr(1);
  return (rest.size() >= 3 || greek_letter(rest) != nullptr) && rest != "eta" && is_greek(rest) &&
         word.front() != 'd' && word.front() != 'D';
}

/// Returns the length of the Greek word that starts a word and has an index after it: omegax, sigmaphi. Returns 0 for
/// short words (pin, nut) and for deltax, a difference.
std::size_t greek_with_index(std::string_view word) {
  if (const GreekLetter* greek = greek_letter_at(word)) {
    const std::size_t length = greek->letter.size();
    const bool difference = greek->name == "Delta" || greek->name == "delta";
    return difference || single(word.substr(length)).empty() ? 0 : length;
  }
  for (const std::string_view greek : kGreek) {
    if (greek.size() < 4 || greek == "delta" || greek == "Delta" || !word.starts_with(greek)) continue;
    if (word.size() > greek.size() && !single(word.substr(greek.size())).empty()) return greek.size();
  }
  return 0;
}

/// Writes a word in which every Greek letter is an atom of its own: \Delta \mathrm{pos}. Other words are set upright.
std::string spelled_word(std::string_view word) {
  std::string text;
  while (!word.empty()) {
    if (!text.empty()) text += ' ';
    const GreekLetter* greek = greek_letter_at(word);
    std::size_t length = greek != nullptr ? greek->letter.size() : 1;
    while (greek == nullptr && length < word.size() && greek_letter_at(word.substr(length)) == nullptr) ++length;
    const std::string_view part = word.substr(0, length);
    text += single(part).empty() ? "\\mathrm{" + std::string(part) + "}" : single(part);
    word.remove_prefix(length);
  }
  return text;
}

Letter letter(std::string_view word) {
  if (const std::string text = single(word); !text.empty()) return {text, ""};
  if (word.empty()) return {};
  if (const std::string direction = direction_in(word); !direction.empty())
    return {std::string(word.substr(0, 1)), direction};
  if (is_letter_with_greek(word)) return {std::string(word.substr(0, 1)), single(word.substr(1))};
  if (const std::size_t greek = greek_with_index(word); greek > 0)
    return {single(word.substr(0, greek)), single(word.substr(greek))};
  return {spelled_word(word), ""};
}

std::size_t digits_at_end(std::string_view word) {
  std::size_t n = 0;
  while (n < word.size() && word[word.size() - 1 - n] >= '0' && word[word.size() - 1 - n] <= '9') ++n;
  return n == word.size() ? 0 : n;
}

/// Removes an ending from a word that is longer than the ending, and returns true if it did.
bool strip(std::string_view& word, std::string_view ending) {
  if (word.size() <= ending.size() || !word.ends_with(ending)) return false;
  word.remove_suffix(ending.size());
  return true;
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('_'), name.size());
    if (end > 0) parts.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return parts;
}

void add_below(std::string& below, const std::string& more) {
  if (!more.empty()) below += (below.empty() ? "" : ", ") + more;
}

std::string with_index(const std::string& text, const std::string& below) {
  return below.empty() ? text : text + "_{" + below + "}";
}

/// Returns the LaTeX of a part of a subscript: x1 -> x_{1}, vx -> v_{x}.
std::string subscript(std::string_view word) {
  const std::size_t digits = digits_at_end(word);
  Letter part = letter(word.substr(0, word.size() - digits));
  add_below(part.below, std::string(word.substr(word.size() - digits)));
  return with_index(part.text, part.below);
}

}  // namespace

std::string latex_name(std::string_view name) {
  std::vector<std::string_view> parts = parts_of(name);
  if (parts.empty()) return "\\mathrm{\\_}";
  std::size_t dots = 0;
  for (std::size_t i = parts.size() - 1; i > 0; --i) {
    if (parts[i] != "dot" && parts[i] != "ddot") continue;
    dots = parts[i].size() - 2;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::string_view head = parts.front();
  const auto take_dots = [&] {
    if (dots == 0 && strip(head, "ddot")) dots = 2;
    if (dots == 0 && strip(head, "dot")) dots = 1;
  };
  take_dots();
  const std::size_t digits = digits_at_end(head);
  const std::string number(head.substr(head.size() - digits));
  head.remove_suffix(digits);
  take_dots();
  const std::string_view angle = abbreviated(head);
  Letter first = angle.empty() ? letter(head) : Letter{std::string(angle), ""};
  if (dots > 0) first.text = (dots == 2 ? "\\ddot{" : "\\dot{") + first.text + "}";
  add_below(first.below, number);
  for (std::size_t i = 1; i < parts.size(); ++i) add_below(first.below, subscript(parts[i]));
  return with_index(first.text, first.below);
}

}  // namespace herglotz::symbolic
