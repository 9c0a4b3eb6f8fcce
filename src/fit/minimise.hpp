#pragma once
/// The least squares problem of a fit, by the method of Levenberg and Marquardt.

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "problem.hpp"

namespace herglotz::fit {

/// A variable that is not fitted, and its value.
struct Held {
  std::size_t place = 0;
  double value = 0;
};
using HeldVariables = std::vector<Held>;

/// The end of a search.
struct FitMinimum {
  Eigen::VectorXd free;  ///< free variables of all unknowns (bounded.hpp); those which are held are left as they were
  bool converged = false;
  std::string status = "complete";
  std::size_t runs = 0;  ///< how often derivatives of all runs were taken
};

/// Returns the values of free variables; those of `held` are their own.
Eigen::VectorXd values_of(const std::vector<Variable>& variables, const Eigen::VectorXd& free,
                          const HeldVariables& held = {});

/// Returns the minimum of the sum of squares that is found from `free`. Throws simulate::RunFailed if the first run
/// fails; a step to a later one that fails is refused.
FitMinimum minimise(const Residuals& residuals, std::size_t most_iterations, Eigen::VectorXd free,
                    const HeldVariables& held = {});

}  // namespace herglotz::fit
