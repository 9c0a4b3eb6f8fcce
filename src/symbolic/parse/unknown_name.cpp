#include "parse/unknown_name.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "graph/functions.hpp"
#include "herglotz/symbolic/names.hpp"

namespace herglotz::symbolic {
namespace {

/// Returns the names as "a, b, c or d"; a long list is cut.
std::string listing(const std::vector<std::string>& names, std::string_view last = ", ") {
  constexpr std::size_t kMost = 24;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : std::string_view(", ");
    text += names[i];
  }
  return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace

std::string advice_on_unknown(std::string_view word, bool call, const Scope& scope) {
  static const std::map<std::string_view, std::string_view> kElsewhere{{"ln", "log"},
                                                                       {"arcsin", "asin"},
                                                                       {"arccos", "acos"},
                                                                       {"arctan", "atan"},
                                                                       {"arctan2", "atan2"},
                                                                       {"fabs", "abs"},
                                                                       {"Abs", "abs"},
                                                                       {"sgn", "sign"},
                                                                       {"tg", "tan"},
                                                                       {"sh", "sinh"},
                                                                       {"ch", "cosh"},
                                                                       {"th", "tanh"},
                                                                       {"PI", "pi"},
                                                                       {"Pi", "pi"},
                                                                       {"pow", "x^y"},
                                                                       {"Max", "max"},
                                                                       {"Min", "min"},
                                                                       {"Heaviside", "if(x > 0, 1, 0)"},
                                                                       {"step", "if(x > 0, 1, 0)"},
                                                                       {"If", "if(x > 0, a, b)"},
                                                                       {"where", "if(x > 0, a, b)"},
                                                                       {"Piecewise", "if(x > 0, a, b)"},
                                                                       {"ceil", "-floor(-x)"},
                                                                       {"round", "floor(x + 1/2)"},
                                                                       {"mod", "x - y*floor(x/y)"},
                                                                       {"cot", "1/tan"},
                                                                       {"sec", "1/cos"},
                                                                       {"csc", "1/sin"},
                                                                       {"log10", "log(x)/log(10)"},
                                                                       {"log2", "log(x)/log(2)"}};
  const bool renamed = call || word == "PI" || word == "Pi";
  if (const auto other = kElsewhere.find(word); renamed && other != kElsewhere.end())
    return "write " + std::string(other->second);
  std::vector<std::string> known;
  if (call) known = function_names();
  if (!call) known.emplace_back("pi");
  for (const auto& [name, value] : scope) known.push_back(name);
  std::vector<std::string> nearest = known;
  std::erase_if(nearest, [&](const auto& name) { return spelled_out(name) != spelled_out(word); });
  if (nearest.empty()) nearest = nearest_names(word, known);
  if (!nearest.empty()) return "did you mean " + listing(nearest, " or ") + "?";
  return (call ? "functions are " : "known names are ") + listing(call ? function_names() : known);
}

}  // namespace herglotz::symbolic
