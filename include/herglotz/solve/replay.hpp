#pragma once
/// Motion under given controls.

#include <functional>
#include <map>
#include <string>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/control/problem.hpp"

namespace herglotz::solve {

/// Motion of a problem of control under the controls of its guess.
struct Replay {
  analyse::Trajectory trajectory;
  bool complete = false;
  std::string reason;  ///< why it is not complete
  double cost = 0;
  double duration = 0;
  double error = 0;                   ///< change of the end, relative, when the steps were halved for the last time
  std::map<std::string, double> end;  ///< states at the end, the action of the cost among them
};

/// Integrates dv/dt = F(v, w, t), 0 = C(v, w, t) from the start of the problem with its guessed controls, by the method
/// of Gauss of order 8. Steps are halved until the end changes by no more than the tolerance of the problem. States
/// that are free at the start are those of the guess. Throws Refused, with the table that is wrong,
/// if the problem has no controls.
Replay replay(const control::Problem& problem, const std::function<bool()>& go_on = {});

}  // namespace herglotz::solve
