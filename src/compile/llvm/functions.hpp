#pragma once
/// The elementary functions of the interpreter, and SLEEF's for angles that are huge.

#include "tape/tape.hpp"

namespace herglotz::compile {

struct SineCosine {
  double sine;
  double cosine;
};

/// Returns f(a) or f(a, b) for a function other than sine and cosine.
double call_function(Code code, double a, double b);
SineCosine sine_and_cosine(double a);

/// Returns the address of SLEEF's function for 1, 4 or 8 lanes: the tangent, or sine and cosine jointly. The results of
/// all widths are equal to the last bit. Throws CompileError if the library does not have it.
void* far_function(Code code, int lanes);

}  // namespace herglotz::compile
