#pragma once
/// Multiple shooting: variables of a fit and states at times between, with shots that continue one another.

#include <Eigen/Core>
#include <cstddef>
#include <string>

#include "shots.hpp"

namespace herglotz::fit {

/// The end of multiple shooting.
struct ShootingResult {
  Eigen::VectorXd values;  ///< of the variables
  bool solved = false;
  std::string reason;      ///< why not
  double chi_squared = 0;  ///< of the shots
  std::size_t runs = 0;    ///< how often derivatives of all shots were taken
};

/// Minimises the sum of squared residuals of shots s_k over variables u and states, with s_{k+1} = Phi_k(s_k, u)
/// between shots and with the bounds of the variables, from values of the variables [BP84]. Each state
/// begins where the shot before it ends, with what is measured there, and is then fitted to the data of its own shot;
/// so no shot leaves its data, however far the variables are from those of the data. The Hessian is that of Gauss and
/// Newton. Throws simulate::RunFailed if a shot fails at the start.
ShootingResult shoot(const Shots& shots, const Residuals& residuals, const Eigen::VectorXd& values,
                     std::size_t most_iterations);

}  // namespace herglotz::fit
