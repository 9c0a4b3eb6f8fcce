#pragma once
/// Values of a model's expressions at its start and around it, without compiling.

#include <span>
#include <vector>

#include "herglotz/mechanics/equations.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Evaluator of expressions of v = (x, w, z, t, l) and the parameters. A multiplier lambda counts as 0; nu has its
/// initial value.
class PointEvaluator {
 public:
  PointEvaluator(const Problem& problem, const mechanics::Equations& equations);

  /// Returns v at the start.
  [[nodiscard]] const std::vector<double>& start() const { return start_; }
  /// Returns `count` points drawn around the start, with a fixed seed.
  [[nodiscard]] std::vector<std::vector<double>> around(std::size_t count) const;
  [[nodiscard]] std::vector<double> operator()(std::span<const symbolic::Expr> f, std::span<const double> v) const;

 private:
  std::vector<symbolic::Expr> symbols_;
  std::vector<double> start_;
  std::vector<double> parameters_;
};

/// Number of points around the start at which statements are tested.
inline constexpr std::size_t sample_points = 16;

/// Returns the largest |f| around the start, relative to the terms it is compared with.
double largest_relative(symbolic::Expr f, std::vector<symbolic::Expr> terms, const PointEvaluator& values);

/// Returns whether symbolic simplification shows that f is zero.
bool vanishes(symbolic::Expr f);

}  // namespace herglotz::simulate
