#pragma once
/// Samples of neighbouring lanes from the rows of a loop. It passes plain numbers, since code for lanes is compiled for
/// other registers.

#include <cstddef>

namespace herglotz::integrate {

/// Entries of W lanes, which are those of a CompiledLoops without `kept`, and what their runs started with.
struct LaneEntries {
  const double* rows = nullptr;  ///< entry i of lane l is at [i * stride + l]
  std::size_t stride = 0;
  std::size_t state = 0;                ///< size of (x, w, z)
  bool has_factor = false;              ///< true if log lambda is an entry
  double elapsed = 0;                   ///< time since the start
  const double* dissipation = nullptr;  ///< dL/dz at the start, of each lane
  std::size_t laws = 0;
  const double* budgets = nullptr;       ///< budgets at the start; law k of lane l is at [k * stride + l]
  const std::size_t* carried = nullptr;  ///< laws whose budgets are entries
  std::size_t carried_count = 0;
};

/// Writes state, log lambda and budgets of W lanes, as PackedState::unpack computes them; number i of lane l goes to
/// [i * W + l].
template <int W>
void write_sample(const LaneEntries& entries, double* numbers);

}  // namespace herglotz::integrate
