#pragma once
/// A product as people read it: sign, coefficient, numerator and denominator.

#include <span>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// base^exponent with a positive rational exponent (1 for any other node).
struct Factor {
  Expr base;
  Rational exponent{1};
};

/// sign * (coefficient or real) * numerator / denominator; numbers never stand in the lists.
struct Quotient {
  bool negative = false;
  Rational coefficient{1};  ///< > 0
  double real = 1.0;        ///< > 0; a factor that is no rational
  std::vector<Factor> numerator;
  std::vector<Factor> denominator;
};

/// The parts of a product, a power, a number or any other node, in the order of the graph.
Quotient quotient_of(Expr f);
/// The product of these.
Quotient quotient_of(std::span<const Expr> factors);
/// Textbook order of factors: numbers, symbols (masses first, velocities last), sums, functions.
void sort_factors(std::vector<Factor>& factors);
/// Whether all terms have one degree in the symbols; functions count 0.
bool is_homogeneous(Expr sum);
/// Textbook order of terms: degree falling, then factor by factor; a positive term in front if there is one.
std::vector<Expr> sorted_terms(Expr sum);

}  // namespace herglotz::symbolic
