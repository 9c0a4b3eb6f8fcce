#pragma once
/// A tape with what the Taylor polynomials of its outputs need: the derivatives of its functions.

#include <string>
#include <vector>

#include "tape/tape.hpp"

namespace herglotz::compile {

/// The value f(a, ..) of a function changes by sum_m u_m da_m/dt.
struct Derivative {
  std::uint32_t operand;  ///< a_m
  std::uint32_t factor;   ///< u_m
};

struct AnalyticTape {
  Tape tape;                                     ///< the given one, and then operations for the factors
  std::vector<std::vector<Derivative>> changes;  ///< for each operation, empty where it is no function
};

/// An operation with a kink or a jump, |a|, sign(a), a choice, or too many operations; empty where there is no reason.
std::string why_not_analytic(const Tape& tape);
/// Operations with kinks stay without derivatives.
AnalyticTape analytic(const Tape& tape);

}  // namespace herglotz::compile
