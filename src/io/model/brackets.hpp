#pragma once
/// Brackets of model files: tables with keys "a,b" and components as values.

#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Reads c^k_ij from a table such as `"w1,w2" = { w3 = "1" }`. If `skew` is true, the opposite entry is implied; then
/// two opposite entries that contradict each other, or a nonzero bracket of a section with itself, throw InputError.
geometry::StructureFunctions read_brackets(const Value& brackets, const std::vector<std::string>& fibre, bool skew,
                                           const ExpressionRole& role, const Vocabulary& vocabulary);

}  // namespace herglotz::io
