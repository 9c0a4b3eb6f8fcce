#pragma once
/// Direct transcription by collocation. Theory: docs/solve.md.

#include <vector>

#include "collocation.hpp"
#include "herglotz/optimise/minimise.hpp"
#include "path.hpp"
#include "setup.hpp"

namespace herglotz::solve {

/// Nonlinear programme of a path. Its unknowns are the nodes v_k, the stages (Y_i, w_i), and the durations of arcs if
/// there are several arcs or T is free. Its constraints in an interval are sum_j D_ij (Y_j - v_k) - sum_j E_ij h F(Y_j,
/// w_j) = 0, v_{k+1} - v_k - sum_j d_j (Y_j - v_k) = 0, C = 0, D <= 0 at the stages; then follow the conditions at the
/// ends, and the sum of the durations if T is given. With mu and lambda_i the multipliers of node and stage equations,
/// P_{k+1} = -mu_k and P_j = -sum_i E_ij lambda_i/b_j obey the adjoint scheme: with Gauss, costates and states are one
/// contact Gauss method; with Lobatto, the pair IIIA-IIIB.
class GaussNlp : public optimise::Nlp {
 public:
  GaussNlp(const Setup& setup, const Collocation& method, const Mesh& mesh);

  [[nodiscard]] const std::vector<double>& lower() const override { return lower_; }
  [[nodiscard]] const std::vector<double>& upper() const override { return upper_; }
  [[nodiscard]] const std::vector<double>& g_lower() const override { return g_lower_; }
  [[nodiscard]] const std::vector<double>& g_upper() const override { return g_upper_; }
  [[nodiscard]] double objective(std::span<const double> x) override;
  void gradient(std::span<const double> x, std::span<double> values) override;
  void constraints(std::span<const double> x, std::span<double> values) override;
  [[nodiscard]] const optimise::Places& jacobian_places() const override { return jacobian_places_; }
  void jacobian(std::span<const double> x, std::span<double> values) override;
  [[nodiscard]] const optimise::Places& hessian_places() const override { return hessian_places_; }
  void hessian(std::span<const double> x, double weight, std::span<const double> mu, std::span<double> values) override;
  [[nodiscard]] optimise::Chain chain() const override;

  /// Returns the unknowns and multipliers of a path, which may be on another mesh of the same arcs.
  [[nodiscard]] optimise::PrimalDualPoint iterate(const Path& path) const;
  [[nodiscard]] Path path(const optimise::PrimalDualPoint& at) const;
  /// Returns the name of a constraint for messages.
  [[nodiscard]] std::string name_of(std::size_t constraint) const;

 private:
  /// Part of a variable of a stage function, which is a sum of unknowns times factors.
  struct Part {
    std::size_t unknown;
    double factor;
  };
  using Parts = std::vector<Part>;
  /// Contribution factor * source to an entry.
  struct Contribution {
    std::size_t source;
    double factor;
  };
  struct Place {
    std::size_t arc;
    std::size_t index;  ///< index among the intervals of the arc
    double sigma;       ///< start as a part of the arc
    double share;       ///< length as a part of the arc
  };

  void number_unknowns();
  void list_jacobian();
  void list_hessian();
  [[nodiscard]] Parts parts(std::size_t interval, std::size_t stage, std::size_t variable) const;
  /// Sets which controls the stages of an interval hold at a bound, and whether a control is at a bound at some stages
  /// only.
  void find_held(Interval& interval, const Place& place) const;
  void list_products(const Parts& a, const Parts& b, bool same, std::size_t source);
  [[nodiscard]] std::size_t node(std::size_t k) const { return k * stride_; }
  [[nodiscard]] std::size_t stage_state(std::size_t k, std::size_t i) const {
    return k * stride_ + setup_.d() + i * (setup_.d() + setup_.m());
  }
  [[nodiscard]] std::size_t row(std::size_t k) const { return k * rows_; }
  [[nodiscard]] std::size_t along_row(std::size_t k, std::size_t i) const {
    return row(k) + (s_ + 1) * setup_.d() + i * setup_.along();
  }
  /// Returns the weight of h F of a stage in a stage equation.
  [[nodiscard]] double rate_weight(std::size_t equation, std::size_t stage) const {
    return method_.E(static_cast<Eigen::Index>(equation), static_cast<Eigen::Index>(stage));
  }
  [[nodiscard]] double duration(std::span<const double> x, std::size_t arc) const;
  [[nodiscard]] double total(std::span<const double> x) const;
  /// Returns the values of (v, w, h, t) at all stages.
  [[nodiscard]] std::vector<double> points(std::span<const double> x) const;
  [[nodiscard]] std::vector<double> end_point(std::span<const double> x) const;

  const Setup& setup_;
  const Collocation& method_;
  Mesh mesh_;
  std::vector<Place> places_;  ///< places of the intervals
  std::size_t s_;
  std::size_t n_ = 0;       ///< intervals
  std::size_t stride_ = 0;  ///< unknowns of an interval
  std::size_t rows_ = 0;    ///< constraints of an interval
  bool free_times_ = false;
  std::size_t first_duration_ = 0;
  std::size_t end_rows_ = 0;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> g_lower_;
  std::vector<double> g_upper_;
  optimise::Places jacobian_places_;
  std::vector<double> jacobian_constants_;    ///< the first entries, which do not change
  std::vector<Contribution> jacobian_stage_;  ///< then the entries of stages
  std::vector<Contribution> jacobian_ends_;   ///< then the entries of the ends
  std::size_t jacobian_tail_ = 0;             ///< then this number of entries 1
  optimise::Places hessian_places_;
  std::vector<Contribution> hessian_stage_;
  std::vector<Contribution> hessian_ends_;
};

}  // namespace herglotz::solve
