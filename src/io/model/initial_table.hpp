#pragma once
/// Reading of the [initial] table: states, momenta in place of velocities, and the second position of a discrete
/// motion.

#include "herglotz/simulate/simulate.hpp"
#include "model/vocabulary.hpp"

namespace herglotz::io {

/// Returns the names that have an initial value: the state, the momenta of a Lagrangian, time, and vakonomic
/// multipliers.
std::vector<std::string> initial_names(const mechanics::System& system);
/// Reads the table into the problem, which must be complete otherwise. `first_samples` names the entries that are
/// values of [sampled].
void read_initial_table(const Vocabulary& vocabulary, const Value& table, const std::vector<std::string>& first_samples,
                        simulate::Problem& problem);

}  // namespace herglotz::io
