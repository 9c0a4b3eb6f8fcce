#include "toml/key_scan.hpp"

#include <algorithm>

#include "herglotz/io/model_file.hpp"
#include "herglotz/io/toml_text.hpp"
#include "herglotz/symbolic/names.hpp"

namespace herglotz::io {
namespace {

constexpr std::size_t kMostKeyParts = 16;

bool is_character_start(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}
bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80U;
}

/// Returns the length in bytes of the ASCII or Greek character of a bare key at the beginning of the text, or 0 if the
/// text begins with another character.
std::size_t key_character(std::string_view text) {
  if (text.empty()) return 0;
  if (is_ascii(text.front())) return text.front() == '-' ? 1 : symbolic::name_part_length(text);
  std::size_t length = 1;
  while (length < text.size() && !is_character_start(text[length])) ++length;
  const std::string plain = symbolic::with_plain_greek(text.substr(0, length));
  return symbolic::greek_letter_at(plain) != nullptr ? length : 0;
}

/// Walk over a document outside its strings and comments.
class KeyScan {
 public:
  KeyScan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  ScannedKeys run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = line_start_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        blank_ = false;
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '.' && ++dots_ >= kMostKeyParts) {
        fail("a key has more than 16 dotted parts", "tables of a model file are at most a few levels deep");
      }
      if (!is_ascii(c)) {
        greek_key();
        continue;
      }
      if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
      bracket(c);
      blank_ = blank_ && (c == ' ' || c == '\t');
      if (c == '\n') new_line();
      ++at_;
    }
    result_.text += text_.substr(copied_);
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(file_, line_, column_of(at_), what, remedy);
  }

  void new_line() {
    ++line_;
    line_start_ = at_ + 1;
    inserted_ = 0;
    header_ = false;
    blank_ = true;
  }

  /// Tracks the depth of brackets, and headers such as [initial].
  void bracket(char c) {
    if (c == '[' || c == '{') {
      header_ = header_ || (depth_ == 0 && blank_);
      ++depth_;
    } else if ((c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    }
  }

  /// Puts the key around a letter beyond ASCII in quotes.
  void greek_key() {
    std::size_t start = at_;
    while (start > line_start_ && start > copied_ && is_ascii(text_[start - 1]) &&
           key_character(text_.substr(start - 1, 1)) > 0)
      --start;
    std::size_t end = at_;
    while (const std::size_t length = key_character(text_.substr(end))) end += length;
    if (end == at_) refuse_character();
    const std::size_t next = text_.find_first_not_of(" \t", end);
    const char after = next == std::string_view::npos ? '\n' : text_[next];
    if (!header_ && after != '=' && after != '.')
      fail("a name stands where a value is expected", "write expressions and names in quotes");
    result_.text += text_.substr(copied_, start - copied_);
    insert_quote(start);
    result_.text += text_.substr(start, end - start);
    insert_quote(end);
    copied_ = at_ = end;
    blank_ = false;
  }

  void insert_quote(std::size_t before) {
    result_.quotes.push_back({line_, column_of(before) + inserted_++});
    result_.text += '"';
  }

  [[noreturn]] void refuse_character() const {
    std::size_t length = 1;
    while (at_ + length < text_.size() && !is_character_start(text_[at_ + length])) ++length;
    const std::string advice = symbolic::advice_on_letter(text_.substr(at_, length));
    fail("a character that is neither ASCII nor Greek stands outside a string",
         advice.empty() ? "names are letters (Latin or Greek), digits and _" : advice);
  }

  [[nodiscard]] std::size_t column_of(std::size_t at) const {
    const std::string_view before = text_.substr(line_start_, at - line_start_);
    return static_cast<std::size_t>(std::count_if(before.begin(), before.end(), is_character_start)) + 1;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool multi = text_.substr(at_, 3) == triple;
    at_ += multi ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n' && !multi) return;
      if (c == '\n') new_line();
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
        continue;
      }
      if (c == quote && (!multi || text_.substr(at_, 3) == triple)) {
        at_ += multi ? 3 : 1;
        // A multi-line string may end with one or two quotes of its own.
        for (int own = 0; multi && own < 2 && text_.substr(at_, 1) == std::string_view(&quote, 1); ++own) ++at_;
        return;
      }
      ++at_;
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t dots_ = 0;
  std::size_t depth_ = 0;  ///< depth of brackets and braces
  bool header_ = false;    ///< true if the line is a header such as [initial]
  bool blank_ = true;      ///< true if the line is blank so far
  ScannedKeys result_;
  std::size_t copied_ = 0;    ///< bytes that have been copied to the result
  std::size_t inserted_ = 0;  ///< quotes on this line
};

}  // namespace

Place ScannedKeys::original(Place place) const {
  const auto first = std::lower_bound(quotes.begin(), quotes.end(), Place{place.line, 0});
  const auto last = std::lower_bound(first, quotes.end(), place);
  place.column -= static_cast<std::size_t>(last - first);
  return place;
}

void ScannedKeys::restore(Value& value) const {
  if (quotes.empty()) return;
  value.place = original(value.place);
  for (Value& item : value.items) restore(item);
  for (Member& member : value.members) {
    member.place = original(member.place);
    restore(member.value);
  }
}

ScannedKeys scan_keys(std::string_view text, const std::string& file) {
  return KeyScan(text, file).run();
}

std::string with_quoted_keys(std::string_view text) {
  return scan_keys(text, "model.toml").text;
}

}  // namespace herglotz::io
