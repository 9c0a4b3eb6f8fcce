#pragma once
/// Unknowns between bounds as functions of free variables.

#include "herglotz/fit/fit.hpp"

namespace herglotz::fit {

/// Returns the free variable of a value inside the bounds.
double free_of(const Unknown& unknown, double value);
/// Returns the value of a free variable, and its derivative.
struct Bounded {
  double value = 0;
  double slope = 1;
};
Bounded bounded(const Unknown& unknown, double free);

}  // namespace herglotz::fit
