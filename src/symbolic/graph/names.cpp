#include "herglotz/symbolic/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "graph/functions.hpp"
#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {

namespace {

/// The function that printed derivatives may contain, but no list of functions names.
constexpr std::string_view kSelect = "select";
/// Names that are functions only before a parenthesis, so that models may use them as names.
constexpr std::array<std::string_view, 6> kBeforeParenthesis{"sign", "floor", "max", "min", "if", kSelect};

constexpr std::array<Function, 20> kFunctions{{
    {"abs", Op::abs, 1},     {"acos", Op::acos, 1},    {"asin", Op::asin, 1}, {"atan", Op::atan, 1},
    {"atan2", Op::atan2, 2}, {"cos", Op::cos, 1},      {"cosh", Op::cosh, 1}, {"exp", Op::exp, 1},
    {"floor", Op::floor, 1}, {"if", Op::select, 3},    {"log", Op::log, 1},   {"max", Op::select, 2},
    {"min", Op::select, 2},  {kSelect, Op::select, 4}, {"sign", Op::sign, 1}, {"sin", Op::sin, 1},
    {"sinh", Op::sinh, 1},   {"sqrt", Op::pow, 1},     {"tan", Op::tan, 1},   {"tanh", Op::tanh, 1},
}};

/// Longer names are never compared: a hostile name must not cost a quadratic edit distance.
constexpr std::size_t kLongestComparedName = 64;

/// Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kLongestComparedName + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& now = rows[i % 3];
    const auto& before = rows[(i - 1) % 3];
    const auto& earlier = rows[(i + 1) % 3];
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], earlier[j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

const Function* find_function(std::string_view name) {
  const auto* found =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : found;
}

std::string_view function_name(Op op) {
  if (op == Op::select) return kSelect;
  const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                   [&](const Function& f) { return f.op == op && f.op != Op::pow; });
  return found == kFunctions.end() ? std::string_view{} : found->name;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& f : kFunctions) {
    if (f.name != kSelect) names.emplace_back(f.name);
  }
  return names;
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name_length(name) == name.size();
}

bool is_reserved(std::string_view name) {
  const bool soft = std::find(kBeforeParenthesis.begin(), kBeforeParenthesis.end(), name) != kBeforeParenthesis.end();
  return name == "pi" || name == "\u03c0" || (!soft && find_function(name) != nullptr);
}

std::string_view extremum_name(Expr f) {
  if (f.op() != Op::select) return {};
  if (f.child(2) == f.child(0) && f.child(3) == f.child(1)) return "max";
  if (f.child(2) == f.child(1) && f.child(3) == f.child(0)) return "min";
  return {};
}

std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known) {
  const std::string spelled = spelled_out(name);
  if (spelled.size() < 2 || spelled.size() > kLongestComparedName) return {};
  const std::size_t allowed = std::max<std::size_t>(1, spelled.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& candidate : known) {
    const std::string other = spelled_out(candidate);
    if (other.size() > kLongestComparedName) continue;
    if (other.size() > spelled.size() + allowed || other.size() + allowed < spelled.size()) continue;
    const std::size_t distance = edit_distance(spelled, other);
    if (distance <= allowed) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, near.size()); ++i) nearest.push_back(near[i].second);
  return nearest;
}

}  // namespace herglotz::symbolic
