#pragma once
/// Dimension checks of the builders: a mismatch reports the expected and the given count.

#include <string_view>

#include "herglotz/geometry/builders.hpp"

namespace herglotz::geometry {

/// Throws Refused "<what>: expected ... got ..." unless the counts agree.
void expect_count(std::string_view what, std::size_t expected, std::size_t got);
void expect_shape(std::string_view what, const Matrix& m, std::size_t rows, std::size_t cols);
void expect_rank(std::string_view what, const StructureFunctions& c, std::size_t rank);

/// Returns an algebroid with these coordinates, zero anchors and zero structure functions.
Algebroid empty_algebroid(std::string_view kind, std::shared_ptr<Graph> graph, Coordinates coordinates);

/// Promises that the whole algebroid is a Lie algebroid.
void promise_lie(Algebroid& algebroid);

}  // namespace herglotz::geometry
