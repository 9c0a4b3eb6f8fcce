#pragma once
/// Runs with closed forms, in the columns that a simulation writes.

#include "herglotz/analyse/trajectory.hpp"

namespace herglotz::report::samples {

/// L = v^2/2 - x^2/2 - gamma z: x'' + gamma x' + x = 0, with dL/dz = -gamma, so lambda = exp(gamma t) and lambda E is
/// constant up to the period of the motion only through the budget. [ASMLL20, Sec. 6]
analyse::Trajectory damped_oscillator(std::size_t rows, double t_end = 40);

/// Steady precession of an axisymmetric free body with three angular velocities and no base coordinates.
analyse::Trajectory precessing_body(std::size_t rows);

/// A ball that rolls on a circle in the plane: base coordinates only by name, constraints and multipliers present,
/// stopped early.
analyse::Trajectory rolling_in_the_plane(std::size_t rows);

/// A knife edge on an incline, turning at a constant rate: the blade runs on a cycloid, forwards and backwards in turn.
/// L = (vx^2 + vy^2 + w^2)/2 + g x with vx sin(phi) = vy cos(phi); phi = Omega t, vx = u cos(phi), vy = u sin(phi) with
/// u = g/Omega sin(Omega t), and lambda1 = -2 g sin(Omega t). A second angle, theta, turns by itself and says
/// nothing of the heading; the second constraint is twice the first. With notes.
analyse::Trajectory knife_edge(std::size_t rows);

}  // namespace herglotz::report::samples
