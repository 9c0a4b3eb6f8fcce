#pragma once
/// Variational methods in lanes: the discrete Herglotz equations of discrete Lagrangians and of polynomials, with
/// Newton's method in lock step.

#include <functional>
#include <memory>

#include "drive/method.hpp"
#include "variational/galerkin_polynomials.hpp"

namespace herglotz::integrate {

/// Interface to DiscreteHerglotzStep or GalerkinStep in lanes. It passes plain numbers, since code for lanes is
/// compiled for other registers. Arrays are lane-minor, and sets of lanes are bits.
class VariationalLanes {
 public:
  virtual ~VariationalLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<VariationalLanes> copy() const = 0;
  virtual void follow(const VariationalLanes& other) = 0;
  virtual void forget() = 0;
  /// Sets both states of a lane at the start of its run: (x, w, z) and (x, p, z, log factor, budgets).
  virtual void start(int lane, const double* last, const double* carried) = 0;
  /// Makes one step. Returns the lanes in which it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
  /// Brings the last state to the end of the last step. Returns the lanes in which its w is known.
  virtual unsigned show(double t, unsigned lanes) = 0;
  /// Returns (x, p, z, log factor, budgets).
  [[nodiscard]] virtual const double* carried() const = 0;
  /// Returns (x, w, z).
  virtual const double* last_state() = 0;
};

/// Makes the steps of W lanes. `polynomials` belong to a Galerkin method and must outlive the steps; nullptr stands for
/// the discrete Lagrangian. Compiled for W = 4 and 8, for registers of that width.
template <int W>
std::unique_ptr<VariationalLanes> make_variational_lanes(const Dynamics& wide, const double* parameters,
                                                         const GalerkinPolynomials* polynomials);

/// Returns the form of Galerkin methods. `polynomials_of` returns nullptr if the settings lack them.
LaneForm galerkin_lanes(
    const std::function<std::shared_ptr<const GalerkinPolynomials>(const Settings&)>& polynomials_of);
/// Returns the form of the system's discrete Lagrangian.
LaneForm discrete_lanes();

}  // namespace herglotz::integrate
