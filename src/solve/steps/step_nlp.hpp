#pragma once
/// Discrete mechanics as constraints of a nonlinear programme. Theory: docs/solve.md.

#include <optional>
#include <vector>

#include "herglotz/control/discrete_step.hpp"
#include "herglotz/optimise/minimise.hpp"
#include "path.hpp"
#include "stage/batch.hpp"

namespace herglotz::solve {

/// Inputs of the programme, with numbers.
struct StepProblem {
  const Batch& step;
  const Batch& ends;
  std::size_t d = 0;  ///< size of v
  std::size_t m = 0;  ///< size of w
  std::size_t intervals = 0;
  double sign = 1;
  double t0 = 0;
  std::optional<double> duration{};
  double shortest = 0;
  double longest = 0;
  std::vector<std::optional<double>> initial{};
  std::vector<std::optional<double>> final{};
  Values lower{};  ///< bounds of w
  Values upper{};
};

/// Nonlinear programme of a discrete path. Its unknowns are v_0, w_0, v_1, .., v_N, and T if it is free. With mu_k the
/// multipliers of residual k, the costates are P_{k+1} = -(d residual_k/d v_{k+1})^T mu_k and P_0 = (d residual_0/d
/// v_0)^T mu_0.
class StepNlp : public optimise::Nlp {
 public:
  explicit StepNlp(const StepProblem& problem);

  [[nodiscard]] const std::vector<double>& lower() const override { return lower_; }
  [[nodiscard]] const std::vector<double>& upper() const override { return upper_; }
  [[nodiscard]] const std::vector<double>& g_lower() const override { return zero_; }
  [[nodiscard]] const std::vector<double>& g_upper() const override { return zero_; }
  [[nodiscard]] double objective(std::span<const double> x) override;
  void gradient(std::span<const double> x, std::span<double> values) override;
  void constraints(std::span<const double> x, std::span<double> values) override;
  [[nodiscard]] const optimise::Places& jacobian_places() const override { return jacobian_places_; }
  void jacobian(std::span<const double> x, std::span<double> values) override;
  [[nodiscard]] const optimise::Places& hessian_places() const override { return hessian_places_; }
  void hessian(std::span<const double> x, double weight, std::span<const double> mu, std::span<double> values) override;
  [[nodiscard]] optimise::Chain chain() const override;

  [[nodiscard]] std::size_t node(std::size_t k) const { return k * (p_.d + p_.m); }
  [[nodiscard]] double duration(std::span<const double> x) const { return p_.duration ? *p_.duration : x.back(); }
  /// Returns P at the nodes 0..N.
  [[nodiscard]] std::vector<Values> costates(const optimise::PrimalDualPoint& at) const;

 private:
  struct Contribution {
    std::size_t source;
    double factor;
  };
  /// Unknown of a variable of a step, and its factor; h and t are parts of T. The index is the size of x if there is no
  /// unknown.
  struct Part {
    std::size_t unknown;
    double factor;
  };
  [[nodiscard]] Part part(std::size_t k, std::size_t variable) const;
  [[nodiscard]] Part end_part(std::size_t variable) const;
  void add_product(const Part& a, const Part& b, bool same, std::size_t source, std::vector<Contribution>& to);
  [[nodiscard]] std::vector<double> points(std::span<const double> x) const;
  [[nodiscard]] std::vector<double> end_point(std::span<const double> x) const;

  StepProblem p_;
  std::size_t rows_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> zero_;
  optimise::Places jacobian_places_;
  std::vector<Contribution> jacobian_step_;
  std::vector<Contribution> jacobian_ends_;
  optimise::Places hessian_places_;
  std::vector<Contribution> hessian_step_;
  std::vector<Contribution> hessian_ends_;
};

}  // namespace herglotz::solve
