#pragma once
/// Words of the expression grammar.

#include <cstddef>
#include <string_view>

#include "herglotz/symbolic/parser.hpp"

namespace herglotz::symbolic {

enum class TokenKind {
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  open,
  close,
  comma,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  equality,
  open_bracket,
  close_bracket,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t offset = 0;
};

/// Reader of tokens, one after the other. Throws ParseError at a character outside the grammar.
class Lexer {
 public:
  /// Reads brackets only if `brackets` is true.
  Lexer(std::string_view text, const ParseLimits& limits, bool brackets)
      : text_(text), limits_(limits), brackets_(brackets) {}

  Token next();
  /// Reads the primes that follow the last token, and returns their number.
  int primes();
  /// Reads a dot and the name that follow the last token at once, and returns the name; empty if there are none.
  std::string_view part();
  /// Returns whether a character comes next, after blanks.
  [[nodiscard]] bool comes(char c) const;
  /// Reads that character.
  void skip(char c);
  /// Throws ParseError with the line and column of a byte of the text.
  [[noreturn]] void fail(std::size_t offset, const std::string& what, const std::string& remedy) const;
  /// Throws ParseError for two operands side by side.
  [[noreturn]] void juxtaposed(const Token& left, const Token& right) const;

 private:
  Token take(TokenKind kind, std::size_t length);
  Token number();
  [[noreturn]] void stray() const;
  [[nodiscard]] bool digit_at(std::size_t i) const;

  std::string_view text_;
  const ParseLimits& limits_;
  bool brackets_;
  std::size_t at_ = 0;
};

/// Returns the word, or as many of its whole characters as fit into 40 bytes.
std::string shortened(std::string_view word);
/// Returns a word for messages: quoted, and shortened if it is long.
std::string quoted(std::string_view word);

}  // namespace herglotz::symbolic
