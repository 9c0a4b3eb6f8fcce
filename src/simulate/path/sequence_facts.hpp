#pragma once
/// What the steps between the points of a sequence, of positions or along arrows, say of it.

#include <vector>

#include "herglotz/simulate/given_sequence.hpp"

namespace herglotz::simulate {

/// Returns action, first variation and rows of the steps between the points `of.q`, with momenta and variations of any
/// number of components. Throws Failed if a step is not finite.
SequenceFacts facts_of_steps(const mechanics::System& system, const std::vector<discrete::LegendreTransforms>& steps,
                             const discrete::Components& variation, const Sequence& of);

}  // namespace herglotz::simulate
