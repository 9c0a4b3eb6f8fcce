#pragma once
/// Checks of the constant parts of an expression: they must be real and finite. All throw ParseError.

#include <cstddef>

#include "graph/functions.hpp"
#include "parse/token.hpp"

namespace herglotz::symbolic {

/// Checks functions and powers of constants, which stay unfolded: they too must have finite values.
void check_constant_parts(const Lexer& lexer, Expr f);
/// Checks a power, which may be part of a denominator: for a base other than 0 its reciprocal must be finite too.
void check_power(const Lexer& lexer, std::size_t offset, double base, double value);
/// Checks the argument of a function, if it is a number.
void check_domain(const Lexer& lexer, std::size_t offset, const Function& function, Expr argument);
[[noreturn]] void not_finite(const Lexer& lexer, std::size_t offset);

}  // namespace herglotz::symbolic
