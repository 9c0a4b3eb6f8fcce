#pragma once
/// The equations of a model with an index, for readers.

#include "herglotz/families/equations.hpp"
#include "herglotz/mechanics/presentation.hpp"

namespace herglotz::families {

/// Returns the equations at a site i far from both ends: momenta, motion, action, energy, and balance laws, and the
/// sites that Hessian and Jacobian couple. `mechanics::render` prints them as text and LaTeX.
mechanics::Presentation presentation(Model& model);

}  // namespace herglotz::families
