#pragma once
/// Keys with a subscript.

#include <string>

#include "herglotz/symbolic/indexed.hpp"

namespace herglotz::io {

/// A key such as "q[i]", "q[0]" or "k".
struct Key {
  std::string name;
  std::string subscript;  ///< empty without brackets
  [[nodiscard]] bool indexed() const { return !subscript.empty(); }
};

/// Returns the parts of a key; the subscript is without blanks.
Key key_of(const std::string& written);

/// Returns the site of a key such as "q[0]" or "q[count-1]"; `of` names the key in errors, `index` the index of the
/// model. Throws Refused with the text "what is wrong; what would be right".
symbolic::Subscript site_subscript(const Key& key, const std::string& index, const std::string& of);

}  // namespace herglotz::io
