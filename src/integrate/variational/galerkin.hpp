#pragma once
/// Runs of Galerkin methods.

#include <memory>

#include "motion/run.hpp"
#include "variational/galerkin_polynomials.hpp"

namespace herglotz::integrate {

using Polynomials = std::shared_ptr<const GalerkinPolynomials>;

/// Follows a run by the discrete Herglotz equations of polynomials. Throws Refused if the dynamics lacks
/// the kernels, or is not of a Lagrangian of velocities without constraints.
Outcome run_galerkin(const Run& run, const Polynomials& polynomials);

}  // namespace herglotz::integrate
