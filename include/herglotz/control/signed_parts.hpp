#pragma once
/// Controls whose cost has a kink at 0, such as |u|, as differences of two controls that are not negative.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"

namespace herglotz::control {

/// Control u = positive - negative, by the places of both parts among the controls of a problem.
struct SignedControl {
  std::string name;
  std::size_t positive = 0;
  std::size_t negative = 0;
  bool bounded = false;  ///< whether u has a bound of its own
};

struct SignedParts {
  Problem problem;
  std::vector<SignedControl> controls;
};

/// Returns the problem with u = p - n, p >= 0, n >= 0 for each control u of both signs whose absolute value, or whose
/// maximum or minimum with 0, enters rates, forces or the running cost: |k u| = |k| (p + n), and f(u) for u > 0, g(u)
/// otherwise, with f(0) = g(0), is f(p) + g(-n) - f(0). These hold where p n = 0. The problem so has no kink, and its
/// optimum has p n = 0 wherever more of |u| costs more: then it is one of the problem itself, as every u is allowed
/// with p = max(u, 0), n = max(-u, 0). Where the sum of the parts is worth having, its solution may have both, and is
/// none of the problem. Returns `std::nullopt` if there is no such control.
std::optional<SignedParts> with_signed_parts(const Problem& problem);

}  // namespace herglotz::control
