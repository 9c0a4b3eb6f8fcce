#pragma once
/// Models with constraints, for the tests of derivatives of their runs.

#include "simulate/run_differences.hpp"

namespace herglotz {

/// A body on a blade in the direction phi, whose centre of mass is off the blade, on an incline.
inline Model blade() {
  Model model({"x", "y", "phi"}, {"vx", "vy", "w"}, {{"inertia", 0.7}, {"gamma", 0.15}},
              "(vx^2 + vy^2 + inertia*w^2)/2 + w*(vy*cos(phi) - vx*sin(phi))/4 + x/2 - gamma*z");
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic, {model.read("vx*sin(phi) - vy*cos(phi)")});
  return model;
}

/// A bead on a wire y = a x^2 + b sin t that is shaken, beside a carriage s that it drags.
inline Model wire() {
  Model model({"x", "y", "s"}, {"vx", "vy", "vs"}, {{"a", 0.6}, {"b", 0.2}},
              "(vx^2 + 2*vy^2 + vs^2)/2 + vx*vs*cos(y)/4 - 2*y - s^2/2 - z/10 - z^2/40");
  mechanics::constrain(model.system, mechanics::Rule::nonholonomic,
                       {model.read("y - a*x^2 - b*sin(t)"), model.read("vs - x*vx - vy/3")});
  return model;
}

}  // namespace herglotz
