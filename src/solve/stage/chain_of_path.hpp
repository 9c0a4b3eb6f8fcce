#pragma once
/// Intervals of time as places in a chain.

#include <cstddef>

#include "herglotz/optimise/nlp.hpp"
#include "stage/batch.hpp"

namespace herglotz::solve {

/// Numbers of unknowns or constraints of a programme: those of intervals come first, `each` for every interval.
struct AlongPath {
  std::size_t all = 0;
  std::size_t on_intervals = 0;
  std::size_t each = 1;
};

/// Returns the chain of a programme whose unknowns begin with the d states at the start. `ends` are the functions of
/// (v_0, v_N, T); the entries of v_0 that their Hessian couples with v_N are on the border, as is all that belongs to
/// no interval.
optimise::Chain chain_of_path(const AlongPath& unknowns, const AlongPath& constraints, const Batch& ends,
                              std::size_t d);

}  // namespace herglotz::solve
