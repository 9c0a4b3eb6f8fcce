#pragma once
/// The motion as a first-order system, u_dot = f(t, u), for solvers of other libraries.

#include <memory>
#include <span>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

/// Rates f and their Jacobian df/du for the state u = (x, w, z), with nu for a vakonomic system. One object must not be
/// used from several threads at once; copies are independent.
class CompiledVectorField {
 public:
  /// Throws Refused if the dynamics has neither a flow nor a mass kernel.
  CompiledVectorField(const Dynamics& dynamics, std::span<const double> parameters);
  ~CompiledVectorField();
  CompiledVectorField(const CompiledVectorField& other);
  CompiledVectorField& operator=(const CompiledVectorField& other);

  [[nodiscard]] std::size_t dimension() const;
  [[nodiscard]] std::size_t multipliers() const;
  /// Computes u_dot (dimension) at (t, u). If the accelerations are not determined, the rates are NaN.
  void operator()(double t, std::span<const double> u, std::span<double> u_dot);
  /// Computes df/du (dimension x dimension), row by row.
  void jacobian(double t, std::span<const double> u, std::span<double> matrix);
  /// Computes the multipliers (m) at (t, u): lambda, or nu itself.
  void multipliers(double t, std::span<const double> u, std::span<double> l);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::integrate
