#pragma once
/// Plain evaluation with the C library's functions, for checks and tests; the compiled kernels are the fast way.

#include <span>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

/// Returns the values of all outputs with symbols[i] = values[i]. Throws Refused for a free symbol
/// without a value.
std::vector<double> evaluate(std::span<const Expr> outputs, std::span<const Expr> symbols,
                             std::span<const double> values);
double evaluate(Expr f, std::span<const Expr> symbols, std::span<const double> values);

}  // namespace herglotz::symbolic
