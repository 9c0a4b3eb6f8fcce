#pragma once
/// One run: what a method is given, and how it ends.

#include <span>
#include <stdexcept>
#include <string>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Everything a method is given; sizes are checked and t_end != t0.
struct Run {
  const Dynamics& dynamics;
  std::span<const double> parameters;
  double t0;
  std::span<const double> state;
  const Settings& settings;
  const Sink& sink;
  const Watch* watch = nullptr;
};

/// What stops a run, raised where it is noticed and turned into an Outcome where time and state are known.
struct Stop {
  Status status = Status::success;
  std::string reason;
};

/// "t = .., x = (..), w = (..), z = ..".
std::string describe(const Dynamics& dynamics, double t, std::span<const double> state);

/// Completes the outcome with "<reason> at t = .., x = ..".
void conclude(Outcome& outcome, const Dynamics& dynamics, const Stop& stop, double t, std::span<const double> state);

}  // namespace herglotz::integrate
