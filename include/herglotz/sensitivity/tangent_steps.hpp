#pragma once
/// Derivatives of the steps of explicit and implicit methods along directions of states and parameters.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "herglotz/kernel/adaptive_loop.hpp"
#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/kernel/kernel.hpp"
#include "herglotz/kernel/runge_kutta_loop.hpp"

namespace herglotz::sensitivity {

/// Steps of y' = f(y, t, theta) with their derivatives along one direction in every lane. The derivative of a step is
/// the step of the variational equations dy' = f_y dy + f_theta dtheta + f_t dt, with the same stages; dt is the
/// derivative of the time at which the step begins.
class TangentSteps {
 public:
  TangentSteps() = default;
  TangentSteps(const TangentSteps&) = delete;
  TangentSteps& operator=(const TangentSteps&) = delete;
  virtual ~TangentSteps() = default;

  /// Forgets the steps so far, from which implicit steps guess their stages, so that the bits of a run do not depend on
  /// the runs before it.
  virtual void restart() {}
  /// Returns the number of directions that are followed at once.
  [[nodiscard]] virtual std::size_t lanes() const = 0;
  /// Returns whether a step costs less if what AdjointSteps::forward() kept of it is known.
  [[nodiscard]] virtual bool recalls() const { return false; }
  /// Takes what was kept of the step that follows next, whose equations are then not solved again. It is read in the
  /// next call of a function below.
  virtual void recall(std::span<const double> /*kept*/) {}
  /// Makes the step from (t, y) to t + h. Replaces `dy` (states x lanes, lane-minor) by its value after the step, and
  /// writes the state after the step. `parameters` has theta, then dtheta and dt, lane-minor. Returns false if the step
  /// is not defined: a number is not finite, or an elimination is not sound.
  virtual bool step(double t, double h, std::span<const double> y, std::span<const double> parameters,
                    std::span<double> dy, std::span<double> reached) = 0;

  /// Writes the state at t + part inside the step from (t, y) to t + h, as `step` does at its end: by the shorter step,
  /// unless the method has a polynomial for it.
  virtual bool within(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
                      std::span<double> dy, std::span<double> reached);

  /// Writes the derivative of the state that `within` writes by `part`, with everything else fixed. Returns false if it
  /// is not defined.
  virtual bool by_part(double t, double h, double part, std::span<const double> y, std::span<const double> parameters,
                       std::span<double> slope) = 0;

  /// Steps k = first, .., first + count - 1 from the times t0 + k h.
  struct Steps {
    double t0 = 0;
    double h = 0;
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// Makes many steps of one size, otherwise as `step`.
  virtual bool advance(const Steps& steps, std::span<const double> y, std::span<const double> parameters,
                       std::span<double> dy, std::span<double> reached);
};

/// Returns the steps of an explicit Runge-Kutta method. The variables of `motion` are (y, dy, t), its parameters
/// (theta, dtheta, dt), and its outputs (y', dy', checks): a step is sound if the sizes of all checks are between 1e-7
/// and 1e7. `loop` is that of the same equations and method, or empty; many steps of one size go through it.
std::unique_ptr<TangentSteps> runge_kutta_tangent(kernel::Kernel motion, kernel::ExplicitTableau tableau,
                                                  std::size_t states, kernel::RungeKuttaLoop loop = {});

/// Returns the steps by Taylor polynomials of an order. The loop is that of the motion (y, dy), whose entries have
/// neither factor nor laws.
std::unique_ptr<TangentSteps> taylor_tangent(kernel::AdaptiveLoop motion, std::int64_t order);

}  // namespace herglotz::sensitivity
