#pragma once
/// Solvers of nonlinear programmes behind one interface.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/optimise/nlp.hpp"

namespace herglotz::optimise {

/// A point with the multipliers of the constraints (mu) and of the bounds (both >= 0).
struct PrimalDualPoint {
  std::vector<double> x;
  std::vector<double> mu;
  std::vector<double> at_lower;
  std::vector<double> at_upper;
};

enum class Verdict {
  solved,         ///< the conditions of Karush, Kuhn and Tucker hold to the tolerance
  infeasible,     ///< there are more constraints than unknowns
  unimproved,     ///< to first order, no step from the last point comes nearer to the constraints
  undefined,      ///< a function has no finite value at the start
  not_converged,  ///< too many iterations, or no step made progress
  stopped         ///< the caller stopped it
};

struct MinimiseOptions {
  double tolerance = 1e-10;  ///< the tolerance of the scaled conditions
  int most_iterations = 1000;
  bool warm = false;   ///< the start is near the solution and has multipliers
  double barrier = 0;  ///< the first barrier parameter; 0: the solver chooses it
  std::function<bool()> go_on{};
  double products = 0;  ///< largest product of a multiplier and its distance from a limit; 0: the tolerance
};

struct Minimum {
  PrimalDualPoint at;
  Verdict verdict = Verdict::not_converged;
  std::string reason;  ///< the reason that the solver gives, in words
  int iterations = 0;
  bool falls = false;  ///< the objective falls without bound
};

/// Minimises by the interior-point method of IPOPT. A process makes one call at a time: another thread waits. The
/// linear systems of a programme with a chain are solved by elimination along the chain. If that does not lead to a
/// solution, or to multipliers that are large, as those of constraints that depend on each other may be, then MUMPS
/// solves them, which chooses pivots among all unknowns.
Minimum minimise(Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options = {});

/// Finds a stationary point by Newton's method on the equations of Karush, Kuhn and Tucker, whatever its inertia.
/// Bounds must not be active; inequalities that are active at the start stay so, and no other becomes active. If the
/// constraints depend on each other, it takes a regularised step.
Minimum find_stationary(Nlp& nlp, const PrimalDualPoint& start, const MinimiseOptions& options = {});

/// Largest violation of a bound or constraint at x, and the violated constraint; the number of constraints if it is a
/// bound or nothing is violated.
struct Violation {
  double size = 0;
  std::size_t constraint = 0;
};
Violation largest_violation(Nlp& nlp, const std::vector<double>& x);

/// Returns the first constraint whose value at x is not finite, else the first with such a derivative, if there is one.
std::optional<std::size_t> undefined_constraint(Nlp& nlp, const std::vector<double>& x);

/// Returns the largest entry of the gradient of the Lagrange function over the entries of x that are not fixed, divided
/// by the mean size of multipliers if that is above 1.
double stationarity(Nlp& nlp, const PrimalDualPoint& at);

/// Derivative of the Lagrange function by an unknown, and the sum of the sizes of its terms.
struct LagrangeSlope {
  double value = 0;
  double size = 0;
};
/// Returns the slopes by some unknowns. Multipliers of bounds are not terms.
std::vector<LagrangeSlope> lagrange_slopes(Nlp& nlp, const PrimalDualPoint& at,
                                           const std::vector<std::size_t>& unknowns);

/// Numbers of directions along the active constraints and bounds in which the Lagrange function falls to second order,
/// and in which it hardly changes to second order.
struct Directions {
  std::size_t negative = 0;
  std::size_t flat = 0;
};
/// Returns the directions at a stationary point, a strict minimum if there are none of both. Constraints may depend on
/// each other. `std::nullopt` if rounding does not allow to count, or if all negative directions move variables away
/// from bounds that the slope presses them against.
std::optional<Directions> directions(Nlp& nlp, const PrimalDualPoint& at);

/// Returns names and versions of the libraries that solve.
std::string solver_versions();

}  // namespace herglotz::optimise
