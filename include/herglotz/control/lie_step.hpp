#pragma once
/// Steps by the action of a Lie group on the base: the stage of the method direct-lie-2.

#include "herglotz/control/first_order.hpp"

namespace herglotz::control {

/// Returns the programs of a stage (h F, C, D) with which the midpoint rule moves the base by an element of the group:
/// x_{k+1} = x_k . tau(h xi) with the Cayley map tau of the affine representation. For coordinates on which the action
/// is affine, x_{k+1} - x_k = h rho(x) xi at x = (x_k + x_{k+1})/2 is such a step. An angle th with the rate omega,
/// which other rates know by its sine and cosine alone, moves by 2 atan(h omega/2), and its sine and cosine stand for
/// their means at both ends, which are those of the middle over sqrt(1 + (h omega/2)^2). Everything else is as in
/// stage_programs. Throws Refused if the algebroid carries no group, or acts in another way.
StagePrograms lie_stage_programs(const Problem& problem, const FirstOrder& form);

}  // namespace herglotz::control
