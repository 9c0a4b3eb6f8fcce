#pragma once
/// Extremals as a system: states and costates with the controls that the maximum condition determines.

#include <Eigen/Core>
#include <vector>

#include "herglotz/sensitivity/flow.hpp"
#include "path.hpp"
#include "setup.hpp"
#include "shooting/singular_arc.hpp"

namespace herglotz::solve {

/// System in x = (v, P) with dv/dt = F, dP/dt = -K_v, and with w = (the algebraic variables that are not held, kappa),
/// which K_w = 0 and C = 0 determine. Inequalities are not active.
class ExtremalSystem : public sensitivity::FirstOrderSystem {
 public:
  /// If `singular` is given, the second rate of dK/du determines its control instead of dK/du = 0, and all others are
  /// held.
  ExtremalSystem(const Setup& setup, const std::vector<Hold>& held, const SingularArc* singular = nullptr);

  [[nodiscard]] std::size_t states() const override { return 2 * setup_.d(); }
  [[nodiscard]] std::size_t algebraic() const override { return free_.size() + setup_.equations(); }
  [[nodiscard]] std::size_t parameters() const override { return 0; }
  void evaluate(const sensitivity::EvaluationPoint& at, std::span<double> values,
                std::span<double> slopes) const override;

  /// Returns w of a stage of a path.
  [[nodiscard]] Values algebraic_of(const Stage& stage) const;
  /// Returns the stage of a path at a place.
  [[nodiscard]] Stage stage_at(const sensitivity::EvaluationPoint& at) const;

  /// Rates at a place with g = 0, and functions on the extremal with their gradients by x.
  struct Facts {
    Eigen::VectorXd rate;  ///< of x
    double K = 0;
    Eigen::VectorXd K_x;
    double K_t = 0;
    Eigen::VectorXd slopes;       ///< dK/dw for all of w
    Eigen::MatrixXd slopes_by_x;  ///< derivatives of these along g = 0
    Eigen::VectorXd slopes_by_t;
  };
  /// Returns `std::nullopt` if w is not determined at (t, x) near the guess `w`, which is updated.
  [[nodiscard]] std::optional<Facts> facts(double t, std::span<const double> x, Values& w) const;

 private:
  const Setup& setup_;
  std::vector<Hold> held_;
  std::vector<std::size_t> free_;
  const SingularArc* singular_;
};

}  // namespace herglotz::solve
