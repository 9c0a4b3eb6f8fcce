#pragma once
/// Values and dense derivatives of the stage functions at stages of a path.

#include <Eigen/Core>
#include <vector>

#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Stage functions (h F, C, D) at some stages with their derivatives, and with mu = (P, h kappa).
struct StageDerivatives {
  std::vector<Eigen::VectorXd> f;
  std::vector<Eigen::MatrixXd> J;      ///< by (v, w, h, t)
  std::vector<Eigen::MatrixXd> H;      ///< the Hessian of mu . f
  std::vector<Eigen::VectorXd> slope;  ///< J^T mu
};
StageDerivatives derivatives_at(const Setup& setup, const std::vector<Stage>& stages, double h);

/// Returns the places in w of the algebraic variables that no hold determines.
std::vector<std::size_t> free_variables(const Setup& setup, const std::vector<Hold>& held);

}  // namespace herglotz::solve
