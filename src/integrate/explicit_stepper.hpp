#pragma once
/// Compositions of a symmetric explicit step: contact splitting methods, and Lobatto IIIA-IIIB of order 2.

#include <span>

#include "herglotz/integrate/explicit_step.hpp"
#include "method.hpp"

namespace herglotz::integrate {

/// Runs steps that are made of substeps of the sizes composition[k] * h, in this order. Throws std::invalid_argument
/// where the step is empty.
Outcome run_explicit(const Run& run, const ExplicitStep& step, std::span<const double> composition);

}  // namespace herglotz::integrate
