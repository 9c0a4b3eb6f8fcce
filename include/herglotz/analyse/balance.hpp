#pragma once
/// How far a balance law is from holding along a run. Theory, Sec. 3.

namespace herglotz::analyse {

/// Follows one law dQ/dt = L_z Q + source, integrated with the factor lambda = exp(-int L_z):
///   lambda Q - Q(0) - int lambda source = 0.
/// With the budget g (dg/dt = L_z g + source, g(0) = Q(0)) the left side is lambda (Q - g). Residuals are relative to
/// the largest |term| so far: the terms of Q, Q(0) and the integral, each times lambda. Everything is carried divided
/// by lambda, so that neither a large nor a small factor overflows.
class BalanceLedger {
 public:
  /// The relative residual at a sample. `scale` is the largest |term| of Q; log_factor is log(lambda).
  double residual(double quantity, double scale, double budget, double log_factor);
  /// Largest |residual| returned so far; NaN once a residual was not a number.
  [[nodiscard]] double largest() const { return largest_; }

 private:
  bool started_ = false;
  double initial_ = 0;     // Q(0)
  double log_factor_ = 0;  // at the previous sample
  double yardstick_ = 0;   // largest |term| so far, divided by the current lambda
  double largest_ = 0;
};

}  // namespace herglotz::analyse
