#pragma once
/// Elementary functions of both back ends: SLEEF's deterministic family, with equal bits at every lane width. With
/// fused multiply-add, sine and cosine of arguments that are not huge are this library's own.

#include <string>

#include "tape/tape.hpp"

namespace herglotz::compile {

struct SineCosine {
  double sine;
  double cosine;
};

/// Returns f(a) or f(a, b). Results differ between CPUs with and without fused multiply-add, never between widths on
/// one CPU.
double call_function(Code code, double a, double b);
SineCosine sine_and_cosine(double a);

struct FunctionSymbol {
  std::string name;  ///< SLEEF's name
  void* address;
};

/// Returns the function of a code for 1, 4 or 8 lanes; sin and cos give the joint function. Throws CompileError if the
/// library does not have it.
FunctionSymbol function_symbol(Code code, int lanes);

}  // namespace herglotz::compile
