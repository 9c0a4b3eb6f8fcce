#pragma once
/// Motions that keep functions of their state at zero: the final constraint set of a singular Lagrangian.

#include <span>
#include <string>
#include <vector>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Independent functions G(x, w, z, t), `count` of them. The kernel takes v as the kernels of Dynamics do; its outputs
/// are G, then dG/d(x, w, z), row by row.
struct FinalSet {
  kernel::Kernel functions;
  std::size_t count = 0;
};

/// Moves (x, w, z) by the shortest steps of Newton's method until G vanishes to round-off, but changes only the entries
/// first, ..., last - 1. Returns false if that fails; `state` then has the last values reached.
bool move_onto(const FinalSet& set, std::span<const double> parameters, double t, std::span<double> state,
               std::size_t first, std::size_t last);

/// Returns the largest |G| at a state, relative to the larger of 1 and the size |dG/d(x, w, z)| |(x, w, z)| of its
/// terms; infinity if G or its derivatives are not finite there.
double distance_from(const FinalSet& set, std::span<const double> parameters, double t, std::span<const double> state);

/// Returns the names of the methods that follow motions on a final set: those that integrate the rates of the state.
std::vector<std::string> methods_on_final_sets();

/// Integrates by one of these methods; steps, samples and crossings are moved onto the set. The dynamics must have no
/// multipliers. Throws Refused as integrate() does, and if the
/// kernel of the set does not fit. A start that is off the set by more than 1e-10, and a motion that cannot be moved
/// there, end with Status::off_constraints.
Outcome integrate_on(const FinalSet& set, const Dynamics& dynamics, std::span<const double> parameters, double t0,
                     std::span<const double> state, const Settings& settings, const Sink& sink,
                     const Watch& watch = {});

}  // namespace herglotz::integrate
