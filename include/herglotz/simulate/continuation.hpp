#pragma once
/// Equilibria as a parameter changes, with the points at which they turn back or change their stability.

#include <complex>
#include <string>
#include <vector>

#include "herglotz/simulate/linearise.hpp"

namespace herglotz::simulate {

struct ContinuationRequest {
  InitialState at;  ///< near the first equilibrium; values that are not named are 0
  InitialState parameters{};
  std::string parameter;  ///< the parameter that changes, from its value
  double to = 0;          ///< the value towards which it goes first
  /// Largest distance of two points in (state, parameter), with states above 1 at the first point in units of their
  /// size there; 0: a fiftieth of the way.
  double largest_step = 0;
  std::size_t points = 500;  ///< largest number of points
};

enum class BranchEvent {
  none,
  fold,    ///< the parameter turns back
  hopf,    ///< a pair of complex poles crosses the imaginary axis
  branch,  ///< a real pole passes zero, and the parameter goes on: other equilibria begin here
};

/// An equilibrium of a branch.
struct BranchPoint {
  double parameter = 0;
  std::vector<double> at;  ///< the state
  std::vector<std::complex<double>> poles;
  Stability stability = Stability::none;
  BranchEvent event = BranchEvent::none;
};

/// A curve of equilibria in the order of its arc length. It ends at `to`, where it comes back to the parameter's first
/// value, or after the largest number of points.
struct Branch {
  std::vector<std::string> states;
  std::vector<BranchPoint> points;
  std::string status = "complete";  ///< or the sentence that says why it ends before the parameter leaves its range
};

/// Follows the equilibria of F(y, mu) = 0 by pseudo-arclength continuation: each point is predicted along the tangent
/// (F_y, F_mu) (y', mu') = 0 of the curve and corrected by Newton steps of least length, so that folds are not an
/// obstacle [H. B. Keller, in: Applications of Bifurcation Theory, Academic Press 1977, p. 359]. Folds, Hopf points and
/// branch points are located by bisection, and are points of the branch. Throws Refused as linearise() does, and if the
/// parameter is unknown or has the value `to`; RunFailed if there is no first equilibrium.
Branch follow_equilibria(const Simulator& simulator, const ContinuationRequest& request);

}  // namespace herglotz::simulate
