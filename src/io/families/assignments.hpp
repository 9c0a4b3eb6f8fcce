#pragma once
/// Values that a command line gives to names: --set NAME=VALUE.

#include <string>
#include <utility>
#include <vector>

namespace herglotz::io {

class Assignments {
 public:
  /// Reads NAME=VALUE. Throws InputError for any other text.
  explicit Assignments(const std::vector<std::string>& written);

  /// Returns the last value that the name is given, or nullptr, and marks it as used.
  const std::string* value(const std::string& name);
  /// Returns names and values that were not used.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> unused() const;

  /// Returns the assignments to names with an index, in their order.
  [[nodiscard]] std::vector<std::string> of_families() const;

 private:
  std::vector<std::pair<std::string, std::string>> set_;
  std::vector<bool> used_;
};

/// Returns the value of a text that is a number or a constant expression. Throws InputError.
double constant_of_set(const std::string& text);

}  // namespace herglotz::io
