#pragma once
/// The [algebroid] table: first its names, then, with definitions known, its matrices.

#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// An [algebroid] table (or factor) whose kind, keys and names are read.
struct AlgebroidTable {
  struct Name {
    std::string text;
    Place place;
  };
  std::string kind;
  std::string title;  ///< "[algebroid]" or "factor 2 of [algebroid]"
  const Value* table = nullptr;
  std::vector<Name> base;  ///< of a product: those of the factors, in order
  std::vector<Name> fibre;
  std::vector<AlgebroidTable> factors;
  bool general = false;  ///< its kind promises nothing
};

/// Kind, keys and names. Fails for unknown kinds and for keys of another kind.
AlgebroidTable read_algebroid_table(const Source& source, const Value& table, const std::string& title);

/// The algebroid itself; base and fibre names are claimed already.
geometry::Algebroid build_algebroid(const AlgebroidTable& table, const Vocabulary& vocabulary);

}  // namespace herglotz::io
