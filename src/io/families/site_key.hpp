#pragma once
/// Keys with a subscript.

#include <string>

namespace herglotz::io {

/// A key such as "q[i]", "q[0]" or "k".
struct Key {
  std::string name;
  std::string subscript;  ///< empty without brackets
  [[nodiscard]] bool indexed() const { return !subscript.empty(); }
};

/// Returns the parts of a key; the subscript is without blanks.
Key key_of(const std::string& written);

}  // namespace herglotz::io
