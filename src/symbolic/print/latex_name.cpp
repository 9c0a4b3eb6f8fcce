#include "print/latex_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace herglotz::symbolic {

namespace {

constexpr std::array<std::string_view, 43> kGreek{
    "alpha",    "beta",   "gamma",      "delta",    "epsilon",  "zeta",  "eta",    "theta",   "iota",
    "kappa",    "lambda", "mu",         "nu",       "xi",       "rho",   "sigma",  "tau",     "upsilon",
    "phi",      "chi",    "psi",        "omega",    "pi",       "Gamma", "Delta",  "Theta",   "Lambda",
    "Xi",       "Pi",     "Sigma",      "Phi",      "Psi",      "Omega", "varphi", "Upsilon", "varrho",
    "vartheta", "varpi",  "varepsilon", "varsigma", "varkappa", "ell",   "hbar"};

bool is_greek(std::string_view word) {
  return std::find(kGreek.begin(), kGreek.end(), word) != kGreek.end();
}

std::string letter(std::string_view word) {
  if (word.size() == 1) return std::string(word);
  if (is_greek(word)) return "\\" + std::string(word);
  const bool digits = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::string(word) : "\\mathrm{" + std::string(word) + "}";
}

std::size_t digits_at_end(std::string_view word) {
  std::size_t n = 0;
  while (n < word.size() && word[word.size() - 1 - n] >= '0' && word[word.size() - 1 - n] <= '9') ++n;
  return n == word.size() ? 0 : n;
}

/// Takes an ending off a word that has more than the ending.
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

/// A part of a subscript: x1 -> x_{1}.
std::string subscript(std::string_view word) {
  const std::size_t digits = digits_at_end(word);
  if (digits == 0) return letter(word);
  const std::string_view number = word.substr(word.size() - digits);
  return letter(word.substr(0, word.size() - digits)) + "_{" + std::string(number) + "}";
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
  const std::string_view direction = head.substr(1);
  const bool velocity =
      head.size() > 1 && head.front() == 'v' && !is_greek(head) && (direction.size() == 1 || is_greek(direction));
  std::string text = letter(velocity ? head.substr(0, 1) : head);
  if (dots > 0) text = (dots == 2 ? "\\ddot{" : "\\dot{") + text + "}";
  std::string below = velocity ? letter(direction) : "";
  if (!number.empty()) below += (below.empty() ? "" : ", ") + number;
  for (std::size_t i = 1; i < parts.size(); ++i) below += (below.empty() ? "" : ", ") + subscript(parts[i]);
  return below.empty() ? text : text + "_{" + below + "}";
}

}  // namespace herglotz::symbolic
