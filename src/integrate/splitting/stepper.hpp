#pragma once
/// Compositions of a symmetric explicit step: contact splitting methods, and Lobatto IIIA-IIIB of order 2.

#include <span>
#include <string>
#include <vector>

#include "drive/fixed_step.hpp"
#include "herglotz/integrate/explicit_kernels.hpp"
#include "motion/run.hpp"

namespace herglotz::integrate {

/// Stepper whose substeps have the sizes composition[k] * h, in this order. It carries (x, p, z), the log of the
/// integrating factor R and the budgets. Laws without a source decay with 1/R. For the others each substep adds the
/// trapezoidal rule, g1 = sigma (g0 + h/2 source(0)) + h/2 source(1), which has the order of the composition.
class ExplicitStepper final : public FixedStepper {
 public:
  /// Throws Refused if the step is empty. `step` and `composition` must outlive this.
  ExplicitStepper(const Run& run, const ExplicitKernels& step, std::span<const double> composition);

  Status start() override;
  Status step(double t, double h) override;
  Status advance(double t0, double h, std::size_t first, std::size_t count, std::size_t& done) override;
  Status sample(double t, Sample& sample) override;
  [[nodiscard]] std::unique_ptr<FixedStepper> copy() const override { return std::make_unique<ExplicitStepper>(*this); }
  void follow(const FixedStepper& other) override;
  [[nodiscard]] std::span<const double> last_state() override;
  [[nodiscard]] const Reason& reason() const override { return reason_; }
  [[nodiscard]] std::size_t newton_iterations() const override { return 0; }

 private:
  void set_step(double h);
  void take(std::size_t first, std::size_t count, double t0);
  [[nodiscard]] double log_factor() const { return sums_[carried_ + 2 * driven_]; }
  /// Returns (x, p, z, t) for the kernels that read it.
  const double* at_time(double t);
  void recover_velocity(double t);
  [[nodiscard]] bool is_finite() const;
  void explain(double t, double h);

  const Run& run_;
  const ExplicitKernels& step_;
  std::span<const double> composition_;
  std::size_t n_;
  std::size_t carried_;  // (x, p, z)
  std::size_t driven_;   // laws with a source
  double h_ = 0;
  std::vector<double> substeps_;  // time from the start of the step, size and constants of each
  std::vector<double> starts_;    // start of each substep, as a fraction of h
  std::vector<double> sums_;      // (x, p, z, g, s, log R), then their low-order parts
  std::vector<double> before_;
  std::vector<double> initial_budgets_;
  std::vector<double> last_state_;  // (x, w, z)
  std::vector<double> u_;           // (x, p, z, t)
  std::vector<double> out_;
  std::vector<double> work_;
  Reason reason_;
};

/// Computes a run with such steps. Throws as ExplicitStepper does.
Outcome run_explicit(const Run& run, const ExplicitKernels& step, std::span<const double> composition);

}  // namespace herglotz::integrate
