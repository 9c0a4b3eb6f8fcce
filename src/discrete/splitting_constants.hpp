#pragma once
/// Subexpressions of a step that do not change from step to step.

#include "herglotz/discrete/splitting.hpp"

namespace herglotz::discrete {

/// Returns the step with its largest subexpressions that depend on h and parameters alone moved to a program of their
/// own. `step.variables` are (x, p, z, g, s, t, h).
ExplicitPrograms with_constants(symbolic::Program step, Expr h);

}  // namespace herglotz::discrete
