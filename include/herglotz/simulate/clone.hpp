#pragma once
/// Copies of systems and problems that share nothing with the original, so that another thread may derive from them.

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Returns a copy of the system in a graph of its own. A graph is not synchronised: of two threads that derive or
/// compile at the same time, each needs its own copy. The copy is equal node by node, so that its runs have the same
/// bits.
mechanics::System clone(const mechanics::System& system);
/// Returns such a copy of a problem, whether or not it was read from a text.
Problem clone(const Problem& problem);

}  // namespace herglotz::simulate
