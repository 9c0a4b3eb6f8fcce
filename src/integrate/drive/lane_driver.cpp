#include "drive/lane_groups.hpp"
#include "drive/lane_stepper.hpp"

namespace herglotz::integrate {

bool follow_groups(const LaneProblem& problem, std::size_t width, std::size_t parameters, const MakeLaneStepper& make) {
  return LaneGroups<LaneStepper>(problem.dynamics, width, parameters, make, problem.settings, problem.runs)();
}

}  // namespace herglotz::integrate
