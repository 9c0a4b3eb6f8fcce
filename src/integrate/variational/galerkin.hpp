#pragma once
/// Which Galerkin method a name means.

#include <memory>

#include "herglotz/integrate/integrate.hpp"
#include "variational/galerkin_polynomials.hpp"

namespace herglotz::integrate {

/// The polynomials of contact-galerkin and discrete-galerkin methods; nothing where the method is none of these, or
/// the settings lack a rule of its own. Throws std::invalid_argument for a rule whose parts do not fit.
std::shared_ptr<const GalerkinPolynomials> galerkin_polynomials(const MethodInfo& method, const Settings& settings);

}  // namespace herglotz::integrate
