#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "herglotz/integrate/counts.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "switches/slip_direction.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

/// A slip in a plane gets a new direction once it is this much slower or faster. Steps of one size along a piece have
/// to resolve its end too, so that their pieces are shorter.
struct PieceBounds {
  double slower = 0;
  double faster = 0;
};
constexpr PieceBounds adaptive_bounds{0.05, 30};
constexpr PieceBounds fixed_bounds{0.25, 4};
/// Largest step of one size, and the longest time with which steps are compared, as shares of the time in which the
/// slip changes by its own size, and of the run.
constexpr double share_of_slip = 0.2;
constexpr double share_of_run = 0.05;
/// Slip, relative to the one at which a direction was taken, below which it has that direction: that of rounding, and
/// from rest a little more.
constexpr double rounded = 1e-14;
constexpr double blurred = 1e-9;
/// Share of the first slip to which one from rest keeps the direction in which it begins. A slip turns at the rate of
/// friction over its size: iterations of steps of one size begin at rest, from where they would find no force that
/// turns in much less than a step, and explicit steps would follow each such turn. The part of the slip across that
/// direction is wrong by the share times the small angle that it has turned by, until friction turns it to its load.
constexpr double unturned = 0.1;
constexpr double unturned_by_chosen_steps = 1e-3;
/// Share of the slip which keeps that direction with chosen steps by which errors of steps may take it backwards. So do
/// symmetric steps of a body that turns already, whose slips at both ends of the first step are not one.
constexpr double backwards = 0.05;
/// Error of a slip in a plane, relative to the slip at which a direction was taken, that steps may have: greater ones
/// would throw the slip to the other side of rest again and again. Errors are not asked to be below those of rounding.
constexpr double slip_error = 1e-2;
constexpr double least_tolerance = 1e-13;

}  // namespace

std::array<double, 2> SwitchedMotion::slip(std::size_t k, double t, const std::vector<double>& state) const {
  const std::vector<double> now = values(point(t, state));
  const std::size_t first = switches()[k].plane->first_event;
  return {now[first], now[first + 1]};
}

bool SwitchedMotion::is_slipping(std::size_t k, double t, const std::vector<double>& state) const {
  const auto [u1, u2] = slip(k, t, state);
  return std::hypot(u1, u2) > still * records_[k].greatest;
}

double SwitchedMotion::tolerance(double asked, std::span<const double> state) const {
  const auto largest = [](std::span<const double> values) {
    double size = 0;
    for (const double value : values) size = std::max(size, std::abs(value));
    return size;
  };
  const double fibre = largest(state.subspan(dynamics().n, dynamics().r));
  const double floor = std::max(kernel::ErrorShares::group * fibre, kernel::ErrorShares::state * largest(state));
  double tolerance = asked;
  for (std::size_t k = 0; k < switches().size(); ++k)
    if (switches()[k].plane && !is_plane_at_rest(k))
      tolerance = std::min(tolerance, slip_error * records_[k].aimed / std::max(records_[k].greatest, floor));
  return std::max(tolerance, std::min(asked, least_tolerance));
}

/// Returns the step of a method of one step size. A slip u turns in times as short as |u| / |du/dt|, so that the steps
/// of a piece have the share of these times that the steps asked for have of a time which is that of the fastest slip:
/// the relative error of the slip is then of the order of the method in every piece, however slow the slip has become.
/// A slip that friction turns towards its load does so in shorter times than it slows down, which steps have to
/// resolve.
double SwitchedMotion::step(double asked, double t, const std::vector<double>& state) const {
  double step = asked;
  for (std::size_t k = 0; k < switches().size(); ++k) {
    if (!switches()[k].plane || is_plane_at_rest(k)) continue;
    const auto [a1, a2] = slip_rate(k, t, state);
    const double rate = std::hypot(a1, a2);
    const Record& record = records_[k];
    // A slip that begins may have no rate yet, and friction turns it nevertheless.
    step = std::min(step, share_of_slip * record.aimed / fastest_rate(k, t, state));
    if (!(rate > 0)) continue;
    const double turns = record.aimed / rate;
    const double unhurried =
        record.unhurried ? *record.unhurried : std::min(share_of_run * std::abs(duration_), record.greatest / rate);
    step = std::min(step, asked * (turns / unhurried));
  }
  return std::max(step, std::min(asked, shortest_step(t)));
}

/// Returns the shortest step of one size: steps have to change the time, and be no more than a run may have.
double SwitchedMotion::shortest_step(double t) const {
  constexpr double least_change = 32 * std::numeric_limits<double>::epsilon();
  return std::max(least_change * (std::abs(t) + std::abs(duration_)), 2 / integrate::most_steps * std::abs(duration_));
}

/// Returns the largest rate that the slip has, along its direction and across it. For a slip of size |u| in the
/// direction a, whose rate is F(a), across is |dF/da|: a slip beside that direction comes back to it in the time |u| /
/// |dF/da|.
double SwitchedMotion::fastest_rate(std::size_t k, double t, const std::vector<double>& state) const {
  constexpr double beside = 0.1;
  const auto [u1, u2] = slip(k, t, state);
  const double angle = std::atan2(u2, u1);
  SwitchedMotion probe(*this);
  const auto rate = [&](double direction) {
    probe.aim(k, direction, {.blur = records_[k].greatest});
    return probe.slip_rate(k, t, state);
  };
  const auto [l1, l2] = rate(angle - beside);
  const auto [r1, r2] = rate(angle + beside);
  const auto [a1, a2] = slip_rate(k, t, state);
  return std::max(std::hypot(a1, a2), std::hypot(r1 - l1, r2 - l2) / (2 * beside));
}

/// Returns whether a slip turns in a shorter time than steps of one size can resolve: they would keep it going from
/// side to side of rest.
bool SwitchedMotion::is_too_slow(std::size_t k, double size, double t, const std::vector<double>& state) const {
  return fixed_steps_ && share_of_slip * size < shortest_step(t) * fastest_rate(k, t, state);
}

/// Gives the slip of a friction on two velocities a direction, and the bounds behind which it gets another one.
void SwitchedMotion::aim(std::size_t k, double angle, const Bounds& bounds) {
  mode(k) = 1;
  const std::span<double> parameters = plane_parameters(k);
  parameters[0] = std::cos(angle);
  parameters[1] = std::sin(angle);
  parameters[2] = std::max(bounds.blur, std::numeric_limits<double>::min());
  parameters[3] = bounds.lower;
  parameters[4] = bounds.upper;
}

/// Gives it the direction that the slip has, until it is slower or faster.
void SwitchedMotion::aim_along(std::size_t k, const std::array<double, 2>& slip) {
  const double size = std::hypot(slip[0], slip[1]);
  const PieceBounds& bounds = fixed_steps_ ? fixed_bounds : adaptive_bounds;
  aim(k, std::atan2(slip[1], slip[0]),
      {.lower = bounds.slower * size, .upper = bounds.faster * size, .blur = rounded * size});
  records_[k].aimed = size;
}

std::span<double> SwitchedMotion::plane_parameters(std::size_t k) {
  const mechanics::SlipPlane& plane = *switches()[k].plane;
  return std::span(parameters_)
      .subspan(first_mode_ + switches().size() + plane.first_parameter, plane.parameters.size());
}

/// Returns the rate of the slip of a friction, whose second part is 0 if it is on one velocity.
std::array<double, 2> SwitchedMotion::slip_rate(std::size_t k, double t, const std::vector<double>& state) const {
  constexpr double share = 1e-7;
  const double h = share * (duration_ == 0 ? 1 : duration_);
  std::vector<double> rates(state.size());
  integrate::CompiledVectorField(dynamics(), parameters_)(t, state, rates);
  std::vector<double> shifted = state;
  for (std::size_t i = 0; i < state.size(); ++i) shifted[i] += h * rates[i];
  const std::vector<double> before = values(point(t, state));
  const std::vector<double> after = values(point(t + h, shifted));
  const auto& plane = switches()[k].plane;
  const std::size_t first = plane ? plane->first_event : switches()[k].first_event;
  return {(after[first] - before[first]) / h, plane ? (after[first + 1] - before[first + 1]) / h : 0.0};
}

/// Lets friction on two velocities slip from rest, which takes more than it can hold: `force`. The slip goes along the
/// direction in which it becomes faster while friction acts against that direction, the nearest one to that of the
/// load.
void SwitchedMotion::slip_off(std::size_t k, double t, const std::vector<double>& state,
                              const std::array<double, 2>& force) {
  leave(k, 1, t);
  const auto rate = [&](double angle) {
    aim(k, angle, {.blur = records_[k].greatest});
    return slip_rate(k, t, state);
  };
  const auto across = [&](double angle) {
    const auto [a1, a2] = rate(angle);
    return a2 * std::cos(angle) - a1 * std::sin(angle);
  };
  const auto ahead = [&](double angle) {
    const auto [a1, a2] = rate(angle);
    return a1 * std::cos(angle) + a2 * std::sin(angle) > 0;
  };
  const double load = std::atan2(-force[1], -force[0]);
  const auto with = rate(load);
  const auto against = rate(load + std::numbers::pi);
  // Where friction just lets go, the slip does not become faster at once, and begins along the load.
  const bool balanced = std::hypot(with[0], with[1]) <= resolved * std::hypot(against[0], against[1]);
  const double angle = balanced ? load : slip_direction(load, across, ahead).value_or(load);
  begin_slip(k, angle, std::hypot(against[0], against[1]));
}

/// Gives a slip that begins at rest its direction, until it is what the given rate soon makes it.
void SwitchedMotion::begin_slip(std::size_t k, double angle, double rate) {
  constexpr double begun = 1e-6;
  const double reached = rate * std::abs(duration_);
  const double soon = begun * std::max(records_[k].greatest, reached);
  // Rounding at the start is not a slip backwards.
  const double rest = std::max(blurred * soon, still * records_[k].greatest);
  const double chosen = std::max(unturned_by_chosen_steps * soon, rest);
  const double back = backwards * chosen;
  if (fixed_steps_) {
    aim(k, angle, {.lower = -std::max(back, rest / 2), .upper = soon, .blur = std::max(unturned * soon, rest)});
    records_[k].aimed = soon;
  } else {
    aim(k, angle, {.lower = -back, .upper = soon, .blur = chosen});
    records_[k].aimed = back;
  }
  const double longest = share_of_run * std::abs(duration_);
  const double known = records_[k].greatest / rate;
  records_[k].unhurried = known > 0 ? std::min(longest, known) : longest;
}

/// Returns whether a slip which becomes slower comes to rest now, but for the round-off of time.
bool SwitchedMotion::stops_now(std::size_t k, double t, const std::vector<double>& state) const {
  const auto [u1, u2] = slip(k, t, state);
  const auto [a1, a2] = slip_rate(k, t, state);
  return u1 * a1 + u2 * a2 < 0 && is_now(t + std::hypot(u1, u2) / std::hypot(a1, a2), t);
}

/// Goes on behind the end of a piece on which a friction on two velocities slips, which has become slower or faster. It
/// gets a new direction, or comes to rest.
integrate::Reason SwitchedMotion::turn(std::size_t k, bool slows, double t, std::vector<double>& state) {
  const auto [u1, u2] = slip(k, t, state);
  const double size = std::hypot(u1, u2);
  const bool again = slows && is_now(records_[k].last, t);
  const bool from_rest = plane_parameters(k)[3] < 0;
  if (slows) {
    records_[k].last = t;
    records_[k].unhurried.reset();
  }
  if (again || size <= still * records_[k].greatest ||
      (slows && (from_rest || stops_now(k, t, state) || is_too_slow(k, size, t, state))))
    return settle(k, t, state);
  aim_along(k, {u1, u2});
  return {};
}

}  // namespace herglotz::simulate
