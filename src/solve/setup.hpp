#pragma once
/// Problem with numbers, which every part of the solver reads.

#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/first_order.hpp"
#include "path.hpp"
#include "scale/path_independent_cost.hpp"
#include "scale/units.hpp"
#include "stage/batch.hpp"

namespace herglotz::solve {

/// Choice whether the states of a setup have the cost that all paths have in common, or are without it.
enum class PathIndependentCosts { kept, taken };

struct Setup {
  /// Derives and compiles the conditions of the problem. Throws Refused if the problem is not well posed.
  explicit Setup(const control::Problem& problem, PathIndependentCosts independent_costs = PathIndependentCosts::kept);

  /// Returns the problem with all its values divided by units; its sizes are 1.
  [[nodiscard]] Setup divided_by(const Units& units) const;

  [[nodiscard]] std::size_t d() const { return form.v.size(); }
  [[nodiscard]] std::size_t m() const { return form.w.size(); }
  [[nodiscard]] std::size_t equations() const { return form.equations.size(); }
  [[nodiscard]] std::size_t along() const { return form.equations.size() + form.inequalities.size(); }
  [[nodiscard]] std::size_t conditions() const { return ends.functions() - 1; }
  [[nodiscard]] bool has_bounds() const;
  /// Returns whether the Hamiltonian is linear in a control, so that the control jumps from bound to bound.
  [[nodiscard]] bool is_linear(std::size_t control) const;
  /// Returns whether the Hamiltonian is linear in a control with other controls in its terms, as in both of u w.
  [[nodiscard]] bool is_coupled(std::size_t control) const;
  /// Returns the bound that the value `u` of a control has reached, with a margin relative to its range, or Hold::free.
  [[nodiscard]] Hold hold_of(std::size_t control, double u, double margin) const;
  /// Returns the value of the bound that a control is held at; `hold` is not `Hold::free`.
  [[nodiscard]] double bound(std::size_t control, Hold hold) const {
    return hold == Hold::lower ? lower[control] : upper[control];
  }
  /// Moves the held controls among the algebraic variables w to their bounds.
  void keep(const std::vector<Hold>& held, Values& w) const;
  /// Returns the stage functions of the transcription: those of steps by a group if the method is one.
  [[nodiscard]] const Batch& transcribed() const { return by_group ? *by_group : stage; }
  [[nodiscard]] bool is_bounded(std::size_t control) const;
  /// Returns whether Newton's method alone may suffice.
  [[nodiscard]] bool is_smooth() const { return !has_bounds() && form.inequalities.empty(); }
  [[nodiscard]] Values parameters() const;
  /// Returns the value of an expression of the model in the parameters.
  [[nodiscard]] double value(control::Expr expression) const;

  const control::Problem& problem;
  control::FirstOrder form;
  PathIndependentCost independent;  ///< is added to zeta, the last state, of the model; in its units
  Batch stage;
  Batch ends;
  std::optional<Batch> by_group;  ///< for direct-lie-2
  double sign = 1;                ///< sign of the cost in the minimised function
  Values lower;                   ///< bounds of w
  Values upper;
  std::vector<std::optional<double>> initial;  ///< initial values of v; `std::nullopt` if free
  std::vector<std::optional<double>> final;
  double t0 = 0;
  std::optional<double> duration;
  double shortest = 0;
  double longest = 0;
  Units units;  ///< by which the values of the model were divided: 1 unless the setup is a result of `divided_by`
  Units sizes;  ///< of the values of the setup
};

}  // namespace herglotz::solve
