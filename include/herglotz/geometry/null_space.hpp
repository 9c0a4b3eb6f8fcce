#pragma once
/// Linear algebra with numbers: null spaces, the rationals that their entries stand for, and small systems.

#include <cstddef>
#include <optional>
#include <vector>

#include "herglotz/symbolic/rational.hpp"

namespace herglotz::geometry {

/// Returns a basis of the vectors that all rows annihilate, found by elimination with rows scaled to 1: each vector has
/// a 1 in a column in which the others have 0, and 0 in all columns after it.
std::vector<std::vector<double>> null_space(std::vector<std::vector<double>> rows, std::size_t columns);

/// Returns the rational with denominator at most 12 that is within 1e-7 of a value of size at most 1000.
std::optional<symbolic::Rational> near_rational(double value);

/// Returns x with a x = b for a square matrix a, row by row, by elimination with row exchanges; not finite if a is
/// singular.
std::vector<double> solve(std::vector<double> a, std::vector<double> b);

}  // namespace herglotz::geometry
