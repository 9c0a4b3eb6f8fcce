#pragma once
/// The motion near a state: matrices, eigenvalues, and equilibria with their stability.

#include <complex>
#include <string>
#include <vector>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// State at which a system is linearised, with its inputs and outputs.
struct LinearisationRequest {
  InitialState at;  ///< state and time; values that are not named are 0
  InitialState parameters{};
  std::vector<std::string> inputs{};   ///< parameters: the columns of B and D
  std::vector<std::string> outputs{};  ///< state coordinates, energy, momentum.<symmetry>, observables: rows of C and D
  bool equilibrium = false;            ///< whether to linearise at the equilibrium near `at` instead
};

enum class Stability {
  none,        ///< the state is not an equilibrium
  asymptotic,  ///< all poles lie to the left of the imaginary axis
  marginal,    ///< no pole lies to the right of it, and some lie on it: the linear motion does not decide
  unstable     ///< a pole lies to the right of it
};

/// The motion dy' = A dy + B du near a state, with outputs dv = C dy + D du. Matrices are row by row.
struct Linearisation {
  std::vector<std::string> states;  ///< (x, w, z)
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<double> at;
  std::vector<double> rates;  ///< y' there
  std::vector<double> A, B, C, D;
  /// Eigenvalues of A along the constraints, by falling real part.
  std::vector<std::complex<double>> eigenvalues;
  /// Coordinates on which no rate depends. A state in which all others are at rest is a relative equilibrium: the
  /// motion along these coordinates has constant velocities.
  std::vector<std::string> drifting;
  /// Eigenvalues without those of drifting coordinates.
  std::vector<std::complex<double>> poles;
  Stability stability = Stability::none;
};

/// Linearises a motion. An equilibrium is found by damped Newton steps of least length, so that it is the nearest one
/// of a family. Throws Refused for unknown names, vakonomic constraints and singular Lagrangians, and if an equilibrium
/// is asked of a system that depends on time. Throws RunFailed if the rates are not finite or no equilibrium is found.
Linearisation linearise(const Simulator& simulator, const LinearisationRequest& request);

}  // namespace herglotz::simulate
