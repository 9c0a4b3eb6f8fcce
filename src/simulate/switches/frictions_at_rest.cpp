#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/integrate/why_undetermined.hpp"
#include "switches/rest_programmes.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

/// Force, relative to its bounds, by which rounding may put it beyond them.
constexpr double round_off = 1e-9;

}  // namespace

/// Returns whether a friction that has begun to slip goes the other way. Rounding decides nothing: the rate is compared
/// with that under friction which acts the other way.
bool SwitchedMotion::goes_back(std::size_t k, double t, const std::vector<double>& state) {
  if (!switches()[k].friction || holds_[k] != mechanics::Hold::none || !records_[k].fresh) return false;
  const bool plane = switches()[k].plane.has_value();
  if (plane && is_slipping(k, t, state)) return false;  // it becomes slower, which ends its piece
  if (plane) {
    // One without a force, as on a foot that carries no load, goes where the others let it.
    const std::vector<double> now = values_with_multipliers(t, state);
    double most = 0;
    for (const mechanics::Switch& one : switches())
      if (one.plane) most = std::max(most, now[one.plane->first_event + 4]);
    if (!(now[switches()[k].plane->first_event + 4] > least_radius * most)) return false;
  }
  const std::span<double> turned = plane ? plane_parameters(k).first(2) : std::span(&mode(k), 1);
  const std::array<double, 2> along{plane ? turned[0] : 1.0, plane ? turned[1] : 0.0};
  const auto rate = [&] {
    const auto [a1, a2] = slip_rate(k, t, state);
    return a1 * along[0] + a2 * along[1];
  };
  const double now = rate();
  for (double& part : turned) part = -part;
  const double against = plane ? rate() : -rate();  // the function of one velocity has the sign of its mode
  for (double& part : turned) part = -part;
  return now < -resolved * std::abs(against - now);
}

/// Returns whether a friction sticks which takes more than it can hold, by more than rounding.
bool SwitchedMotion::is_overloaded(std::size_t k, double t, const std::vector<double>& state) const {
  if (!switches()[k].friction || !(is_held(k) || is_plane_at_rest(k))) return false;
  const Reserve reserve = reserve_of(k, values_with_multipliers(t, state));
  const double least = std::min(reserve.forwards, reserve.backwards);
  return least < -round_off * reserve.scale();
}

/// Settles a friction on one velocity that has come to zero, with all others that are zero at that time. None of them
/// acts before it is settled: those on one velocity would push each other.
integrate::Reason SwitchedMotion::come_to_rest(std::size_t k, double t, std::vector<double>& state) {
  std::vector<std::size_t> resting{k};
  for (std::size_t j = 0; j < switches().size(); ++j) {
    const mechanics::Switch& one = switches()[j];
    if (j == k || !one.friction || one.plane || holds_[j] != mechanics::Hold::none || is_now(records_[j].left, t))
      continue;
    const double rate = slip_rate(j, t, state)[0];
    const double value = values(point(t, state))[one.first_event];
    if (value == 0 || (rate != 0 && is_now(t - value / rate, t))) resting.push_back(j);
  }
  for (const std::size_t j : resting) mode(j) = idle;
  for (const std::size_t j : resting)
    if (const integrate::Reason why = settle(j, t, state); !why.empty()) return why;
  return {};
}

/// Returns whether the force of a friction is not determined because other frictions hold its velocity: it would be
/// without them.
bool SwitchedMotion::is_held_by_others(std::size_t k, double t, const std::vector<double>& state) const {
  if (switches()[k].plane) return false;
  bool others = false;
  mechanics::Holds alone = holds_;
  for (std::size_t j = 0; j < switches().size(); ++j) {
    if (!switches()[j].friction) continue;
    others = others || (j != k && is_held(j));
    alone[j] = j == k ? mechanics::Hold::constraint : mechanics::Hold::none;
  }
  if (!others) return false;
  integrate::Reason why_not;
  const PieceLaw law = laws_(alone, why_not);
  alone[k] = mechanics::Hold::none;
  return why_not.empty() && law.dynamics->m > laws_(alone, why_not).dynamics->m &&
         integrate::why_undetermined(*law.dynamics, parameters_, t, state).empty();
}

/// Returns whether contacts at rest hold the velocity of a friction whose force is not determined. They press then,
/// whatever the friction does, and carry the load without it; once they would pull they open, and the friction holds
/// again.
bool SwitchedMotion::is_held_by_contacts(std::size_t k) const {
  return !switches()[k].plane && law_.only_contacts;
}

/// Lets a friction share in what others hold: it acts with a part of the largest force that it may have at rest.
void SwitchedMotion::share(std::size_t k, double part, double t) {
  if (holds_[k] == mechanics::Hold::none) count_rest(k, t);
  mode(k) = part;
  if (switches()[k].change) change_share(k, part, 0, t);
  records_[k].fresh = true;
  records_[k].choose(t);
  holds_[k] = mechanics::Hold::share;
  integrate::Reason none;
  law_ = laws_(holds_, none);
}

/// Returns whether other frictions that are at rest may take a part of the force of one.
bool SwitchedMotion::may_be_helped(std::size_t k) const {
  if (!switches()[k].friction || switches()[k].plane) return false;
  for (std::size_t j = 0; j < switches().size(); ++j) {
    const bool waits = holds_[j] == mechanics::Hold::none && mode(j) == idle;
    if (j != k && switches()[j].friction && !switches()[j].plane && (waits || holds_[j] == mechanics::Hold::share))
      return true;
  }
  return false;
}

/// Lets a friction that holds more than it can, towards a side, have its largest force, and another one on whose share
/// that force depends hold the motion in its place. Returns whether there is such a one: forces of frictions on
/// velocities that depend on each other are determined in sum, as the variables of a linear programme are, of which
/// those between their bounds are as many as there are equations. The force of one that reaches its bound stays there,
/// and one of the others takes its place [CPS92, Sec. 4.2].
bool SwitchedMotion::exchange(std::size_t k, double side, double t, std::vector<double>& state) {
  if (!switches()[k].friction || switches()[k].plane) return false;
  const auto reserve = [&] { return reserve_of(k, values_with_multipliers(t, state)); };
  const Reserve now = reserve();
  for (std::size_t j = 0; j < switches().size(); ++j) {
    if (holds_[j] != mechanics::Hold::share || switches()[j].plane) continue;
    const double part = mode(j);
    bool helps = false;
    for (const double end : {1.0, -1.0}) {
      mode(j) = end;
      helps = helps || (end != part && reserve().towards(side) > now.towards(side) + round_off * now.scale());
    }
    mode(j) = part;
    if (!helps) continue;
    const PieceLaw law = law_;
    const double before = mode(k);
    share(k, side, t);
    if (hold(j, Within::any, t, state)) return true;
    mode(k) = before;
    holds_[k] = mechanics::Hold::constraint;
    law_ = law;
  }
  return false;
}

/// Settles frictions again that have begun to slip from rest and would go back since others have stuck or slipped, or
/// that stick and no longer can: those at rest find their modes together. Returns a reason if they find none, else an
/// empty one. The first one that disagrees changes, as in the least-index method for linear complementarity problems,
/// which ends where the matrix is positive definite [CPS92, Sec. 4.2].
integrate::Reason SwitchedMotion::settle_others(double t, std::vector<double>& state) {
  const std::size_t count = switches().size();
  const auto frictions =
      std::count_if(switches().begin(), switches().end(), [](const auto& one) { return one.friction.has_value(); });
  if (frictions < 2) return {};
  constexpr std::size_t rounds = 8;
  for (std::size_t round = 0; round < rounds * count; ++round) {
    // A friction may neither stick nor slip off while another one is about to come to rest: they are settled together.
    together_ = round < 2 * count ? moment : longer_moment;
    // Those that others no longer hold do it themselves, for now with any force.
    if (std::exchange(released_, false))
      for (std::size_t j = 0; j < count; ++j)
        if (holds_[j] == mechanics::Hold::share && !switches()[j].plane) hold(j, Within::any, t, state);
    std::size_t k = 0;
    while (k < count && !is_overloaded(k, t, state) && !goes_back(k, t, state)) ++k;
    if (k == count) {
      together_ = moment;
      return {};
    }
    if (const auto together = settle_together(k, t, state)) {
      if (!together->empty()) return *together;
      continue;
    }
    if (is_held(k)) {
      const double side = reserve_of(k, values_with_multipliers(t, state)).forwards < 0 ? 1 : -1;
      if (!switches()[k].plane && exchange(k, side, t, state)) continue;
      leave(k, side, t);
      if (records_[k].since == t) --records_[k].held;
      if (!switches()[k].plane) continue;
    }
    const integrate::Reason why = settle(k, t, state);
    if (!why.empty()) return why;
  }
  return {"which of the frictions that are at rest slip, and where to, is not determined",
          "let one of them have a velocity at the start, or make their bounds unequal"};
}

}  // namespace herglotz::simulate
