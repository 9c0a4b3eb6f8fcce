#pragma once
/// Settings of runs by any method.

#include <string>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::test {

/// `accuracy` is the tolerance of an adaptive method, and the step of any other.
inline simulate::Settings run_settings(const std::string& method, double t_end, double accuracy) {
  simulate::Settings s;
  s.method = method;
  s.t_end = t_end;
  (integrate::find_method(method)->adaptive ? s.tolerance : s.step) = accuracy;
  return s;
}

}  // namespace herglotz::test
