#include "motion/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "motion/fill_sample.hpp"

namespace herglotz::integrate {

std::string describe(const Dynamics& dynamics, double t, std::span<const double> state) {
  std::string text = fmt::format("{} = {:.9g}", dynamics.time, t);
  if (dynamics.names.size() == state.size()) {
    for (std::size_t i = 0; i < state.size(); ++i) text += fmt::format(", {} = {:.6g}", dynamics.names[i], state[i]);
    return text;
  }
  const auto x = state.subspan(0, dynamics.n);
  const auto w = state.subspan(dynamics.n, dynamics.r);
  if (!x.empty()) text += fmt::format(", x = ({:.6g})", fmt::join(x, ", "));
  if (!w.empty()) text += fmt::format(", w = ({:.6g})", fmt::join(w, ", "));
  text += fmt::format(", z = {:.6g}", state[dynamics.n + dynamics.r]);
  const auto nu = state.subspan(dynamics.n + dynamics.r + 1);
  return nu.empty() ? text : text + fmt::format(", nu = ({:.6g})", fmt::join(nu, ", "));
}

void conclude(Outcome& outcome, const Dynamics& dynamics, const Stop& stop, double t, std::span<const double> state) {
  outcome.t = t;
  outcome.state.assign(state.begin(), state.end());
  leave_unknown(dynamics.motion, outcome.state);
  if (outcome.status != Status::success) return;
  outcome.status = stop.status;
  if (stop.status == Status::success || stop.status == Status::cancelled) return;
  outcome.reason = {fmt::format("{} at {}", stop.reason.problem, describe(dynamics, t, state)), stop.reason.remedy};
}

}  // namespace herglotz::integrate
