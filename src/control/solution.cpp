#include "herglotz/control/solution.hpp"

namespace herglotz::control {

std::string word_for(Status status) {
  switch (status) {
    case Status::solved:
      return "solved";
    case Status::infeasible:
      return "infeasible";
    case Status::stopped:
      return "stopped";
    default:
      return "not converged";
  }
}

std::string extremal_of(const SolutionFacts& solution) {
  if (solution.status != Status::solved) return "none";
  return solution.abnormal ? "abnormal" : "normal";
}

}  // namespace herglotz::control
