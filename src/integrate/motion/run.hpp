#pragma once
/// One run: the input of a method, and the end of a run.

#include <span>
#include <stdexcept>
#include <string>

#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Input of a method. The sizes have been checked.
struct Run {
  const Dynamics& dynamics;
  std::span<const double> parameters;
  double t0;
  std::span<const double> state;
  const Settings& settings;
  const Sink& sink;
  const Watch* watch = nullptr;
};

/// Reason that ends a run. It is thrown where it is noticed, and becomes an Outcome where time and state are known.
struct Stop {
  Status status = Status::success;
  Reason reason;
};

/// Returns "t = .., x = (..), w = (..), z = ..", or the entries by their names if these are known.
std::string describe(const Dynamics& dynamics, double t, std::span<const double> state);

/// Completes the outcome with the reason, whose problem becomes "<problem> at t = .., x = ..".
void conclude(Outcome& outcome, const Dynamics& dynamics, const Stop& stop, double t, std::span<const double> state);

}  // namespace herglotz::integrate
