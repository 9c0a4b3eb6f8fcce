#pragma once
/// The elementary functions by their codes.

#include "elementary/arcs.hpp"
#include "elementary/exponential.hpp"
#include "elementary/logarithm.hpp"
#include "elementary/sine_and_cosine.hpp"
#include "tape/tape.hpp"

namespace herglotz::compile {

/// Returns f(x) or f(x, y) for a function other than sine and cosine; the tangent only for |x| up to
/// `largest_reduced_angle`.
template <class A>
typename A::Number function_of(const A& a, Code code, typename A::Number x, typename A::Number y) {
  switch (code) {
    case Code::exp:
      return exp_of(a, x);
    case Code::log:
      return log_of(a, x);
    case Code::tan:
      return tangent_near(a, x);
    case Code::asin:
      return asin_of(a, x);
    case Code::acos:
      return acos_of(a, x);
    case Code::atan:
      return atan_of(a, x);
    case Code::atan2:
      return atan2_of(a, x, y);
    case Code::sinh:
      return sinh_of(a, x);
    case Code::cosh:
      return cosh_of(a, x);
    case Code::tanh:
      return tanh_of(a, x);
    default:
      return pow_of(a, x, y);
  }
}

}  // namespace herglotz::compile
