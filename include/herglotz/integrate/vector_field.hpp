#pragma once
/// The motion as a first-order system, u_dot = f(t, u), for solvers of other libraries.

#include <memory>
#include <span>

#include "herglotz/integrate/dynamics.hpp"

namespace herglotz::integrate {

/// f and df/du of the state u = (x, w, z), with nu of a vakonomic system. Not for use from several threads at once;
/// copies are independent.
class VectorField {
 public:
  /// Throws std::invalid_argument where the dynamics has neither a flow nor a mass kernel.
  VectorField(const Dynamics& dynamics, std::span<const double> parameters);
  ~VectorField();
  VectorField(const VectorField& other);
  VectorField& operator=(const VectorField& other);

  [[nodiscard]] std::size_t dimension() const;
  [[nodiscard]] std::size_t multipliers() const;
  /// u_dot (dimension) at (t, u). Where the accelerations are not determined the rates are NaN.
  void operator()(double t, std::span<const double> u, std::span<double> u_dot);
  /// df/du (dimension x dimension), row by row.
  void jacobian(double t, std::span<const double> u, std::span<double> matrix);
  /// The multipliers (m) at (t, u): lambda, or nu itself.
  void multipliers(double t, std::span<const double> u, std::span<double> l);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::integrate
