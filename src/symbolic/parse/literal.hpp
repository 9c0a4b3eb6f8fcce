#pragma once
/// Numbers in expressions.

#include "herglotz/symbolic/graph.hpp"
#include "parse/token.hpp"

namespace herglotz::symbolic {

/// Returns the number that a token spells, exactly if it fits a Rational. Throws ParseError for a number that is too
/// large or too small.
Expr literal(Graph& graph, const Lexer& lexer, const Token& token);

}  // namespace herglotz::symbolic
