#pragma once
/// Brackets of model files: tables with keys "a,b" and components as values.

#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// c^k_ij from a table such as `"w1,w2" = { w3 = "1" }`. With skew the opposite entry is implied; both given
/// inconsistently, or a nonzero bracket of a section with itself, is an error.
geometry::StructureFunctions read_brackets(const Value& brackets, const std::vector<std::string>& fibre, bool skew,
                                           const Role& role, const Vocabulary& vocabulary);

}  // namespace herglotz::io
