#pragma once
/// A motion that keeps functions of its state at zero: the final constraint set of a singular Lagrangian.

#include <span>
#include <vector>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Independent functions G(x, w, z, t), `count` of them. The kernel takes v as those of Dynamics do; its outputs are G,
/// then dG/d(x, w, z), row by row.
struct FinalSet {
  kernel::Kernel functions;
  std::size_t count = 0;
};

/// Moves (x, w, z) by the shortest steps of Newton's method until G vanishes to round-off, and of it only what stands
/// at `first` and before `last`. False where that fails; the state is then what was reached.
bool move_onto(const FinalSet& set, std::span<const double> parameters, double t, std::span<double> state,
               std::size_t first, std::size_t last);

/// integrate() by the adaptive explicit method, whose steps and samples are moved onto the set. For dynamics without
/// multipliers. A motion that cannot be moved there ends with Status::off_constraints.
Outcome integrate_on(const FinalSet& set, const Dynamics& dynamics, std::span<const double> parameters, double t0,
                     std::span<const double> state, const Settings& settings, const Sink& sink,
                     const Watch& watch = {});

}  // namespace herglotz::integrate
