#pragma once
/// Keys with a subscript.

#include <string>
#include <vector>

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

/// Returns the subscripts of a key such as "q[0]", "q[count-1]", "q[0,3]" or "q[0,j]", one for each of the indices of
/// the model; `of` names the key in errors. Throws Refused with a remedy.
std::vector<symbolic::Subscript> subscripts_of(const Key& key, const std::vector<std::string>& indices,
                                               const std::string& of);

}  // namespace herglotz::io
