#pragma once
/// Subexpressions of a step that do not change from step to step.

#include "herglotz/discrete/splitting.hpp"

namespace herglotz::discrete {

/// The step with the largest subexpressions that depend on h and parameters only taken out of it. `step.variables` are
/// (x, p, z, g, s, t, h).
ExplicitPrograms with_constants(symbolic::Program step, Expr h);

}  // namespace herglotz::discrete
