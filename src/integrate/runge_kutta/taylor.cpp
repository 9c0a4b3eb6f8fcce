
#include "herglotz/error.hpp"
#include "runge_kutta/loop_solver.hpp"
#include "runge_kutta/methods.hpp"

namespace herglotz::integrate {
Outcome run_taylor(const Run& run, const FinalSet* set) {
  if (!run.dynamics.motion.adaptive)
    throw Refused("method taylor needs the motion compiled with its Taylor polynomials",
                  "give dynamics that have them");
  RightSide right_side(run.dynamics, run.parameters, set);
  const std::vector<double> y0 = right_side.initial(run.t0, run.state);
  const auto why = [&](double t, const std::vector<double>& y) -> std::unique_ptr<AdaptiveSolver> {
    std::vector<double> y_dot(y.size());
    if (!right_side(t, y.data(), y_dot.data())) throw right_side.stop();
    throw Stop{Status::not_finite,
               {"the Taylor polynomials are not finite, or solve for accelerations with too small a pivot",
                "choose the method reference, which exchanges rows"}};
  };
  return follow_with(run, right_side, y0, [&] { return std::make_unique<LoopSolver>(run, right_side, y0, why); });
}

}  // namespace herglotz::integrate
