#pragma once
/// Numbers of the cost that all paths of a problem have in common.

#include <memory>
#include <vector>

#include "herglotz/control/first_order.hpp"

namespace herglotz::solve {

/// Cost off(t) that every path has at time t: d off/dt = c(t) + growth off, and off(t0) = 0. With a constant c it is
/// c (exp(growth (t - t0)) - 1)/growth.
class PathIndependentCost {
 public:
  /// No such cost.
  PathIndependentCost() = default;
  PathIndependentCost(double rate, double growth) : rate_(rate), growth_(growth) {}

  /// Span of time on which exp(-growth (t - begin)) c(t) is a polynomial, to rounding.
  struct Panel {
    double begin;  ///< since the start
    double length;
    double off;                  ///< at the begin
    std::vector<double> values;  ///< of the polynomial at the nodes of Gauss
  };
  /// A cost of panels without gaps, of which there is at least one.
  PathIndependentCost(std::vector<Panel> panels, double growth)
      : growth_(growth), panels_(std::make_shared<const std::vector<Panel>>(std::move(panels))) {}

  /// Returns off at the time `passed` after the start.
  [[nodiscard]] double at(double passed) const;
  /// Returns d off/dt there.
  [[nodiscard]] double rate_at(double passed) const;

 private:
  double rate_ = 0;  ///< c, if there are no panels
  double growth_ = 0;
  std::shared_ptr<const std::vector<Panel>> panels_;
};

/// Removes the terms of control::take_path_independent_terms() from the rate of the cost, and returns what they add to
/// it. They stay there, and the result is zero, if they are not finite or vary too fast for a quadrature.
PathIndependentCost take_path_independent_cost(const control::Problem& problem, control::FirstOrder& form);

}  // namespace herglotz::solve
