#include "sensitivity/pieces/jump_slopes.hpp"

#include <algorithm>

#include "herglotz/mechanics/events/jumps.hpp"
#include "hybrid/strike_slopes.hpp"

namespace herglotz::simulate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void reset(const mechanics::Event& event, std::size_t first, std::span<const double> functions,
           std::span<const std::string> names, JumpSlopes& slopes) {
  slopes.by_values = MatrixXd::Zero(slopes.by_state.rows(), static_cast<Index>(event.resets.size()));
  for (std::size_t i = 0; i < event.resets.size(); ++i) {
    const auto entry = std::find(names.begin(), names.end(), event.resets[i].entry) - names.begin();
    slopes.state[static_cast<std::size_t>(entry)] = functions[first + i];
    slopes.by_state.row(entry).setZero();
    slopes.by_values(entry, static_cast<Index>(i)) = 1;
    slopes.values.push_back(first + i);
  }
}

void hit(const mechanics::System& system, const mechanics::Event& event, std::size_t first,
         std::span<const double> functions, JumpSlopes& slopes) {
  const std::size_t n = system.n();
  const std::size_t r = system.r();
  const std::size_t mass = functions.size() - r * r;
  const ImpactValues impact = impact_values(functions.subspan(first), r, event.impact->slip.size());
  const std::vector<double> velocity(slopes.state.begin() + static_cast<std::ptrdiff_t>(n),
                                     slopes.state.begin() + static_cast<std::ptrdiff_t>(n + r));
  const Strike found = strike(functions.subspan(mass), {}, impact, velocity);
  slopes.by_values = MatrixXd::Zero(slopes.by_state.rows(), 0);
  if (!found.moved) return;
  const StrikeSlopes of = strike_slopes(functions.subspan(mass), impact, velocity, found);
  std::copy(found.velocity.begin(), found.velocity.end(), slopes.state.begin() + static_cast<std::ptrdiff_t>(n));
  const auto at = static_cast<Index>(n);
  const auto size = static_cast<Index>(r);
  slopes.by_state.block(at, at, size, size) = of.by_velocity;
  slopes.by_values = MatrixXd::Zero(slopes.by_state.rows(), of.by_values.cols());
  slopes.by_values.middleRows(at, size) = of.by_values;
  for (std::size_t k = 0; k < static_cast<std::size_t>(of.by_values.cols()) - r * r; ++k)
    slopes.values.push_back(first + k);
  for (std::size_t k = 0; k < r * r; ++k) slopes.values.push_back(mass + k);
}

}  // namespace

std::vector<double> JumpSlopes::along(std::span<const double> d_state, std::span<const double> d_functions) const {
  Eigen::VectorXd d_values(by_values.cols());
  for (std::size_t k = 0; k < values.size(); ++k) d_values[static_cast<Index>(k)] = d_functions[values[k]];
  const Eigen::VectorXd result =
      by_state * Eigen::Map<const Eigen::VectorXd>(d_state.data(), by_state.cols()) + by_values * d_values;
  return {result.begin(), result.end()};
}

std::pair<std::vector<double>, std::vector<double>> JumpSlopes::pulled_back(std::span<const double> cotangent) const {
  const Eigen::Map<const Eigen::VectorXd> given(cotangent.data(), by_state.rows());
  const Eigen::VectorXd state_before = by_state.transpose() * given;
  const Eigen::VectorXd of_values = by_values.transpose() * given;
  return {{state_before.begin(), state_before.end()}, {of_values.begin(), of_values.end()}};
}

JumpSlopes jump_slopes(const mechanics::System& system, std::size_t event, std::span<const double> functions,
                       std::span<const std::string> names, std::span<const double> state) {
  const auto size = static_cast<Index>(state.size());
  JumpSlopes slopes{{state.begin(), state.end()}, MatrixXd::Identity(size, size), {}, {}};
  const auto jumps = mechanics::jumps_of(system);
  const auto jump = std::find_if(jumps.begin(), jumps.end(), [&](const auto& one) { return one.event == event; });
  const mechanics::Event& of = system.events[event];
  if (of.impact)
    hit(system, of, jump->first, functions, slopes);
  else
    reset(of, jump->first, functions, names, slopes);
  return slopes;
}

}  // namespace herglotz::simulate
