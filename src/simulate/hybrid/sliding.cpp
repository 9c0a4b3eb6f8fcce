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

}  // namespace herglotz::simulate
