#pragma once
/// Functions of a few variables on a box: the ranges of their values and of their first and second derivatives.

#include <array>
#include <cstddef>

#include "herglotz/symbolic/expr.hpp"
#include "maximum/range.hpp"

namespace herglotz::solve {

constexpr std::size_t most_coupled = 6;  ///< variables of a jet

/// Returns the place of d2/du_i du_j, i >= j, among the second derivatives.
constexpr std::size_t second_place(std::size_t i, std::size_t j) {
  return i * (i + 1) / 2 + j;
}

/// Ranges of a function of n variables on a box, and of its derivatives, by the rules of differentiation in interval
/// arithmetic [Moo66]. At a kink inside the box the slopes are those of both sides and of all between them, and the
/// second derivative is infinite with the sign of the jump of the slope. So the rules are those of convex functions
/// there. Some functions are known to be convex by the rules for sums, maxima and compositions of convex functions
/// [BV04], also where the ranges of their derivatives do not show it.
struct Jet {
  std::size_t n = 0;
  bool defined = true;  ///< false if the function has no value anywhere in the box
  bool convex = true;   ///< true if it is known to be convex in the box
  bool concave = true;
  bool squares = true;  ///< true if it is known to be a sum of squares of linear functions and of constants
  Range value;
  std::array<Range, most_coupled> slope{};
  std::array<Range, most_coupled*(most_coupled + 1) / 2> second{};
};

Jet constant(std::size_t n, double value);
/// Returns the variable `which`, with its range.
Jet variable(std::size_t n, std::size_t which, Range range);

Jet operator+(const Jet& a, const Jet& b);
Jet operator*(double a, const Jet& b);
Jet operator*(const Jet& a, const Jet& b);
/// Returns a^p.
Jet power(const Jet& a, double p);
/// Returns a function of one argument.
Jet apply(symbolic::Op op, const Jet& a);
/// Returns max(a, b), or min(a, b).
Jet extreme(const Jet& a, const Jet& b, bool largest);
/// Returns x where a > b, and y elsewhere.
Jet chosen(const Jet& a, const Jet& b, const Jet& x, const Jet& y);
/// Returns a function that has values in a range and of which nothing else is known.
Jet unknown(std::size_t n, Range value);

}  // namespace herglotz::solve
