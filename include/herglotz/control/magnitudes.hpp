#pragma once
/// Controls whose cost has a norm, such as sqrt(u^2 + w^2), as magnitudes times directions.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/problem.hpp"

namespace herglotz::control {

/// Control u = offset + r s, by the places of the magnitude r and of s among the controls of a problem.
struct DirectedControl {
  std::string name;
  std::size_t direction = 0;
  double offset = 0;
};

/// The norm r of some controls, and its limit. With the form Q of the norm, s^T Q s <= 1.
struct Magnitude {
  std::string name;  ///< of r: the norm as it is written
  Expr norm;
  std::size_t place = 0;
  std::vector<std::vector<double>> form;  ///< Q
  std::vector<DirectedControl> controls;
  std::size_t ball = 0;  ///< place of s^T Q s - 1 <= 0 among the inequalities: that of the limit in the problem
  Expr limit;            ///< the function of r that is <= 0 in the problem
  double longest = 0;    ///< the bound of r that this is
};

struct Magnitudes {
  Problem problem;
  std::vector<Magnitude> norms;
};

/// Returns the problem with u = o + r s, 0 <= r <= d, s^T Q s <= 1 for each group of controls whose norm
/// r = sqrt((u - o)^T Q (u - o)) is in the running cost, the kinematics or the forces, with Q positive definite and
/// constant: a sum of squares of expressions that are affine in controls. An inequality c r^2 <= c d^2 or c r <= c d of
/// the path is the limit of the norm. Other terms have to be linear in these controls, with coefficients without
/// controls, so that r jumps between 0 and d. The norm has a kink at u = o; r and r s have none. Every u of the problem
/// is allowed, with s on the sphere; a path is one of the problem if s^T Q s = 1 wherever r > 0. Where r = 0 the
/// direction is of no consequence: there the costates of u are in the ball of the dual norm. Returns `std::nullopt` if
/// there is no such norm.
std::optional<Magnitudes> with_magnitudes(const Problem& problem);

/// Returns the text of a norm of controls in the running cost, the kinematics or the forces that gets no magnitude, or
/// an empty text if every norm gets one.
std::string norm_without_magnitude(const Problem& problem);

/// Returns a path that was found with magnitudes in the variables of the problem that these were made of, with the
/// multipliers of its inequalities; `std::nullopt` if the path is no such one. No control of it is at a bound.
std::optional<Iterate> stated_path(const Problem& problem, const Magnitudes& magnitudes, const Iterate& path);

}  // namespace herglotz::control
