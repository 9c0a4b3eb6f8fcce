#include "model/option_value.hpp"

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
    throw InputError(option, 0, 0, "the value of " + in_quotes(name) + ": " + error.what(), error.remedy);
  }
  if (!std::isfinite(value))
    throw InputError(option, 0, 0, "the value of " + in_quotes(name) + " is not finite", "give a finite number");
  return value;
}

}  // namespace herglotz::io
