#pragma once
/// Reading of the [algebroid] table: first its names, then, when definitions are known, its matrices.

#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// [algebroid] table (or factor of a product) whose kind, keys and names have been read.
struct AlgebroidTable {
  struct Name {
    std::string text;
    Place place;
  };
  std::string kind;
  std::string title;  ///< "[algebroid]" or "factor 2 of [algebroid]"
  const Value* table = nullptr;
  std::vector<Name> base;  ///< base names; for a product, the names of the factors in order
  std::vector<Name> fibre;
  std::vector<AlgebroidTable> factors;
  bool general = false;  ///< true if its kind promises no axioms
};

/// Reads kind, keys and names. Throws InputError for unknown kinds and for keys of another kind.
AlgebroidTable read_algebroid_table(const Source& source, const Value& table, const std::string& title);

/// Builds the algebroid. Its base and fibre names must have been claimed.
geometry::Algebroid build_algebroid(const AlgebroidTable& table, const Vocabulary& vocabulary);

}  // namespace herglotz::io
