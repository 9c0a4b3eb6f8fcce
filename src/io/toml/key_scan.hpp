#pragma once
/// A look at the keys of a document before it is parsed.

#include <string>
#include <string_view>
#include <vector>

#include "toml/document.hpp"

namespace herglotz::io {

/// A document whose bare keys with Greek letters, which TOML 1.0 does not have, stand in quotes.
struct ScannedKeys {
  std::string text;
  std::vector<Place> quotes;  ///< that were inserted, by their places in `text`, in its order

  /// The place in the document as it was written.
  [[nodiscard]] Place original(Place place) const;
  /// Moves the places of a value, and of all in it, to those of the document as it was written.
  void restore(Value& value) const;
};

/// Puts bare keys with Greek letters in quotes. Refuses what the parser does not survive, keys of very many dotted
/// parts, which nest tables that deep, and what it reports less clearly: other characters beyond ASCII outside strings.
/// Throws InputError.
ScannedKeys scan_keys(std::string_view text, const std::string& file);

}  // namespace herglotz::io
