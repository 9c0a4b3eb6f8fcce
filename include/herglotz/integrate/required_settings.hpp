#pragma once
/// Settings that a method cannot do without, for callers that must know before the run begins.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Throws Refused if the method takes its polynomials and its quadrature from the settings, and the
/// settings have none. integrate() throws the same.
void require_galerkin_rule(const MethodInfo& method, const Settings& settings);

}  // namespace herglotz::integrate
