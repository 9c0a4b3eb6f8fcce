#include "document.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "herglotz/io/model_file.hpp"

// Nesting is bounded twice: here for values, and in KeyScan for dotted keys.
#define TOML_MAX_NESTED_VALUES 64
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expression) static_cast<void>(0)
// clang-format off
#include <toml++/impl/preprocessor.h>
// The parser assumes of some malformed headers ("[`a]") what it then finds untrue; without the assumption it reports them.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expression) static_cast<void>(0)
#include <toml++/toml.h>
// clang-format on

namespace herglotz::io {
namespace {

constexpr std::size_t kMostKeyParts = 16;

Place place_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}
bool is_character_start(char c) {
  return !is_continuation(c);
}

/// Refuses, before the parser, what it does not survive: keys of very many dotted parts, which nest tables that deep,
/// and characters beyond ASCII outside strings and comments, whose classes it computes with undefined behaviour.
class KeyScan {
 public:
  KeyScan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = line_start_ = 3;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        if (!opens_string_) {
          fail("a quotation mark stands in the middle of a name or a value",
               "write key = \"value\", with the whole value in quotes");
        }
        opens_string_ = false;
        skip_string(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '.' && ++dots_ >= kMostKeyParts) {
        fail("a key has more than 16 dotted parts", "tables of a model file are at most a few levels deep");
      }
      if (static_cast<unsigned char>(c) >= 0x80U) {
        fail("a character that is not ASCII stands outside a string", "names are letters, digits and _ of ASCII");
      }
      if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
      if (c == '\n') new_line();
      follow(c);
      ++at_;
    }
  }

 private:
  /// Where names and values begin, as the parser sees it.
  void follow(char c) {
    if (c == ' ' || c == '\t') return;
    const bool opens = c == '[' || c == '{';
    opens_string_ =
        c == '\n' || c == ',' || (c == '=' && !in_value_) || (c == '.' && !in_value_) || (opens && opens_string_);
    if (c == '=') in_value_ = true;
    if (c == '\n' || c == ',' || (c == '{' && opens_string_)) in_value_ = false;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    const std::string_view before = text_.substr(line_start_, at_ - line_start_);
    const auto column = static_cast<std::size_t>(std::count_if(before.begin(), before.end(), is_character_start)) + 1;
    throw InputError(file_, line_, column, what, remedy);
  }

  void new_line() {
    ++line_;
    line_start_ = at_ + 1;
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
  bool opens_string_ = true;  ///< a quotation mark here begins a string
  bool in_value_ = false;     ///< after an equals sign, where a point is no separator of names
};

Value convert(const toml::node& node);

void convert_table(const toml::table& table, Value& value) {
  for (const auto& [key, node] : table) {
    value.members.push_back({std::string(key.str()), place_of(key.source()), convert(node)});
  }
  std::sort(value.members.begin(), value.members.end(),
            [](const Member& a, const Member& b) { return std::tie(a.place, a.key) < std::tie(b.place, b.key); });
}

Value convert(const toml::node& node) {
  Value value;
  value.place = place_of(node.source());
  if (const auto* table = node.as_table()) {
    convert_table(*table, value);
  } else if (const auto* array = node.as_array()) {
    value.kind = Kind::array;
    for (const auto& item : *array) value.items.push_back(convert(item));
  } else if (const auto* string = node.as_string()) {
    value.kind = Kind::string;
    value.text = string->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Kind::integer;
    value.number = static_cast<double>(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Kind::real;
    value.number = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Kind::boolean;
    value.flag = boolean->get();
  } else {
    value.kind = Kind::date;
  }
  return value;
}

/// The parser's sentence, and what would be right.
std::pair<std::string, std::string> in_our_words(std::string description) {
  const auto says = [&](std::string_view part) { return description.find(part) != std::string::npos; };
  if (says("unescaped control characters")) {
    return {"a string is not closed on its line", "end it with the quote it began with"};
  }
  if (says("exceeded maximum nested value depth")) {
    return {"values are nested too deeply", "a model file has at most matrices inside tables"};
  }
  const bool twice = says("cannot redefine existing");
  const std::string_view prefix = "Error while parsing ";
  if (description.rfind(prefix, 0) == 0) description = "in a " + description.substr(prefix.size());
  return {"TOML: " + description,
          twice ? "keep one of them" : "write tables as [name] and entries as key = value, with text in double quotes"};
}

/// Advances from a place to the byte offset in the text; npos where the text has no such place.
std::size_t offset_of(std::string_view text, Place place) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return at;
    ++at;
  }
  for (std::size_t column = 1; column < place.column && at < text.size(); ++column) {
    do {
      ++at;
    } while (at < text.size() && is_continuation(text[at]));
  }
  return at < text.size() ? at : std::string_view::npos;
}

}  // namespace

const Member* Value::find(std::string_view key) const {
  const auto it = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return it == members.end() ? nullptr : &*it;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::table:
      return "a table";
    case Kind::array:
      return "an array";
    case Kind::string:
      return "a string";
    case Kind::integer:
    case Kind::real:
      return "a number";
    case Kind::boolean:
      return "a boolean";
    case Kind::date:
      return "a date or time";
  }
  return "a value";
}

Value parse_document(std::string_view text, const std::string& file) {
  if (text.size() > kLargestText) {
    throw InputError(file, 0, 0, "the file is larger than 10 MB", "model files are text of a few kilobytes");
  }
  KeyScan(text, file).run();
  try {
    return convert(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const Place place = place_of(error.source());
    const auto [what, remedy] = in_our_words(std::string(error.description()));
    throw InputError(file, place.line, place.column, what, remedy);
  }
}

Place place_inside(std::string_view text, const Value& string, std::size_t line, std::size_t column) {
  const std::size_t start = offset_of(text, string.place);
  if (start == std::string_view::npos) return string.place;
  for (const std::string_view quote : {"\"\"\"", "'''", "\"", "'"}) {
    if (text.substr(start, quote.size()) != quote) continue;
    std::size_t body = start + quote.size();
    const bool multi = quote.size() == 3;
    const std::size_t newline = !multi ? 0 : text.substr(body, 1) == "\n" ? 1 : text.substr(body, 2) == "\r\n" ? 2 : 0;
    body += newline;
    const bool verbatim = text.substr(body, string.text.size()) == string.text &&
                          text.substr(body + string.text.size(), quote.size()) == quote;
    if (!verbatim) return string.place;
    const bool own_line = newline > 0 || line > 1;
    const std::size_t lines_down = (newline > 0 ? 1 : 0) + line - 1;
    return {string.place.line + lines_down, own_line ? column : string.place.column + quote.size() + column - 1};
  }
  return string.place;
}

}  // namespace herglotz::io
