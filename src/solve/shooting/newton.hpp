#pragma once
/// Newton's method on the equations of multiple shooting.

#include <functional>
#include <string>

#include "shooting/boundary_system.hpp"

namespace herglotz::solve {

struct NewtonEnd {
  Trial at;
  bool converged = false;
  std::string reason;  ///< the reason that it did not converge
  double defect = 0;
  double flow_error = 0;  ///< estimated: the sum of the local errors of the flow, relative
  double cost_error = 0;
  std::size_t iterations = 0;
  std::size_t state_family = 0;    ///< dimension of the null space of the Jacobian, seen in the states
  std::size_t costate_family = 0;  ///< the rest of that dimension
};

/// Solves by damped steps. If the Jacobian is singular, solutions come in families, and the shortest step is taken.
NewtonEnd newton(const BoundarySystem& system, Trial start, const std::function<bool()>& go_on);

}  // namespace herglotz::solve
