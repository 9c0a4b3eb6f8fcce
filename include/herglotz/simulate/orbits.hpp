#pragma once
/// Lyapunov exponents, and periodic orbits with their stability.

#include <complex>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Start and settings of the motions that are followed. Rows and t_end of the settings are not read.
struct MotionRequest {
  InitialState initial;
  Settings settings{};
  InitialState parameters{};
  /// Called now and then while motions are followed, if it is not empty. What it throws ends the work.
  std::function<void()> attend{};
};

struct ExponentsRequest {
  double duration = 0;  ///< how long exponents are averaged
  double interval = 1;  ///< time between two orthogonalisations, up to what makes their number whole
  double settle = 0;    ///< time before that is left out of the averages
};

/// Lyapunov exponents over the times up to which they are averages.
struct LyapunovExponents {
  double interval = 0;  ///< time between two orthogonalisations
  std::vector<double> t;
  std::vector<std::vector<double>> exponents;  ///< by time; in the order of the last ones, which fall
};

/// Follows the variations of the state (x, w, z), and makes them orthogonal after each interval; the logarithms of
/// their growth are added up [BGGS80]. The sum of all exponents is the mean divergence of the motion. Throws Refused
/// for times that are not positive and for systems and methods without derivatives by the state; RunFailed if the run
/// fails.
LyapunovExponents lyapunov_exponents(const Simulator& simulator, const MotionRequest& motion,
                                     const ExponentsRequest& request);

struct OrbitRequest {
  double period = 0;  ///< the period, or a guess if `fixed` is given
  /// For equations that do not depend on time: an entry of the state that keeps its value, by which the start on the
  /// orbit is chosen. The period is then found.
  std::optional<std::string> fixed{};
  std::vector<std::string> drifting{};  ///< entries of the state that need not come back
};

/// A motion that comes back to its start.
struct PeriodicOrbit {
  double period = 0;
  std::vector<std::string> names;  ///< entries of the state
  std::vector<double> start;
  /// Floquet's multipliers, of the entries that come back, by falling modulus. If the equations do not depend on time,
  /// one of them is 1.
  std::vector<std::complex<double>> multipliers;
  bool stable = false;      ///< whether all multipliers lie inside the unit circle, but for that one
  analyse::Trajectory run;  ///< over one period
};

/// Finds the periodic orbit near a start by Newton's method on the state after one period. Throws as
/// lyapunov_exponents() does; RunFailed if no orbit is found.
PeriodicOrbit periodic_orbit(const Simulator& simulator, const MotionRequest& motion, const OrbitRequest& request);

}  // namespace herglotz::simulate
