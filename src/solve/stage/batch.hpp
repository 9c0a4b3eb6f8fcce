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
  Batch(const control::StagePrograms& programs, const std::vector<double>& parameters);

  [[nodiscard]] std::size_t inputs() const { return values_.variables(); }
  [[nodiscard]] std::size_t functions() const { return values_.outputs(); }
  [[nodiscard]] const kernel::Pattern& jacobian() const { return jacobian_places_; }
  /// Returns the pattern of the lower triangle of the Hessian by the inputs.
  [[nodiscard]] const kernel::Pattern& hessian() const { return hessian_places_; }

  void values(std::span<const double> points, std::span<double> out) const { run(values_, points, out); }
  void jacobian(std::span<const double> points, std::span<double> out) const { run(jacobian_, points, out); }
  /// Computes the Hessians of mu . functions; each point is followed by its mu.
  void hessian(std::span<const double> points, std::span<double> out) const { run(hessian_, points, out); }

 private:
  void run(const kernel::Kernel& kernel, std::span<const double> points, std::span<double> out) const;

  std::vector<double> parameters_;  ///< repeated for each lane
  kernel::Kernel values_;
  kernel::Kernel jacobian_;
  kernel::Kernel hessian_;
  kernel::Pattern jacobian_places_;
  kernel::Pattern hessian_places_;
};

}  // namespace herglotz::solve
