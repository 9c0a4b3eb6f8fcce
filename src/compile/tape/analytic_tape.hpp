#pragma once
/// A tape with the derivatives of its functions, which the Taylor polynomials of its outputs need.

#include <string>
#include <vector>

#include "herglotz/kernel/loop_entries.hpp"
#include "herglotz/symbolic/program.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

/// One term of the rate of a function: its value f(a, ..) changes by sum_m u_m da_m/dt.
struct Derivative {
  std::uint32_t operand;  ///< a_m
  std::uint32_t factor;   ///< u_m
};

struct AnalyticTape {
  Tape tape;                                     ///< the given tape, then operations for the factors
  std::vector<std::vector<Derivative>> changes;  ///< for each operation; empty if it is not a function
};

/// Returns the reason why a tape has no Taylor polynomials (a kink or jump as in |a|, sign(a) or a choice, or too many
/// operations), or "" if there is none.
std::string why_not_analytic(const Tape& tape);
/// Returns the tape with its derivatives. Operations with kinks get no derivatives.
AnalyticTape analytic(const Tape& tape);
/// Returns the tape of a motion, as compile_taylor() takes it. Throws CompileError if y' has no Taylor polynomials.
AnalyticTape taylor_tape(const symbolic::Program& motion, const kernel::StateLayout& entries);

}  // namespace herglotz::compile
