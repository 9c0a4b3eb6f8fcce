#pragma once
/// The expression grammar of model files.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Bounds that keep hostile input harmless.
struct ParseLimits {
  std::size_t length = 1'000'000;  ///< characters of one expression
  std::size_t depth = 2'000;       ///< nested parentheses, calls, signs and powers
  std::size_t literal = 400;       ///< characters of one number
};

/// Error in an expression, with its place there (1-based).
class ParseError : public Failed {
 public:
  ParseError(std::size_t at_line, std::size_t at_column, const std::string& problem, const std::string& remedy)
      : Failed(problem, remedy, std::to_string(at_line) + ":" + std::to_string(at_column)),
        line(at_line),
        column(at_column) {}
  std::size_t line;
  std::size_t column;
};

/// The names an expression may use.
using Scope = std::map<std::string, Expr, std::less<>>;

/// Parses `numbers names + - * / ^ ** ( )`, `pi` (also in Greek), `sqrt exp log sin cos tan asin acos atan atan2 sinh
/// cosh tanh abs sign max min floor`, and `if(condition, x, y)` whose condition has `< <= > >= and or not ( )`; it is
/// made of select(a, b, x, y) (x if a > b, else y), which is read too. `^` is right-associative and binds tighter than
/// unary minus. `deg` is pi/180 unless the scope defines it. Decimal literals are exact if they fit a Rational. `sign
/// max min floor if select` are functions before a parenthesis only. A name of a table u of time t may be written u,
/// u(t), and u' or u'(t) for its rate. A constant that is infinite or not real, and a division by exact zero, are
/// errors. Throws ParseError; an unknown name lists the nearest known ones.
Expr parse(Graph& graph, std::string_view text, const Scope& scope, const ParseLimits& limits = {});

/// Returns whether the grammar can read the name: a letter (ASCII or Greek, see names.hpp) or underscore, then letters,
/// digits, underscores.
bool is_identifier(std::string_view name);
/// Returns whether the name is a function or constant of the grammar that no model may redefine.
bool is_reserved(std::string_view name);
/// Returns up to three known names nearest to a misspelt one, best first (Damerau-Levenshtein, at most a third of its
/// length).
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known);

}  // namespace herglotz::symbolic
