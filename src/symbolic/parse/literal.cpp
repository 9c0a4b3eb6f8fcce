#include "parse/literal.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>

namespace herglotz::symbolic {

Expr literal(Graph& graph, const Lexer& lexer, const Token& token) {
  double value = 0.0;
  const bool in_range =
      std::from_chars(token.text.data(), token.text.data() + token.text.size(), value).ec == std::errc();
  const std::size_t exponent = token.text.find_first_of("eE");
  const bool zero = token.text.substr(0, exponent).find_first_not_of("0.") == std::string_view::npos;
  if (!zero && (!in_range || value == 0.0 || !std::isfinite(value))) {
    const bool small =
        exponent == std::string_view::npos ? token.text.find_first_of("0.") == 0 : token.text[exponent + 1] == '-';
    lexer.fail(token.offset, "the number " + quoted(token.text) + " is too " + (small ? "small" : "large"),
               "numbers lie between 1e-307 and 1e308; rescale the units");
  }
  if (zero) return graph.number(std::int64_t{0});
  if (const auto exact = Rational::from_decimal(token.text)) return graph.number(*exact);
  return graph.real(value);
}

}  // namespace herglotz::symbolic
