#pragma once
/// Parsed TOML text as a plain tree with the place of every value, and with tables in the order of the file.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Largest size of a model file in bytes; longer texts are rejected.
constexpr std::size_t kLargestText = 10'000'000;

/// Place in a text: line and column (in characters), counted from 1; 0 if no place applies.
struct Place {
  std::size_t line = 0;
  std::size_t column = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

enum class Kind { table, array, string, integer, real, boolean, date };

struct Member;

struct Value {
  Kind kind = Kind::table;
  Place place;
  std::string text;             ///< contents of a string
  double number = 0;            ///< value of an integer or real
  bool flag = false;            ///< value of a boolean
  std::vector<Member> members;  ///< entries of a table, in the order of the file
  std::vector<Value> items;     ///< items of an array

  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  [[nodiscard]] const Member* find(std::string_view key) const;
};

struct Member {
  std::string key;
  Place place;
  Value value;
};

/// Returns the kind in words with its article, such as "a string" or "an array".
std::string_view kind_name(Kind kind);

/// Parses TOML. Throws InputError naming `file`, also for texts above 10 MB and for keys or values nested too deeply.
Value parse_document(std::string_view text, const std::string& file);

/// Returns the place in `text` of the character `line`, `column` of a string's contents, or the start of the string if
/// its escapes hide that place.
Place place_inside(std::string_view text, const Value& string, std::size_t line, std::size_t column);

}  // namespace herglotz::io
