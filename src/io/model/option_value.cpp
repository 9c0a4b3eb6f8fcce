#include "model/option_value.hpp"

#include <charconv>
#include <cmath>
#include <vector>

#include "herglotz/io/model_file.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/parser.hpp"
#include "quote.hpp"

namespace herglotz::io {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

double constant_of_option(const std::string& option, const mechanics::System& system, std::string_view name,
                          std::string_view text) {
  symbolic::Scope scope;
  std::vector<symbolic::Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : system.parameters) {
    scope.emplace(parameter.symbol.name(), parameter.symbol);
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  double value = 0;
  try {
    value = symbolic::evaluate(symbolic::parse(system.graph(), text, scope), symbols, values);
  } catch (const symbolic::ParseError& error) {
    throw InputError(option, 0, 0, "the value of " + in_quotes(name) + ": " + error.problem(), error.remedy());
  }
  if (!std::isfinite(value))
    throw InputError(option, 0, 0, "the value of " + in_quotes(name) + " is not finite", "give a finite number");
  return value;
}

OptionRange range_of_option(const std::string& option, const mechanics::System& system, std::string_view name,
                            std::string_view text) {
  const std::size_t first = text.find(':');
  const std::size_t last = text.rfind(':');
  if (first == std::string_view::npos || first == last)
    throw InputError(option, 0, 0, in_quotes(text) + " is not a range for " + in_quotes(name),
                     "write NAME=FROM:TO:COUNT, as in gamma=0:1:11");
  OptionRange range;
  range.from = constant_of_option(option, system, name, text.substr(0, first));
  range.to = constant_of_option(option, system, name, text.substr(first + 1, last - first - 1));
  const std::string_view count = trimmed(text.substr(last + 1));
  const auto [end, problem] = std::from_chars(count.data(), count.data() + count.size(), range.count);
  if (problem != std::errc() || end != count.data() + count.size() || range.count == 0)
    throw InputError(option, 0, 0, in_quotes(count) + " is not a number of values for " + in_quotes(name),
                     "give a whole number of at least 1");
  return range;
}

}  // namespace herglotz::io
