#include "herglotz/symbolic/latex_symbol.hpp"

#include <algorithm>
#include <vector>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {

namespace {

constexpr std::size_t kLongest = 100;

const std::vector<std::string> kSymbols{
    "alpha",   "beta",  "gamma",  "delta",  "epsilon", "zeta",   "eta",      "theta",     "iota",       "kappa",
    "lambda",  "mu",    "nu",     "xi",     "pi",      "rho",    "sigma",    "tau",       "upsilon",    "phi",
    "chi",     "psi",   "omega",  "Gamma",  "Delta",   "Theta",  "Lambda",   "Xi",        "Pi",         "Sigma",
    "Upsilon", "Phi",   "Psi",    "Omega",  "varphi",  "varrho", "vartheta", "varpi",     "varepsilon", "varsigma",
    "ell",     "hbar",  "imath",  "jmath",  "Re",      "Im",     "partial",  "nabla",     "infty",      "prime",
    "star",    "ast",   "circ",   "bullet", "dagger",  "perp",   "parallel", "pm",        "mp",         "cdot",
    "times",   "oplus", "otimes", "odot",   "langle",  "rangle", "uparrow",  "downarrow", "leftarrow",  "rightarrow"};
const std::vector<std::string> kWithArgument{"dot",       "ddot",   "hat",       "widehat",    "bar",    "overline",
                                             "underline", "tilde",  "widetilde", "vec",        "check",  "breve",
                                             "acute",     "grave",  "mathring",  "mathrm",     "mathbf", "mathit",
                                             "mathsf",    "mathtt", "mathcal",   "boldsymbol", "sqrt"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool contains(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Checker that reads the text by the grammar
///   list = atom*,  atom = nucleus '* (^ argument | _ argument)*,  nucleus = character | { list } | symbol | accent
///   argument, argument = character | { list } | symbol.
class Check {
 public:
  explicit Check(std::string_view text) : text_(text) {}

  std::optional<LatexDefect> defect() {
    if (text_.size() > kLongest)
      fail(kLongest, "the LaTeX name has more than " + std::to_string(kLongest) + " characters", "give a shorter one");
    list();
    if (!found_ && at_ < text_.size()) fail(at_, "a } without its {", "remove it");
    if (!found_ && empty_) fail(0, "the LaTeX name is empty", "give a symbol such as \\theta, or leave the line out");
    return found_;
  }

 private:
  void fail(std::size_t at, std::string what, std::string remedy) {
    if (!found_) found_ = LatexDefect{at, std::move(what), std::move(remedy)};
  }
  [[nodiscard]] bool more() const { return !found_ && at_ < text_.size(); }

  void list() {
    while (more() && text_[at_] != '}') {
      if (text_[at_] == ' ') {
        ++at_;
        continue;
      }
      nucleus();
      scripts();
    }
  }

  void group() {
    const std::size_t open = at_++;
    ++depth_;
    list();
    --depth_;
    if (found_) return;
    if (at_ == text_.size()) return fail(open, "a { without its }", "close it");
    ++at_;
  }

  void nucleus() {
    const char c = text_[at_];
    if (c == '{') return group();
    if (c == '\\') return command(true);
    character(depth_ > 0);
  }

  /// Reads one character. Rejects a sign unless `signs` is true: outside braces it would seem to belong to the formula
  /// around the name.
  void character(bool signs) {
    constexpr std::string_view kSigns = "()+-/=,.!|";
    constexpr std::string_view kSpecial = "$%&#~\"*[]<>:;?@`";
    const char c = text_[at_];
    if (c == '^' || c == '_' || c == '\'')
      return fail(at_, std::string("nothing stands before ") + c, "put what it belongs to before it");
    const bool sign = kSigns.find(c) != std::string_view::npos;
    if (sign && !signs)
      return fail(at_, std::string("the sign ") + c + " would seem to belong to the formula",
                  "put braces around it: x^{+}");
    if (!is_letter(c) && !(c >= '0' && c <= '9') && !sign)
      return fail(at_,
                  kSpecial.find(c) != std::string_view::npos
                      ? std::string("the character ") + c + " cannot stand in a LaTeX name"
                      : "a character that cannot stand in a LaTeX name",
                  "use letters, digits, commands such as \\theta and \\hat{x}, ^ and _");
    ++at_;
    empty_ = false;
  }

  void scripts() {
    while (more() && text_[at_] == '\'') ++at_;
    bool raised = false;
    bool lowered = false;
    while (more() && (text_[at_] == '^' || text_[at_] == '_' || text_[at_] == '\'')) {
      const char sign = text_[at_];
      bool& seen = sign == '_' ? lowered : raised;
      if (sign == '\'') return fail(at_, "a ' stands behind ^ or _", "put it right behind its symbol: x'_{a}");
      if (seen)
        return fail(at_, std::string("a second ") + sign + " behind one symbol",
                    std::string("use braces: x") + sign + "{a, b}");
      seen = true;
      ++at_;
      argument(std::string(1, sign));
    }
  }

  void argument(const std::string& of) {
    while (more() && text_[at_] == ' ') ++at_;
    if (found_) return;
    if (at_ == text_.size() || text_[at_] == '}')
      return fail(at_, of + " has nothing behind it", "write " + of + "{x}");
    const char c = text_[at_];
    if (c == '{') return group();
    if (c == '\\') return command(false);
    character(true);
  }

  void command(bool accents) {
    const std::size_t start = at_++;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    const std::string name(text_.substr(start + 1, at_ - start - 1));
    if (name.empty()) {
      constexpr std::string_view kSpaces = ",;:! _";
      if (at_ == text_.size() || kSpaces.find(text_[at_]) == std::string_view::npos)
        return fail(start, "a \\ without the name of a command", "write a command such as \\theta");
      ++at_;
      return;
    }
    empty_ = false;
    if (contains(kSymbols, name)) return;
    if (contains(kWithArgument, name)) {
      if (!accents) return fail(start, "\\" + name + " stands without braces", "write {\\" + name + "{x}}");
      return argument("\\" + name);
    }
    std::vector<std::string> known = kSymbols;
    known.insert(known.end(), kWithArgument.begin(), kWithArgument.end());
    std::string near;
    for (const std::string& word : nearest_names(name, known)) near += (near.empty() ? "\\" : " or \\") + word;
    fail(start, "\\" + name + " cannot stand in a LaTeX name",
         near.empty() ? "use Greek letters, accents such as \\hat{x}, fonts such as \\mathrm{x}, ^ and _"
                      : "did you mean " + near + "?");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool empty_ = true;
  std::optional<LatexDefect> found_;
};

}  // namespace

std::optional<LatexDefect> defect_of_latex(std::string_view text) {
  return Check(text).defect();
}

}  // namespace herglotz::symbolic
