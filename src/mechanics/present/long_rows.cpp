#include "present/long_rows.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace herglotz::mechanics {
namespace {

/// The number of letters and signs in a row; a page is about as wide.
constexpr std::size_t widest = 72;
/// Longer left-hand sides would push the column of all others aside.
constexpr std::size_t widest_left = 20;

/// A place before a sign, with the width of the text before it and the number of parentheses around it.
struct Break {
  std::size_t at = 0;
  std::size_t width = 0;
  int parentheses = 0;  ///< -1 for the best place of all, before =
};

/// A row of TeX source with the width of its typeset text and its breaks.
class Row {
 public:
  explicit Row(std::string_view text) : text_(text) {
    while (at_ < text_.size()) {
      if (text_[at_] == '\\') {
        command();
      } else {
        letter(text_[at_++]);
      }
    }
  }

  std::size_t width = 0;
  std::vector<Break> breaks;

 private:
  void command() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end])) != 0) ++end;
    const std::string_view name = text_.substr(at_, end - at_);
    at_ = std::max(end, at_ + 2);
    if (name == "\\left" || name == "\\right" || name == "\\begin" || name == "\\end") {
      closed_ += name == "\\left" || name == "\\begin" ? 1 : -1;
      if (name == "\\left" || name == "\\right") ++at_;
    }
    const bool invisible = name == "\\frac" || name == "\\mathrm" || name == "\\left" || name == "\\right" ||
                           name == "\\Bigl" || name == "\\Bigr";
    const bool function =
        name.size() == 4 && name != "\\dot" && name != "\\beta" && name != "\\zeta" && name != "\\iota";
    if (!invisible) width += function ? 3 : 1;
  }

  void letter(char c) {
    if (c == '{' || c == '}') closed_ += c == '{' ? 1 : -1;
    if (c == '(' || c == ')') parentheses_ += c == '(' ? 1 : -1;
    const bool sign =
        (c == '+' || c == '-') && at_ > 1 && text_[at_ - 2] == ' ' && at_ < text_.size() && text_[at_] == ' ';
    if (sign && closed_ == 0) breaks.push_back({at_ - 1, width, c == '=' ? -1 : parentheses_});
    if (std::string_view("{}^_& ").find(c) == std::string_view::npos) width += c == '+' || c == '-' || c == '=' ? 2 : 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int closed_ = 0;
  int parentheses_ = 0;
};

/// Returns the best break for a row that starts at the given width: the last break that fits, unless an earlier break
/// in fewer parentheses fills at least half a row.
const Break* best_of(const std::vector<Break>& breaks, std::size_t start) {
  const Break* best = nullptr;
  for (const Break& b : breaks) {
    if (b.width <= start) continue;
    const bool fits = b.width - start <= widest;
    if (best == nullptr) {
      best = &b;
    } else if (fits) {
      const bool short_row = best->width - start < widest / 2;
      if (b.parentheses <= best->parentheses || short_row) best = &b;
    }
  }
  return best;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

}  // namespace

std::vector<std::string> broken(const std::string& left, const std::string& right) {
  const bool wide = Row(left).width > widest_left;
  std::string equation = wide ? "&" + left + " = " + right : left + " &= " + right;
  std::vector<std::string> rows;
  if (Row(equation).width <= widest) return {equation};
  // \left( and \right) must share a row.
  replace_all(equation, "\\left(", "\\Bigl(");
  replace_all(equation, "\\right)", "\\Bigr)");
  const Row row(equation);
  std::size_t from = 0;
  std::size_t start = 0;
  const auto piece = [&](std::size_t to) {
    return (rows.empty() ? "" : "&\\quad {} ") + equation.substr(from, to - from);
  };
  while (row.width - start > widest) {
    const Break* next = best_of(row.breaks, start);
    if (next == nullptr) break;
    rows.push_back(piece(next->at - 1));
    from = next->at;
    start = next->width;
  }
  rows.push_back(piece(equation.size()));
  return rows;
}

}  // namespace herglotz::mechanics
