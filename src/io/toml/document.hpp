#pragma once
/// A parsed TOML text as a plain tree that remembers where everything stands, with tables in the order of the file.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::io {

/// Longer texts are no model files.
constexpr std::size_t kLargestText = 10'000'000;

/// 1-based line and column (in characters); 0 where no place applies.
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
  std::string text;             ///< of a string
  double number = 0;            ///< of an integer or real
  bool flag = false;            ///< of a boolean
  std::vector<Member> members;  ///< of a table, in the order of the file
  std::vector<Value> items;     ///< of an array

  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  [[nodiscard]] const Member* find(std::string_view key) const;
};

struct Member {
  std::string key;
  Place place;
  Value value;
};

/// The kind in words with its article: "a string", "an array".
std::string_view kind_name(Kind kind);

/// Parses TOML. Throws InputError naming `file`, also for texts above 10 MB and for keys or values nested too deeply.
Value parse_document(std::string_view text, const std::string& file);

/// The place of the character `line`, `column` of a string's contents; the start of the string where its escapes hide
/// it.
Place place_inside(std::string_view text, const Value& string, std::size_t line, std::size_t column);

}  // namespace herglotz::io
