#pragma once
/// Products in the form in which people read them: sign, coefficient, numerator and denominator.

#include <span>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// A factor base^exponent with a positive rational exponent (1 for any other node).
struct Factor {
  Expr base;
  Rational exponent{1};
};

/// The quotient sign * (coefficient or real) * numerator / denominator; the lists contain no numbers.
struct Quotient {
  bool negative = false;
  Rational coefficient{1};  ///< > 0
  double real = 1.0;        ///< > 0; a factor that is not rational
  std::vector<Factor> numerator;
  std::vector<Factor> denominator;
};

/// Splits a product, a power, a number or any other node into its parts, in the order of the graph.
Quotient quotient_of(Expr f);
/// Returns the product of the factors.
Quotient quotient_of(std::span<const Expr> factors);
/// Sorts factors in textbook order: numbers, symbols (masses first, velocities last), sums, functions.
void sort_factors(std::vector<Factor>& factors);
/// Returns true if all terms have one degree in the symbols; functions count 0.
bool is_homogeneous(Expr sum);
/// Returns the terms in textbook order: by falling degree, then factor by factor. A positive term comes first if there
/// is one.
std::vector<Expr> sorted_terms(Expr sum);

}  // namespace herglotz::symbolic
