#pragma once
/// The equations of a model with an index, for readers.

#include "herglotz/families/equations.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::families {

/// Returns the equations at a site i that is far from both ends: momenta, equations of motion, action, energy, stencils
/// of the Hessian and of the Jacobian, and balance laws. `mechanics::render` prints them as text and LaTeX.
mechanics::Presentation presentation(Model& model);

}  // namespace herglotz::families
