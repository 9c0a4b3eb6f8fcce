#pragma once
/// Text that is read, with its file name, and with errors and typed values at places in it.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "toml/document.hpp"

namespace herglotz::io {

class Source {
 public:
  Source(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// Throws InputError at the place.
  [[noreturn]] void fail(Place place, const std::string& what, const std::string& remedy) const;
  /// Throws InputError with "unknown <what> 'name'" and the nearest known names, or all of them.
  [[noreturn]] void unknown(Place place, std::string_view what, std::string_view name,
                            const std::vector<std::string>& known) const;
  /// Throws InputError for an entry of the top level that is not among the known tables. If it is a key of a table, the
  /// message names that table.
  [[noreturn]] void unknown_table(const Member& member, const std::vector<std::string>& known) const;
  /// Throws InputError with "expected ..., got ..." unless the value is of the kind. `of` names the value in the
  /// message.
  void expect(const Value& value, Kind kind, std::string_view of) const;

  /// Returns a finite number. Throws InputError, with `of` as the name of the value, if the value is not one.
  [[nodiscard]] double number(const Value& value, std::string_view of) const;
  /// Returns the strings of an array of strings.
  [[nodiscard]] std::vector<const Value*> strings(const Value& value, std::string_view of) const;
  /// Returns the value of a key that the table must have. Throws InputError with the remedy if the key is missing.
  [[nodiscard]] const Value& required(const Value& table, std::string_view key, std::string_view table_name,
                                      std::string_view remedy) const;

 private:
  std::string_view text_;
  std::string file_;
};

}  // namespace herglotz::io
