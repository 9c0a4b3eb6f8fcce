#pragma once
/// The numbers of one run of an explicit step, with kernels of one lane.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/integrate.hpp"

namespace herglotz::integrate {

/// Entries of an array with a distance between neighbours.
struct Strided {
  double* first = nullptr;
  std::size_t stride = 1;

  double& operator[](std::size_t i) const { return first[i * stride]; }
};

/// Sums (x, p, z, g, s, log R) of a run: its start, and the samples that they are. See ExplicitStepper.
class ExplicitRun {
 public:
  /// `step` has kernels of one lane. Both must outlive this.
  ExplicitRun(const Dynamics& dynamics, const ExplicitKernels& step);

  /// Returns the number of entries of (x, p, z).
  [[nodiscard]] std::size_t carried() const { return 2 * n_ + 1; }
  /// Writes the sums and the budgets at a start; sums of driven laws only if laws are followed.
  void start(std::span<const double> parameters, double t0, std::span<const double> state, Strided sums,
             Strided budgets);
  /// Writes the sample at time t; `budgets` are those at the start.
  void sample(double t, Strided sums, Strided velocity, Strided budgets, Sample& sample) const;
  /// Writes the velocities at time t.
  void velocity(double t, Strided sums, const double* parameters, double* velocity);
  /// Writes the constants of a substep of size h.
  void prepare(double h, const double* parameters, double* constants);

 private:
  const Dynamics* dynamics_;
  const ExplicitKernels* step_;
  std::size_t n_;
  std::vector<double> point_;
  std::vector<double> out_;
  std::vector<double> work_;
};

}  // namespace herglotz::integrate
