#pragma once
/// Variational methods in lanes: the discrete Herglotz equations of discrete Lagrangians and of polynomials, Newton's
/// method in lock step.

#include <memory>

#include "herglotz/integrate/lanes.hpp"
#include "variational/galerkin_polynomials.hpp"

namespace herglotz::integrate {

/// DiscreteStep or GalerkinStep in lanes, by plain numbers, since code for lanes is compiled for other registers.
/// Arrays are lane-minor, sets of lanes are bits.
class VariationalLanes {
 public:
  virtual ~VariationalLanes() = default;
  [[nodiscard]] virtual std::unique_ptr<VariationalLanes> copy() const = 0;
  virtual void follow(const VariationalLanes& other) = 0;
  virtual void forget() = 0;
  /// Sets both states of a lane at the start of its run: (x, w, z) and (x, p, z, log factor, budgets).
  virtual void start(int lane, const double* last, const double* carried) = 0;
  /// The lanes where it succeeded.
  virtual unsigned step(double t, double h, unsigned lanes) = 0;
  /// Brings the last state to the end of the last step; the lanes where its w is known.
  virtual unsigned show(double t, unsigned lanes) = 0;
  /// (x, p, z, log factor, budgets).
  [[nodiscard]] virtual const double* carried() const = 0;
  /// (x, w, z).
  virtual const double* last_state() = 0;
};

/// `polynomials` of a Galerkin method, which have to outlive the steps; nullptr: steps of the discrete Lagrangian.
std::unique_ptr<VariationalLanes> variational_lanes_8(const Dynamics& wide, const double* parameters,
                                                      const GalerkinPolynomials* polynomials);
std::unique_ptr<VariationalLanes> variational_lanes_4(const Dynamics& wide, const double* parameters,
                                                      const GalerkinPolynomials* polynomials);

/// Whether a method is one of these.
bool is_variational(const MethodInfo& method);
/// Whether the kernels for lanes, and the settings, are there that such a method needs.
bool has_variational_lanes(const Dynamics& wide, const MethodInfo& method, const Settings& settings);
/// As integrate_lanes().
bool follow_variational(const Dynamics& dynamics, const Dynamics& wide, const MethodInfo& method,
                        const Settings& settings, const LaneRuns& runs);

}  // namespace herglotz::integrate
