#pragma once
/// A problem with numbers: what every part of the solver reads.

#include <optional>
#include <string>
#include <vector>

#include "batch.hpp"
#include "herglotz/control/first_order.hpp"
#include "path.hpp"

namespace herglotz::solve {

struct Setup {
  /// Derives and compiles. Throws std::invalid_argument where the problem is not well posed.
  explicit Setup(const control::Problem& problem);

  [[nodiscard]] std::size_t d() const { return form.v.size(); }
  [[nodiscard]] std::size_t m() const { return form.w.size(); }
  [[nodiscard]] std::size_t equations() const { return form.equations.size(); }
  [[nodiscard]] std::size_t along() const { return form.equations.size() + form.inequalities.size(); }
  [[nodiscard]] std::size_t conditions() const { return ends.functions() - 1; }
  [[nodiscard]] bool has_bounds() const;
  /// Whether the Hamiltonian is linear in a control, so that it jumps from bound to bound.
  [[nodiscard]] bool is_linear(std::size_t control) const;
  /// Where a control is by its value, with a margin in parts of its range.
  [[nodiscard]] Hold hold_of(std::size_t control, double u, double margin) const;
  /// The value of an expression in the parameters.
  [[nodiscard]] double value(control::Expr expression) const;

  const control::Problem& problem;
  control::FirstOrder form;
  Batch stage;
  Batch ends;
  double sign = 1;  ///< of the cost in what is minimised
  Values lower;     ///< of w
  Values upper;
  std::vector<std::optional<double>> initial;  ///< of v; free without a value
  std::vector<std::optional<double>> final;
  double t0 = 0;
  std::optional<double> duration;
  double shortest = 0;
  double longest = 0;
};

}  // namespace herglotz::solve
