#include "herglotz/integrate/why_undetermined.hpp"

#include "motion/saddle_point.hpp"

namespace herglotz::integrate {

Reason why_undetermined(const Dynamics& dynamics, std::span<const double> parameters, double t,
                        std::span<const double> state) {
  return singularity(dynamics, parameters, t, state).reason;
}

}  // namespace herglotz::integrate
