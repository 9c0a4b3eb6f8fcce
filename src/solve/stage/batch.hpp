#pragma once
/// Functions with their derivatives, evaluated at many points in lanes.

#include <cstddef>
#include <span>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "herglotz/kernel/kernel.hpp"

namespace herglotz::solve {

/// Compiled set of functions. Points are rows: entry i of point k is at [k * size + i].
class Batch {
 public:
  /// With `compiled` false an interpreter evaluates the functions, with the same bits: compiling what is evaluated at
  /// few points takes longer.
  Batch(const control::StagePrograms& programs, const std::vector<double>& parameters, bool compiled = true);

  [[nodiscard]] std::size_t inputs() const { return values_.kernel.variables(); }
  [[nodiscard]] std::size_t functions() const { return values_.kernel.outputs(); }
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
  /// A kernel whose inputs and outputs are multiplied by factors.
  struct Function {
    kernel::Kernel kernel;
    std::vector<double> in;
    std::vector<double> out;
  };
  void run(const Function& function, std::span<const double> points, std::span<double> out) const;

  std::vector<double> parameters_;  ///< repeated for each lane
  Function values_;
  Function jacobian_;
  Function hessian_;
  kernel::Pattern jacobian_places_;
  kernel::Pattern hessian_places_;
};

}  // namespace herglotz::solve
