#include "parse/token.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "herglotz/symbolic/names.hpp"

namespace herglotz::symbolic {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Characters that come with pasted formulas, each with the advice for what to write instead.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kPasted{{
    {"\u2212", "a minus is written -"},
    {"\u2013", "a minus is written -"},
    {"\u2014", "a minus is written -"},
    {"\u00d7", "a product is written *"},
    {"\u00b7", "a product is written *"},
    {"\u22c5", "a product is written *"},
    {"\u00f7", "a quotient is written /"},
    {"\u00b2", "a square is written ^2"},
    {"\u00b3", "a cube is written ^3"},
    {"\u221a", "a square root is written sqrt( )"},
    {"\u00a0", "use an ordinary space"},
    {"=", "write the side that is computed, or a difference"},
    {"[", "use parentheses ( )"},
    {"]", "use parentheses ( )"},
    {"{", "use parentheses ( )"},
    {"}", "use parentheses ( )"},
    {"\\", "expressions are plain text, not LaTeX: write sin(x), a/b, theta"},
    {"'", "a velocity has a name of its own, such as vx"},
    {"|", "an absolute value is written abs( )"},
    {"!", "there is no factorial; write the number"},
    {"%", "there is no remainder; write a quotient or a decimal"},
    {"\u2264", "at most is written <="},
    {"\u2265", "at least is written >="},
    {"&", "in the condition of an if write and"},
}};

/// The number of bytes of a word that messages show.
constexpr std::size_t kLongest = 40;

constexpr std::string_view kAllowed = "letters (Latin or Greek), digits, _ . + - * / ^ ( ) and commas are allowed";

/// Returns the number of bytes of the first character of text, and true if they are well-formed UTF-8.
std::pair<std::size_t, bool> character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80U) return {1, true};
  const std::size_t wanted = lead >= 0xF8U ? 0 : lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC2U ? 2 : 0;
  if (wanted == 0 || text.size() < wanted) return {1, false};
  const bool whole = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(wanted), is_continuation);
  return whole ? std::pair{wanted, true} : std::pair{std::size_t{1}, false};
}

std::string byte_name(char c) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "the byte 0x%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text.data();
}

std::string code_point_name(std::string_view character) {
  std::uint32_t code = static_cast<unsigned char>(character.front()) & (0x7FU >> character.size());
  for (const char c : character.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", code);
  return text.data();
}

}  // namespace

std::string shortened(std::string_view word) {
  if (word.size() <= kLongest) return std::string(word);
  std::size_t end = kLongest;
  while (is_continuation(word[end])) --end;
  return std::string(word.substr(0, end));
}

std::string quoted(std::string_view word) {
  return "'" + shortened(word) + (word.size() <= kLongest ? "'" : "...'");
}

void Lexer::fail(std::size_t offset, const std::string& what, const std::string& remedy) const {
  const std::string_view before = text_.substr(0, offset);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t newline = before.rfind('\n');
  const std::string_view row = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column = row.size() - static_cast<std::size_t>(std::count_if(row.begin(), row.end(), is_continuation)) + 1;
  throw ParseError(line, column, what, remedy);
}

void Lexer::juxtaposed(const Token& left, const Token& right) const {
  const bool parenthesis = right.kind == TokenKind::open;
  const std::string first = left.kind == TokenKind::close ? "(...)" : shortened(left.text);
  const std::string second = parenthesis ? "(...)" : shortened(right.text);
  const std::string what = parenthesis && left.kind == TokenKind::name
                               ? quoted(left.text) + " is not a function"
                               : quoted(right.text) + " follows " + quoted(left.text) + " without an operator";
  fail(right.offset, what, "write a product with *: " + first + "*" + second);
}

void Lexer::stray() const {
  const auto [length, valid] = character_length(text_.substr(at_));
  const std::string_view character = text_.substr(at_, length);
  if (!valid) fail(at_, byte_name(character.front()) + " is not UTF-8 text", std::string(kAllowed));
  const bool ascii = length == 1;
  const bool printable = !ascii || (character.front() > ' ' && character.front() < '\x7F');
  std::string what = printable ? "unexpected character '" + std::string(character) + "'"
                               : "unexpected control character " + byte_name(character.front());
  if (!ascii) what = "the non-ASCII character '" + std::string(character) + "' (" + code_point_name(character) + ")";
  const auto* pasted =
      std::find_if(kPasted.begin(), kPasted.end(), [&](const auto& entry) { return entry.first == character; });
  if (pasted != kPasted.end()) fail(at_, what, std::string(pasted->second));
  const std::string advice = advice_on_letter(character);
  if (!advice.empty()) fail(at_, what, advice);
  fail(at_, what, std::string(kAllowed));
}

bool Lexer::digit_at(std::size_t i) const {
  return i < text_.size() && text_[i] >= '0' && text_[i] <= '9';
}

Token Lexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), at_};
  at_ += length;
  return token;
}

Token Lexer::number() {
  std::size_t end = at_;
  while (digit_at(end)) ++end;
  if (end < text_.size() && text_[end] == '.') {
    ++end;
    while (digit_at(end)) ++end;
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    const bool sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
    const std::size_t exponent = end + (sign ? 2 : 1);
    if (digit_at(exponent)) {
      end = exponent;
      while (digit_at(end)) ++end;
    }
  }
  const Token token = take(TokenKind::number, end - at_);
  if (token.text.size() > limits_.literal) {
    fail(token.offset, "a number of " + std::to_string(token.text.size()) + " characters",
         "write at most " + std::to_string(limits_.literal) + " characters");
  }
  if (end < text_.size() && text_[end] == '.') {
    fail(end, "a second '.' in the number " + quoted(token.text), "write one decimal point");
  }
  return token;
}

int Lexer::primes() {
  const std::size_t before = at_;
  while (at_ < text_.size() && text_[at_] == '\'') ++at_;
  return static_cast<int>(at_ - before);
}

std::string_view Lexer::part() {
  if (at_ >= text_.size() || text_[at_] != '.') return {};
  const std::size_t length = name_length(text_.substr(at_ + 1));
  if (length == 0) return {};
  const std::string_view name = text_.substr(at_ + 1, length);
  at_ += length + 1;
  return name;
}

bool Lexer::comes(char c) const {
  std::size_t at = at_;
  while (at < text_.size() && is_space(text_[at])) ++at;
  return at < text_.size() && text_[at] == c;
}

void Lexer::skip(char c) {
  at_ = text_.find(c, at_) + 1;
}

Token Lexer::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {TokenKind::end, {}, at_};
  const char c = text_[at_];
  if (digit_at(at_) || (c == '.' && digit_at(at_ + 1))) return number();
  if (const std::size_t length = name_length(text_.substr(at_)); length > 0) return take(TokenKind::name, length);
  switch (c) {
    case '+':
      return take(TokenKind::plus, 1);
    case '-':
      return take(TokenKind::minus, 1);
    case '*':
      return text_.substr(at_, 2) == "**" ? take(TokenKind::power, 2) : take(TokenKind::times, 1);
    case '/':
      return take(TokenKind::divide, 1);
    case '^':
      return take(TokenKind::power, 1);
    case '(':
      return take(TokenKind::open, 1);
    case ')':
      return take(TokenKind::close, 1);
    case ',':
      return take(TokenKind::comma, 1);
    case '<':
      return text_.substr(at_, 2) == "<=" ? take(TokenKind::less_or_equal, 2) : take(TokenKind::less, 1);
    case '>':
      return text_.substr(at_, 2) == ">=" ? take(TokenKind::greater_or_equal, 2) : take(TokenKind::greater, 1);
    case '=':
    case '!':
      if (text_.substr(at_ + 1, 1) == "=") return take(TokenKind::equality, 2);
      stray();
    case '[':
      if (brackets_) return take(TokenKind::open_bracket, 1);
      stray();
    case ']':
      if (brackets_) return take(TokenKind::close_bracket, 1);
      stray();
    default:
      stray();
  }
}

}  // namespace herglotz::symbolic
