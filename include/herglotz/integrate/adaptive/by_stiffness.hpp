#pragma once
/// Runs of the method `reference` that go on with `radau-5` where the motion is stiff.

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// End of a run, and why it was continued by radau-5, or no text if `reference` took all steps.
struct OutcomeByStiffness {
  Outcome outcome;
  std::string implicit_from;
};

/// Runs as integrate() with the method `reference`, which the settings must name. If its steps are found to follow a
/// decay that the motion no longer shows, and more than 20000 like them are left, radau-5 takes the steps from there
/// on, provided that 64 trial steps of it are at least 16 times as long on average; each costs about as much as that.
/// Otherwise the run is that of integrate(), to the last bit.
OutcomeByStiffness integrate_by_stiffness(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                                          std::span<const double> state, const Settings& settings, const Sink& sink,
                                          const Watch& watch = {});

}  // namespace herglotz::integrate
