#pragma once
/// Second derivatives of functions of computed runs.

#include <functional>
#include <span>
#include <vector>

#include "herglotz/simulate/loss.hpp"

namespace herglotz::simulate {

/// Derivative of a gradient along a direction.
struct HessianProduct {
  std::vector<double> values;  ///< by every name of the request
  double error = 0;            ///< estimate of the largest error of an entry, beside the size of the entry
};

/// Returns H d, the derivative of the gradient of a loss by the names of the request along the direction d, an entry
/// for each name: central differences of order 8 of gradients, which are those of Differentiator::gradient and exact
/// for the computed runs. `loss` gives the value of a run with its derivatives. Adaptive runs choose their steps anew,
/// so that their gradients are smooth up to the tolerance only, which `error` shows. Throws Refused for a direction of
/// another length and for names that are neither parameters nor initial values; RunFailed if no runs near this one have
/// gradients, or if the error is above 1e-4. For d = 0 it is zero.
HessianProduct hessian_product(const Simulator& simulator, Differentiator& differentiator,
                               const SensitivityRequest& request,
                               const std::function<LossValue(const analyse::Trajectory&)>& loss,
                               std::span<const double> direction);

}  // namespace herglotz::simulate
