#pragma once
/// Reading of the [algebroid] table: first its names, then, when definitions are known, its matrices.

#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "herglotz/mechanics/system.hpp"
#include "herglotz/simulate/start_expressions.hpp"
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

/// Returns the names of the quaternions of the Lie groups in a table, four each.
std::vector<std::vector<std::string>> quaternions_of(const AlgebroidTable& table);
/// Declares the invariant unit.<q0> of each quaternion.
void declare_unit_quaternions(const AlgebroidTable& table, mechanics::System& system);
/// Sets the quaternions of which nothing is given to 1.
void start_at_identity(const AlgebroidTable& table, simulate::InitialState& initial);

}  // namespace herglotz::io
