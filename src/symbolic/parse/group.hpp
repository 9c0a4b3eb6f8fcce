#pragma once
/// Parts of an expression that the parser has begun to read.

#include "graph/functions.hpp"
#include "parse/token.hpp"

namespace herglotz::symbolic {

/// One open parenthesis or call (or the whole text), with the places on the parser's stacks at which its operands
/// begin.
struct Group {
  Token open;                          ///< the '(' or, for a call, the function's name
  const Function* function = nullptr;  ///< null for plain parentheses
  std::size_t arguments = 0;
  std::size_t terms = 0;
  std::size_t factors = 0;
  std::size_t prefixes = 0;
  bool negative = false;      ///< sign of the product being read
  bool reciprocal = false;    ///< true if the next factor is a divisor
  std::size_t divide_at = 0;  ///< offset of that '/'
  bool condition = false;     ///< whether a condition is read, or a part of one
  bool sum = false;           ///< a sum over an index; `open` is its name
  Expr table{};               ///< the value of a table whose argument is read
  Expr argument{};            ///< the only argument of that table; not valid for other groups
};

/// An operator whose right operand has not been read yet: a sign, or `base ^`.
struct Prefix {
  TokenKind kind;
  Expr base;
  std::size_t offset;
};

}  // namespace herglotz::symbolic
