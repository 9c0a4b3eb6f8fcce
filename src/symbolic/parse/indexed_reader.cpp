#include "parse/indexed_reader.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace herglotz::symbolic {

void IndexedReader::advance() {
  previous_ = token_;
  token_ = lexer_.next();
}

void IndexedReader::open_sum() {
  advance();
  const std::size_t place = token_.offset;
  std::vector<SumIndex> indices;
  do {
    const Token index = token_;
    if (index.kind != TokenKind::name) lexer_.fail(index.offset, "a sum without an index", "write sum(i, ...)");
    indices.push_back({std::string(index.text), {}});
    if (lexer_.comes('<')) {
      lexer_.skip('<');
      advance();
      if (token_.kind != TokenKind::name)
        lexer_.fail(token_.offset, "no index follows '<'", "write a sum over pairs as sum(i, j < i, ...)");
      indices.back().below = token_.text;
    }
    advance();
    if (token_.kind != TokenKind::comma)
      lexer_.fail(token_.offset, "no comma after the index of a sum",
                  "write sum(" + std::string(index.text) + ", ...)");
    advance();
  } while (token_.kind == TokenKind::name && (lexer_.comes(',') || lexer_.comes('<')));
  placed(place, [&] { elements_.open_sum(indices); });
}

Expr IndexedReader::element(const Token& word) {
  std::vector<Subscript> subscripts;
  do {
    advance();
    subscripts.push_back(subscript());
  } while (token_.kind == TokenKind::comma);
  if (token_.kind != TokenKind::close_bracket)
    lexer_.fail(token_.offset, quoted(token_.text) + " stands in a subscript",
                "a subscript is an index with a number added or subtracted, such as i+1, or a site, such as 0 or "
                "count-1");
  advance();
  return placed(word.offset, [&] { return elements_.element(word.text, subscripts); });
}

Subscript IndexedReader::subscript() {
  Subscript result;
  std::int64_t sign = 1;
  if (token_.kind == TokenKind::name) {
    result.from_the_end = token_.text == "count";
    if (!result.from_the_end) result.index = token_.text;
    result.end = lexer_.part();
    advance();
    if (!result.end.empty()) return result;
    if (token_.kind != TokenKind::plus && token_.kind != TokenKind::minus) return result;
    sign = token_.kind == TokenKind::minus ? -1 : 1;
    advance();
  }
  std::int64_t value = 0;
  const char* const end = token_.text.data() + token_.text.size();
  const auto read = std::from_chars(end - token_.text.size(), end, value);
  if (token_.kind != TokenKind::number || read.ec != std::errc() || read.ptr != end)
    lexer_.fail(token_.offset, quoted(token_.text) + " is not a whole number",
                "a subscript is an index with a whole number added or subtracted, or the number of a site");
  result.offset = sign * value;
  advance();
  return result;
}

}  // namespace herglotz::symbolic
