#pragma once
/// Adjoints of the steps of Runge-Kutta methods.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::sensitivity {

/// Steps of y' = f(y, t, theta) forwards, and derivatives of functions of their results backwards, whose pairing with a
/// variation is the same at both ends of a step to round-off [HLW06, Sec. IV.2].
class AdjointSteps {
 public:
  AdjointSteps() = default;
  AdjointSteps(const AdjointSteps&) = delete;
  AdjointSteps& operator=(const AdjointSteps&) = delete;
  virtual ~AdjointSteps() = default;

  /// Forgets the steps so far, from which implicit steps guess their stages, so that the bits of a run do not depend on
  /// the runs before it.
  virtual void restart() {}
  [[nodiscard]] virtual std::size_t states() const = 0;
  /// Returns the number of values that a step keeps for its adjoint.
  [[nodiscard]] virtual std::size_t kept() const = 0;

  /// The state at t + part inside the step from (t, y) to t + h; the end of the step if part = h. It is reached by the
  /// shorter step, whatever h, unless the method has a polynomial for it.
  struct Step {
    double t = 0;
    double h = 0;
    double part = 0;
    std::span<const double> y;
    std::span<const double> theta;
  };
  /// Makes a step: writes what it keeps, and the state. Returns false if the step is not defined.
  virtual bool forward(const Step& step, std::span<double> kept, std::span<double> reached) = 0;
  /// Derivatives of a function of the state by t and by part, with h fixed.
  struct ByTimes {
    double t = 0;
    double part = 0;
  };
  /// Replaces the cotangent of the state that was reached by that of the state before the step, and adds the
  /// derivatives by theta. `kept` is that of forward(). Returns nothing if a number is not finite.
  virtual std::optional<ByTimes> backward(const Step& step, std::span<const double> kept, std::span<double> cotangent,
                                          std::span<double> by_theta) = 0;
};

/// Returns the adjoints of an explicit method. A step is
///   y1 = y + h sum_i b_i k_i,   k_i = f(Y_i),   Y_i = y + h sum_j a_ij k_j.
/// Let lambda be the cotangent of y1, kappa_i that of k_i, and mu_i that of Y_i. Then
///   kappa_i = h (b_i lambda + sum_j a_ji mu_j),   mu_i = f_y(Y_i)^T kappa_i,
/// and lambda + sum_i mu_i is the cotangent of y. A step keeps its stages and their rates.
///
/// The variables of `motion` are (y, t), and its outputs (y', checks), which are judged as by TangentSteps. Those of
/// `adjoint` are (y, c, t) and (c.f_y, c.f_theta, c.f_t). The parameters of both are theta.
std::unique_ptr<AdjointSteps> runge_kutta_adjoint(kernel::Kernel motion, kernel::Kernel adjoint,
                                                  kernel::ExplicitTableau tableau, std::size_t states);

}  // namespace herglotz::sensitivity
