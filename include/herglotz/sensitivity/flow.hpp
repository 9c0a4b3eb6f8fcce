#pragma once
/// The flow of a system, with its derivatives by the start and by the parameters.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/sensitivity/system.hpp"

namespace herglotz::sensitivity {

struct FlowOptions {
  double tolerance = 1e-13;        ///< the tolerance of the error of a step relative to the sizes of the states
  std::vector<double> sizes{};     ///< sizes of the states; empty: max(|x|, 1)
  bool derivatives = true;         ///< whether the derivatives of the flow are computed
  std::size_t most_steps = 10000;  ///< the largest number of attempted steps
};

/// The end of a piece of the flow.
struct FlowEnd {
  std::vector<double> x;
  std::vector<double> w;
  std::vector<double> by_start;       ///< dx/dx_0 (n x n), column by column
  std::vector<double> by_parameters;  ///< dx/dtheta (n x k), column by column
  std::vector<double> error;          ///< the sum of the estimated local errors of each state, all >= 0
  std::size_t steps = 0;
};

/// Returns the flow from `start` to the time `end`, which may be earlier. start.w is a guess. The steps are those of
/// the pair of orders 8 and 7 of Prince and Dormand; w is solved for at every stage by Newton's method. The derivatives
/// are those of the computed steps, by the variational equations: with D = f_x - f_w g_w^-1 g_x each stage has dX = D
/// X. Returns `std::nullopt` if g does not determine w, a value is not finite, or the steps are too many.
std::optional<FlowEnd> flow(const FirstOrderSystem& system, const EvaluationPoint& start, double end,
                            const FlowOptions& options = {});

/// Returns w with g = 0 at a place whose w is a guess, or `std::nullopt` if g does not determine w there.
std::optional<std::vector<double>> algebraic_variables(const FirstOrderSystem& system, const EvaluationPoint& at);

}  // namespace herglotz::sensitivity
