#pragma once
/// Functions of one value with a kink: absolute values, maxima and minima.

#include <optional>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::control {

/// The largest of two functions, or the smallest. They are equal at the kink. |g| is the largest of g and -g.
struct Kink {
  symbolic::Expr node;
  symbolic::Expr first;
  symbolic::Expr second;
  bool largest = true;
};

/// Returns the parts of an absolute value, a maximum or a minimum; `std::nullopt` for any other function.
std::optional<Kink> kink_of(symbolic::Expr node);

}  // namespace herglotz::control
