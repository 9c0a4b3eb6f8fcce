#pragma once
/// Equilibria of a motion, and the eigenvalues of the motion near them.

#include <complex>
#include <vector>

#include "herglotz/simulate/linearise.hpp"
#include "linear/tangent_field.hpp"

namespace herglotz::simulate {

inline constexpr double at_rest = 1e-11;     ///< rates relative to the size of the state, of an equilibrium
inline constexpr double independent = 1e-9;  ///< singular values relative to the largest

/// Returns the size of a state, at least 1.
double size_of(const Eigen::VectorXd& y);

/// Returns the equations of an equilibrium, rates of the states `kept` and constraints, with their derivatives by these
/// states.
Eigen::VectorXd equilibrium_equations(const TangentField& field, const std::vector<Eigen::Index>& kept, double t,
                                      const Eigen::VectorXd& y, Eigen::MatrixXd& slopes);

/// Moves y to an equilibrium by damped Newton steps of least length. Throws RunFailed if there is none near it.
void settle(const TangentField& field, const std::vector<Eigen::Index>& kept, double t, Eigen::VectorXd& y);

/// Returns the eigenvalues of A along the null space of the slopes of constraints, by falling real part.
std::vector<std::complex<double>> eigenvalues_along(const Eigen::MatrixXd& A, const Eigen::MatrixXd& constraints);

/// Returns what the poles say about the stability of an equilibrium.
Stability judged(const std::vector<std::complex<double>>& poles);

}  // namespace herglotz::simulate
