#pragma once
/// Scan of the keys of a document before it is parsed.

#include <string>
#include <string_view>
#include <vector>

#include "toml/document.hpp"

namespace herglotz::io {

/// Document whose bare keys with Greek letters, which TOML 1.0 does not allow, have been put in quotes.
struct ScannedKeys {
  std::string text;
  std::vector<Place> quotes;  ///< places in `text` of the inserted quotes, in ascending order

  /// Returns the place in the original document that corresponds to a place in `text`.
  [[nodiscard]] Place original(Place place) const;
  /// Replaces the places of a value, and of all values in it, by the places in the original document.
  void restore(Value& value) const;
};

/// Puts bare keys with Greek letters in quotes. Throws InputError for keys of very many dotted parts, whose deeply
/// nested tables the parser does not survive, and for other characters beyond ASCII outside strings, which the parser
/// reports less clearly.
ScannedKeys scan_keys(std::string_view text, const std::string& file);

}  // namespace herglotz::io
