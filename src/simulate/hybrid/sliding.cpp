#include "hybrid/sliding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "hybrid/strike.hpp"

namespace herglotz::simulate {
namespace {

double largest_of_fibre(const mechanics::System& system, const std::vector<double>& state) {
  double largest = 0;
  for (std::size_t a = 0; a < system.r(); ++a) largest = std::max(largest, std::abs(state[system.n() + a]));
  return largest;
}

/// Returns the size of the rates of the velocities without contacts.
double largest_rate(const Course& course, const Start& here) {
  integrate::CompiledVectorField field(*course.motion({}).dynamics, course.parameters);
  std::vector<double> rates(field.dimension());
  field(here.t0, here.state, rates);
  return largest_of_fibre(course.system, rates);
}

}  // namespace

void require_opening(const Course& course, const Motion& motion, const Start& here, double instant) {
  constexpr double still = 1e-12;
  const mechanics::System& system = course.system;
  const std::size_t r = system.r();
  const auto now = values_at(course.motion({}).events, system, here, course.parameters);
  const auto blocks = values_at(motion.hessian, *motion.system, here, course.parameters);
  const double rest = std::max(still * largest_of_fibre(system, here.state), instant * largest_rate(course, here));
  for (const auto& jump : mechanics::jumps_of(system)) {
    if (std::ranges::find(motion.contacts, jump.event) == motion.contacts.end()) continue;
    const mechanics::Event& event = system.events[jump.event];
    const ImpactValues impact = impact_values(std::span(now).subspan(jump.first), r, event.impact->slip.size());
    if (std::ranges::none_of(impact.slip, [&](double s) { return std::abs(s) > rest; })) continue;
    std::vector<std::size_t> others = motion.contacts;
    std::erase(others, jump.event);
    if (opening(std::span(blocks).first(r * r), held_rows(motion, others, blocks), impact) > 0) continue;
    throw Failed(fmt::format("the contact '{}' cannot slide on at t = {:.9g}: its friction presses the surfaces "
                             "together more than its force parts them (Painleve's paradox)",
                             event.name, here.t0),
                 "choose a smaller friction, or end the run before");
  }
}

BehindEdge behind_edge(const Course& course, const std::vector<std::size_t>& contacts, Start& here, double instant) {
  constexpr double behind = 64;
  const mechanics::System& system = course.system;
  const Motion& free = course.motion({});
  std::vector<double> rates(here.state.size());
  integrate::CompiledVectorField(*free.dynamics, course.parameters)(here.t0, here.state, rates);
  for (std::size_t i = 0; i < system.n(); ++i) here.state[i] += behind * instant * rates[i];
  const auto now = values_at(free.events, system, here, course.parameters);
  const std::span<const double> velocity = std::span(here.state).subspan(system.n(), system.r());
  constexpr double rounding = 1e-9;
  BehindEdge found;
  for (const auto& jump : mechanics::jumps_of(system)) {
    if (std::ranges::find(contacts, jump.event) == contacts.end()) continue;
    const mechanics::Event& event = system.events[jump.event];
    const ImpactValues impact =
        impact_values(std::span(now).subspan(jump.first), system.r(), event.impact->slip.size());
    double terms = std::abs(impact.gap_time);
    for (std::size_t a = 0; a < system.r(); ++a) terms += std::abs(impact.gap[a] * velocity[a]);
    const double rate = rate_of_gap(impact, velocity);
    if (std::abs(rate) <= rounding * terms) continue;
    (rate > 0 ? found.parted : found.struck).push_back(jump.event);
  }
  return found;
}

void require_continuous(const Course& course, const MetGap& met, const Start& here, double duration) {
  constexpr double located = 1e-6;
  constexpr double rounded = 1e-12;
  double place = 0;
  for (std::size_t i = 0; i < course.system.n(); ++i) place = std::max(place, std::abs(here.state[i]));
  if (std::abs(met.gap) <= located * (met.size + std::abs(met.rate) * duration) + rounded * place) return;
  throw Failed(
      fmt::format("the gap of '{}' jumps to {:.6g} at t = {:.9g}", met.name, met.gap, here.t0),
      "a gap is a distance, and continuous where the motion goes; give each tooth or step a contact of its own");
}

}  // namespace herglotz::simulate
