#pragma once
/// Adjoints of the steps of explicit Runge-Kutta methods.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/kernel/explicit_tableau.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::sensitivity {

/// Steps of y' = f(y, t, theta) forwards, and derivatives of functions of their results backwards. A step is
///   y1 = y + h sum_i b_i k_i,   k_i = f(Y_i),   Y_i = y + h sum_j a_ij k_j.
/// Let lambda be the cotangent of y1, kappa_i that of k_i, and mu_i that of Y_i. Then
///   kappa_i = h (b_i lambda + sum_j a_ji mu_j),   mu_i = f_y(Y_i)^T kappa_i,
/// and lambda + sum_i mu_i is the cotangent of y. It is the adjoint of the discrete step, whose pairing with a
/// variation is the same at both ends to round-off [HLW06, Sec. IV.2].
class AdjointSteps {
 public:
  /// The variables of `motion` are (y, t), and its outputs (y', checks), which are judged as by TangentSteps. Those of
  /// `adjoint` are (y, c, t) and (c.f_y, c.f_theta, c.f_t). The parameters of both are theta.
  AdjointSteps(kernel::Kernel motion, kernel::Kernel adjoint, kernel::ExplicitTableau tableau, std::size_t states);

  [[nodiscard]] std::size_t states() const { return states_; }
  /// Returns the number of values that a step keeps for its adjoint: the rates of all stages.
  [[nodiscard]] std::size_t kept() const { return tableau_.stages() * states_; }

  /// A step from (t, y) to t + h.
  struct Step {
    double t = 0;
    double h = 0;
    std::span<const double> y;
    std::span<const double> theta;
  };
  /// Makes a step: writes the rates of its stages and the state after it. Returns false if the step is not defined.
  bool forward(const Step& step, std::span<double> rates, std::span<double> reached);
  /// Derivatives of a function of the state after a step by t and by h.
  struct ByTimes {
    double t = 0;
    double h = 0;
  };
  /// Replaces the cotangent of the state after the step by that of the state before it, and adds the derivatives by
  /// theta. `rates` are those of forward().
  ByTimes backward(const Step& step, std::span<const double> rates, std::span<double> cotangent,
                   std::span<double> by_theta);

 private:
  /// Writes Y_i.
  void write_stage(const Step& step, std::size_t i, std::span<const double> rates);

  kernel::Kernel motion_;
  kernel::Kernel adjoint_;
  kernel::ExplicitTableau tableau_;
  std::size_t states_;
  std::vector<double> point_;    // (Y_i, t) or (Y_i, kappa_i, t)
  std::vector<double> outputs_;  // of either kernel
  std::vector<double> stages_;   // mu_i
  std::vector<double> work_;
};

}  // namespace herglotz::sensitivity
