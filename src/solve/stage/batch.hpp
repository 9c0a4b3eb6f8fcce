#pragma once
/// Functions with their derivatives, evaluated at many points in lanes.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::solve {

/// Kernels of some functions, their Jacobian and their Hessian. An interpreter evaluates them, with the bits of machine
/// code, until that has taken about as long as compiling would: what is evaluated at few points is never compiled.
class StageKernels {
 public:
  explicit StageKernels(const control::StagePrograms& programs);

  /// Returns the kernel that evaluates functions (0), Jacobian (1) or Hessian (2) at this number of points.
  const kernel::Kernel& kernel(std::size_t which, std::size_t points);
  [[nodiscard]] const kernel::Kernel& values() const { return kernels_[0]; }

 private:
  std::array<symbolic::Program, 3> programs_;
  std::array<std::size_t, 3> operations_{};
  std::vector<kernel::Kernel> kernels_;
  bool compiled_ = false;
  double budget_ = 0;  ///< operations at single points that may still be interpreted
};

/// Set of functions with units. Points are rows: entry i of point k is at [k * size + i]. Copies share their kernels,
/// so that one thread at a time may use them.
class Batch {
 public:
  Batch(const control::StagePrograms& programs, const std::vector<double>& parameters);

  [[nodiscard]] std::size_t inputs() const { return kernels_->values().variables(); }
  [[nodiscard]] std::size_t functions() const { return kernels_->values().outputs(); }
  [[nodiscard]] const kernel::Pattern& jacobian() const { return jacobian_places_; }
  /// Returns the pattern of the lower triangle of the Hessian by the inputs.
  [[nodiscard]] const kernel::Pattern& hessian() const { return hessian_places_; }

  void values(std::span<const double> points, std::span<double> out) const { run(values_, points, out); }
  void jacobian(std::span<const double> points, std::span<double> out) const { run(jacobian_, points, out); }
  /// Computes the Hessians of mu . functions; each point is followed by its mu.
  void hessian(std::span<const double> points, std::span<double> out) const { run(hessian_, points, out); }

  /// Returns the same functions divided by the units `of_functions`, as functions of the inputs divided by `of_inputs`.
  [[nodiscard]] Batch in_units(const std::vector<double>& of_inputs, const std::vector<double>& of_functions) const;

 private:
  /// A kernel by its number, and the factors of its inputs and outputs.
  struct Function {
    std::size_t number = 0;
    std::vector<double> in;
    std::vector<double> out;
  };
  void run(const Function& function, std::span<const double> points, std::span<double> out) const;

  std::shared_ptr<StageKernels> kernels_;
  std::vector<double> parameters_;
  Function values_;
  Function jacobian_;
  Function hessian_;
  kernel::Pattern jacobian_places_;
  kernel::Pattern hessian_places_;
};

}  // namespace herglotz::solve
