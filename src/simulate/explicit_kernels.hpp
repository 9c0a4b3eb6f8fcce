#pragma once
/// Kernels of an explicit step, with what a run of such steps needs besides.

#include "herglotz/discrete/splitting.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "ingredients.hpp"

namespace herglotz::simulate {

integrate::ExplicitStep explicit_kernels(const Recipe& recipe, const discrete::SplitHamiltonian& parts,
                                         discrete::ExplicitPrograms programs);

}  // namespace herglotz::simulate
