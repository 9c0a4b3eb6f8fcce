#pragma once
/// The equations of a model with an index, for readers.

#include "herglotz/families/equations.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::families {

/// Presents the equations at the site i far from all ends: momenta, equations of motion, action, energy, the stencils
/// of the Hessian and of the Jacobian, and the balance laws. `mechanics::render` prints them as text and LaTeX.
mechanics::Presentation presentation(Model& model);

}  // namespace herglotz::families
