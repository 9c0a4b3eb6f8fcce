#pragma once
/// The text that is read: its file name, and errors and typed values at places in it.

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
  /// Fails with "unknown <what> 'name'" and the nearest known names, or all of them.
  [[noreturn]] void unknown(Place place, std::string_view what, std::string_view name,
                            const std::vector<std::string>& known) const;
  /// Fails with "expected ..., got ..." unless the value is of the kind. `of` says what it is the value of.
  void expect(const Value& value, Kind kind, std::string_view of) const;

  /// A finite number, or an error that says what `of` is.
  [[nodiscard]] double number(const Value& value, std::string_view of) const;
  /// The strings of an array of strings.
  [[nodiscard]] std::vector<const Value*> strings(const Value& value, std::string_view of) const;
  /// A value that must be there.
  [[nodiscard]] const Value& required(const Value& table, std::string_view key, std::string_view table_name,
                                      std::string_view remedy) const;

 private:
  std::string_view text_;
  std::string file_;
};

}  // namespace herglotz::io
