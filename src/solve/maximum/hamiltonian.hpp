#pragma once
/// K = P.F + kappa.C as a function of some controls, at one stage of a path.

#include <optional>
#include <span>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "maximum/control_functions.hpp"

namespace herglotz::solve {

/// Values of a stage. Those of `symbols` are of (v, w, t, parameters).
struct StageValues {
  std::vector<double> symbols;
  std::span<const double> P;
  std::span<const double> kappa;  ///< of the equations, then of the inequalities
};

/// The equations are linear in the variables that are no controls, with coefficients that depend on no control, and
/// their multipliers make K stationary in these variables. So K with the multipliers of the stage is what it is with
/// the variables that belong to other controls.
class Hamiltonian {
 public:
  /// Takes the controls that vary, by their places, and the sizes of (P, kappa) along the path, in parts of which their
  /// errors are.
  Hamiltonian(const control::FirstOrder& form, std::span<const symbolic::Expr> symbols,
              const std::vector<std::size_t>& controls, const std::vector<double>& sizes);

  void go_to(const StageValues& stage);

  /// Returns whether an inequality of the path depends on the controls.
  [[nodiscard]] bool has_inequalities() const { return !inequalities_.which().empty(); }
  [[nodiscard]] std::size_t operations() const { return rates_.operations() + inequalities_.operations(); }
  /// Returns the values of the controls at the stage.
  [[nodiscard]] const std::vector<double>& controls() const { return here_; }

  struct OnBox {
    Jet K;                                           ///< up to a constant
    Jet lagrange;                                    ///< K + delta.D, which is not above K where D <= 0
    std::array<double, most_coupled> slope_terms{};  ///< of the slopes of K, with the sizes of (P, kappa)
    bool admissible = true;                          ///< false if D > 0 in all of the box
  };
  [[nodiscard]] OnBox on(std::span<const Range> box);

  /// Returns the terms by which K changes from the controls of the stage to others, with the sizes of (P, kappa).
  [[nodiscard]] double terms_of_change(const std::vector<double>& to);
  /// Returns the sum of the sizes of the terms of K at the stage that depend on the controls.
  [[nodiscard]] double terms_here() const;

 private:
  ControlFunctions rates_;
  ControlFunctions inequalities_;
  std::vector<std::size_t> places_;  ///< of the controls among the symbols
  symbolic::Evaluation coefficients_;
  std::size_t equations_;
  std::vector<double> of_rates_;
  std::vector<double> of_inequalities_;
  std::vector<double> mu_;
  std::vector<double> sizes_;  ///< of mu
  std::vector<double> delta_;
  std::vector<double> here_;
  std::vector<double> rates_here_;
  std::vector<double> inequalities_here_;
};

/// Returns the box that has one point only.
std::vector<Range> box_at(const std::vector<double>& point);

}  // namespace herglotz::solve
