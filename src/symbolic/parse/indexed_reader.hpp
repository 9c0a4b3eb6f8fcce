#pragma once
/// Subscripts and indices of sums.

#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/indexed.hpp"
#include "parse/token.hpp"

namespace herglotz::symbolic {

/// Reader of the parts of an expression that have an index. It goes on from the token of a parser.
class IndexedReader {
 public:
  IndexedReader(Lexer& lexer, Token& token, Token& previous, Elements& elements)
      : lexer_(lexer), token_(token), previous_(previous), elements_(elements) {}

  /// Reads the indices of a sum from its parenthesis on, and opens it. The token is then the first of its density.
  void open_sum();
  /// Reads the subscripts of a name from the bracket on, and returns the element.
  Expr element(const Token& word);
  /// Calls `make`, and adds the place to its errors.
  template <class Make>
  auto placed(std::size_t offset, Make make) const {
    try {
      return make();
    } catch (const Refused& error) {
      if (error.remedy().empty()) throw;
      lexer_.fail(offset, error.problem(), error.remedy());
    }
  }

 private:
  void advance();
  Subscript subscript();

  Lexer& lexer_;
  Token& token_;
  Token& previous_;
  Elements& elements_;
};

}  // namespace herglotz::symbolic
