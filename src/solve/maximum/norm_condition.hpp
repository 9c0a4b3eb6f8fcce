#pragma once
/// The maximum condition of controls whose norm is in the cost, in closed form.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "herglotz/control/magnitudes.hpp"
#include "maximum/hamiltonian.hpp"

namespace herglotz::solve {

/// Controls u in which K = K(o) + g (u - o) + w |u - o| with the norm |v| = sqrt(v^T Q v), and |u - o| <= c. Its least
/// value is K(o) + min(0, c (w - |g|*)) with the dual norm |g|* = sqrt(g^T Q^-1 g): the controls are o where the
/// costates g are in the ball |g|* <= w, and at the limit, against g, where they are outside.
class NormCondition {
 public:
  NormCondition(const control::FirstOrder& form, const std::vector<symbolic::Expr>& symbols,
                const control::Magnitude& norm, const control::Problem& problem);

  [[nodiscard]] const std::vector<std::size_t>& controls() const { return controls_; }

  struct Best {
    double fall = 0;     ///< of K from the controls of the stage to the best ones
    double terms = 0;    ///< sum of the sizes of the terms of the change
    Eigen::VectorXd at;  ///< the best controls
  };
  [[nodiscard]] Best best(const StageValues& stage) const;

 private:
  std::vector<symbolic::Expr> symbols_;
  std::vector<symbolic::Expr> slopes_;  ///< of each rate and equation by the norm, then by each control
  std::vector<std::size_t> controls_;
  std::size_t first_ = 0;  ///< place of the first control among the symbols
  std::size_t rates_ = 0;
  std::size_t functions_ = 0;
  Eigen::VectorXd offset_;
  Eigen::MatrixXd Q_;
  double longest_;
};

/// Returns the conditions of the norms for which a problem has magnitudes.
std::vector<NormCondition> norm_conditions(const control::Problem& problem, const control::FirstOrder& form,
                                           const std::vector<symbolic::Expr>& symbols);

}  // namespace herglotz::solve
