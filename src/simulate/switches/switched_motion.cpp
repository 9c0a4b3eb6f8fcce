#include "switches/switched_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/integrate/why_undetermined.hpp"
#include "herglotz/kernel/adaptive_loop.hpp"
#include "switches/slip_direction.hpp"

namespace herglotz::simulate {
namespace {

std::size_t parameters_of(const std::vector<mechanics::Switch>& switches) {
  std::size_t count = switches.size();
  for (const auto& one : switches)
    count += one.plane ? one.plane->parameters.size() : one.change ? one.change->parameters.size() : 0;
  return count;
}

}  // namespace

SwitchedMotion::SwitchedMotion(Laws laws, std::vector<double> parameters, double t0, std::vector<double>& state,
                               double t_end, Steps steps)
    : laws_(std::move(laws)),
      duration_(t_end - t0),
      fixed_steps_(steps == Steps::fixed),
      first_mode_(parameters.size()),
      parameters_(std::move(parameters)) {
  integrate::Reason none;
  law_ = laws_({}, none);
  holds_.assign(switches().size(), mechanics::Hold::none);
  records_.resize(switches().size());
  parameters_.resize(first_mode_ + parameters_of(switches()), 0.0);
  for (std::size_t k = 0; k < switches().size(); ++k)
    if (!switches()[k].rounds) mode(k) = 1;
  // A switch may compare what the ones before it decide.
  for (std::size_t k = 0; k < switches().size(); ++k)
    if (switches()[k].friction) records_[k].greatest = greatest_slip(k, t0, state);
  for (std::size_t k = 0; k < switches().size(); ++k)
    if (switches()[k].plane) aim_along(k, slip(k, t0, state));
  // None that is at rest acts before it is settled.
  for (std::size_t k = 0; k < switches().size(); ++k) {
    const mechanics::Switch& one = switches()[k];
    if (!one.friction) continue;
    const auto [u1, u2] = one.plane ? slip(k, t0, state) : std::array{values(point(t0, state))[one.first_event], 0.0};
    const double size = std::hypot(u1, u2);
    const auto [a1, a2] = slip_rate(k, t0, state);
    // A body at rest may have velocities of rounding alone, however small the others are: its forces change them in no
    // time.
    if (size > 0 && is_now(t0 - size / std::hypot(a1, a2), t0))
      records_[k].greatest = std::max(records_[k].greatest, 2 * size / still);
    const bool slips = size > still * records_[k].greatest;
    if (!slips) mode(k) = idle;
  }
  for (std::size_t k = 0; k < switches().size() && refusal_.empty(); ++k) {
    if (holds_[k] != mechanics::Hold::none) continue;  // settled with one before it
    if (switches()[k].plane) {
      if (!is_slipping(k, t0, state)) refusal_ = settle(k, t0, state);
      continue;
    }
    const double value = values(point(t0, state))[switches()[k].first_event];
    if (switches()[k].rounds)
      begin_between(k, begun(k, value, t0, state), t0, state);
    else if (!switches()[k].friction)
      refusal_ = begin(k, begun(k, value, t0, state), t0, state);
    else if (std::abs(value) > still * records_[k].greatest)
      mode(k) = value > 0 ? 1 : -1;
    else
      refusal_ = settle(k, t0, state);
  }
  if (refusal_.empty()) refusal_ = settle_others(t0, state);
  if (refusal_.empty()) largest_energy_ = energy(t0, state).scale;
}

std::vector<double> SwitchedMotion::point(double t, const std::vector<double>& state) const {
  const integrate::Dynamics& d = *law_.dynamics;
  const std::size_t size = d.n + d.r + 1;
  std::vector<double> v(d.variables(), 0.0);
  std::copy_n(state.begin(), size, v.begin());
  v[size] = t;
  std::copy(state.begin() + static_cast<std::ptrdiff_t>(size), state.end(),
            v.begin() + static_cast<std::ptrdiff_t>(size) + 1);
  return v;
}

std::vector<double> SwitchedMotion::values(const std::vector<double>& v) const {
  std::vector<double> result(functions().outputs());
  std::vector<double> work(functions().work_size());
  functions()(v.data(), parameters_.data(), result.data(), work.data());
  return result;
}

std::vector<double> SwitchedMotion::values_with_multipliers(double t, const std::vector<double>& state) const {
  const integrate::Dynamics& d = dynamics();
  std::vector<double> v = point(t, state);
  std::vector<double> multipliers(d.m);
  integrate::CompiledVectorField(d, parameters_).multipliers(t, state, multipliers);
  std::copy(multipliers.begin(), multipliers.end(), v.end() - static_cast<std::ptrdiff_t>(d.m));
  return values(v);
}

/// Returns the size of the terms of the velocity of a friction, which its round-off is relative to. The velocity is
/// linear in the fibre velocities, and has a term of each.
double SwitchedMotion::greatest_slip(std::size_t k, double t, std::vector<double> state) const {
  const auto& plane = switches()[k].plane;
  const std::size_t first = plane ? plane->first_event : switches()[k].first_event;
  const std::size_t count = plane ? 2 : 1;
  const std::vector<double> whole = values(point(t, state));
  double size = 0;
  for (std::size_t a = 0; a < dynamics().r; ++a) {
    const double velocity = std::exchange(state[dynamics().n + a], 0.0);
    const std::vector<double> without = values(point(t, state));
    state[dynamics().n + a] = velocity;
    for (std::size_t i = first; i < first + count; ++i) size = std::max(size, std::abs(whole[i] - without[i]));
  }
  return size;
}

bool SwitchedMotion::is_now(std::optional<double> then, double t, double share) const {
  return then && std::abs(t - *then) <= share * std::max(std::abs(t), std::abs(duration_));
}

SwitchedMotion::Energy SwitchedMotion::energy(double t, const std::vector<double>& state) const {
  const std::vector<double> v = point(t, state);
  std::vector<double> out(dynamics().balance.outputs());
  std::vector<double> work(dynamics().balance.work_size());
  dynamics().balance(v.data(), parameters_.data(), out.data(), work.data());
  return {out[1], out[2]};
}

std::vector<integrate::Condition> SwitchedMotion::conditions() const {
  std::vector<integrate::Condition> result;
  for (std::size_t k = 0; k < switches().size(); ++k)
    result.insert(result.end(), switches()[k].events(), {switches()[k].text, !records_[k].fresh || is_held(k)});
  return result;
}

integrate::Reason SwitchedMotion::pass(std::size_t condition, double t, std::vector<double>& state) {
  const integrate::Reason why = cross(condition, t, state);
  return why.empty() ? settle_others(t, state) : why;
}

integrate::Reason SwitchedMotion::cross(std::size_t condition, double t, std::vector<double>& state) {
  const std::vector<double> now = values(point(t, state));
  for (std::size_t k = 0; k < switches().size(); ++k)
    records_[k].fresh = records_[k].fresh && !(now[switches()[k].first_event] > 0);
  const std::size_t event = switches().front().first_event + condition;
  const auto holds = [&](const mechanics::Switch& one) { return event < one.first_event + one.events(); };
  const auto it = std::find_if(switches().begin(), switches().end(), holds);
  const auto k = static_cast<std::size_t>(it - switches().begin());
  Record& record = records_[k];
  if (it->plane) record.greatest = std::max(record.greatest, greatest_slip(k, t, state));
  for (std::size_t j = 0; j < switches().size(); ++j)
    if (switches()[j].change) records_[j].greatest = std::max(records_[j].greatest, greatest_slip(j, t, state));
  if (is_held(k) || is_plane_at_rest(k)) {
    const double side = event == it->first_event ? 1 : -1;
    if (const auto together = settle_together(k, t, state)) return *together;
    if (it->plane) {
      slip_off(k, t, state, reserve_of(k, values_with_multipliers(t, state)).force);
    } else if (!exchange(k, side, t, state)) {
      leave(k, side, t);
    }
    return {};
  }
  if (it->plane) return turn(k, event == it->first_event, t, state);
  if (holds_[k] == mechanics::Hold::share)
    if (const auto together = settle_together(k, t, state)) return *together;
  if (it->friction) return come_to_rest(k, t, state);
  const bool again = is_now(record.last, t);
  record.last = t;
  if (again && mechanics::may_slide(*law_.switched, k)) {
    const auto reserve = hold(k, Within::bounds, t, state);
    if (reserve && reserve->holds()) {
      --records_[k].passed;  // it was passed once, to be held
      return {};
    }
  }
  const integrate::Reason why = change(k, event, t, state);
  return why.empty() ? move_onto_constraints(k, t, state) : why;
}

/// Moves a state at which a comparison has changed its outcome onto constraints that have it in them. Returns a reason
/// if that is more than rounding of the place, else an empty one.
integrate::Reason SwitchedMotion::move_onto_constraints(std::size_t k, double t, std::vector<double>& state) {
  const integrate::Dynamics& d = dynamics();
  if (d.m == 0) return {};
  const integrate::Projection on = integrate::project(d, parameters_, t, state);
  if (on.status != integrate::Status::success) return {};  // the next piece says why
  std::vector<double> rates(state.size());
  integrate::CompiledVectorField(d, parameters_)(t, on.state, rates);
  double size = 0;
  double moved = 0;
  for (std::size_t a = d.n; a < d.n + d.r; ++a) {
    size = std::max({size, std::abs(on.state[a]), std::abs(rates[a] * duration_)});
    moved = std::max(moved, std::abs(on.state[a] - state[a]));
  }
  constexpr double equal = 1e-9;
  double place = 0;
  double gone = 0;
  for (std::size_t i = 0; i < d.n; ++i) {
    place = std::max({place, std::abs(on.state[i]), std::abs(rates[i] * duration_)});
    gone = std::max(gone, std::abs(on.state[i] - state[i]));
  }
  if (gone > equal * place)
    return {fmt::format("the constraints jump where '{}' passes {}: places would change by {:.3g}", switches()[k].text,
                        switches()[k].rounds ? "a whole number" : "0", gone),
            "give the constraints one value on both sides"};
  if (moved > equal * size) at_edge_ = law_.contacts;
  if (moved > equal * size)
    return {fmt::format("the constraints jump where '{}' passes {}: velocities would change by {:.3g}",
                        switches()[k].text, switches()[k].rounds ? "a whole number" : "0", moved),
            "give the constraints one value on both sides"};
  state = on.state;
  return {};
}

/// Returns the reserve of the force that holds a switch, from the values of the functions of the motion that it holds.
SwitchedMotion::Reserve SwitchedMotion::reserve_of(std::size_t k, const std::vector<double>& held) const {
  const mechanics::Switch& one = switches()[k];
  const std::size_t first = one.first_event;
  if (!one.plane) return {.forwards = held[first], .backwards = held[first + 1]};
  const std::size_t force = one.plane->first_event + 2;
  return {.forwards = held[first], .backwards = held[first], .force = {held[force], held[force + 1]}};
}

/// Holds the motion where the function of a switch is zero, if the force that this takes may be what it is. Else
/// everything is as it was. Returns `std::nullopt` if the force is not determined, as where constraints leave it no
/// lever.
std::optional<SwitchedMotion::Reserve> SwitchedMotion::hold(std::size_t k, Within within, double t,
                                                            std::vector<double>& state) {
  const PieceLaw before = law_;
  std::optional<Reserve> reserve;
  const mechanics::Hold now = std::exchange(holds_[k], mechanics::Hold::constraint);
  integrate::Reason why_not;
  law_ = laws_(holds_, why_not);
  if (why_not.empty() && dynamics().m >= before.dynamics->m + switches()[k].constraints() &&
      integrate::why_undetermined(dynamics(), parameters_, t, state).empty()) {
    const auto projected = integrate::project(dynamics(), parameters_, t, state);
    if (projected.status == integrate::Status::success) {
      const Reserve found = reserve_of(k, values_with_multipliers(t, projected.state));
      if (std::isfinite(found.forwards) && std::isfinite(found.backwards)) reserve = found;
      if (reserve && (within == Within::any || reserve->holds())) {
        state = projected.state;
        // The functions of a friction are multiplied by its mode, and their derivatives are asked for later.
        if (switches()[k].friction && !switches()[k].plane && mode(k) == idle) mode(k) = 1;
        if (now == mechanics::Hold::none) count_rest(k, t);
        return reserve;
      }
    }
  }
  holds_[k] = now;
  law_ = before;
  return reserve;
}

/// Notes that a switch begins to hold the motion, or to share in that.
void SwitchedMotion::count_rest(std::size_t k, double t) {
  if (records_[k].held++ == 0) records_[k].first = t;
  records_[k].since = t;
}

/// Lets the motion leave the zero set of a function to one of its sides.
void SwitchedMotion::leave(std::size_t k, double side, double t) {
  mode(k) = side;
  records_[k].fresh = true;
  records_[k].left = t;
  records_[k].choose_no_more(t);
  if (holds_[k] == mechanics::Hold::none) return;
  released_ = released_ || is_held(k);
  holds_[k] = mechanics::Hold::none;
  integrate::Reason none;
  law_ = laws_(holds_, none);
}

/// Lets friction whose velocity is zero stick if the force that this takes is within its bounds, and slip else. Where
/// the force is not determined, the motion may carry the velocity through zero. Returns a reason if it does not, else
/// an empty one.
integrate::Reason SwitchedMotion::settle(std::size_t k, double t, std::vector<double>& state) {
  if (const auto together = settle_together(k, t, state)) return *together;
  integrate::Reason why = settle_alone(k, t, state);
  if (!why.empty() || !is_plane_at_rest(k)) return why;
  // It may hold velocities of others that nearly were at rest.
  if (const auto both = both_at_rest(k, t, state); !both.empty())
    if (auto together = settle_group(both, t, state)) return *together;
  return why;
}

/// Settles a friction that depends on none on two velocities at rest, or on two velocities and on none at rest.
integrate::Reason SwitchedMotion::settle_alone(std::size_t k, double t, std::vector<double>& state) {
  const auto reserve = hold(k, may_be_helped(k) ? Within::any : Within::bounds, t, state);
  if (is_held(k)) return {};
  if (!reserve && (is_held_by_others(k, t, state) || is_held_by_contacts(k))) {
    share(k, idle, t);
    return {};
  }
  if (const double carried = reserve ? 0 : side_ahead(k, t, state); carried != 0) {
    leave(k, carried, t);
    return {};
  }
  if (!reserve)
    return fmt::format("the force of the friction on '{}' is not determined where something else holds that velocity",
                       switches()[k].text);
  if (!switches()[k].plane) {
    leave(k, reserve->forwards < 0 ? 1 : -1, t);
    return {};
  }
  slip_off(k, t, state, reserve->force);
  if (is_slipping(k, t, state)) aim_along(k, slip(k, t, state));
  return {};
}

/// Changes the outcome of a comparison. Returns a reason if the energy jumps there, else an empty one.
integrate::Reason SwitchedMotion::change(std::size_t k, std::size_t event, double t, const std::vector<double>& state) {
  const mechanics::Switch& one = switches()[k];
  const Energy before = energy(t, state);
  const std::vector<double> compared = values(point(t, state));
  if (!one.rounds)
    mode(k) = -mode(k);
  else
    mode(k) += event == one.first_event ? -1 : 1;
  ++records_[k].passed;
  change_compared(k, compared, t, state);
  const Energy after = energy(t, state);
  constexpr double equal = 1e-9;
  const double jump = after.value - before.value;
  // The time of the crossing is rounded, so that a decayed energy has small jumps where it is continuous.
  largest_energy_ = std::max({largest_energy_, before.scale, after.scale});
  if (std::abs(jump) <= equal * largest_energy_) return {};
  return {fmt::format("the energy jumps by {:.6g} where '{}' passes {}", jump, one.text,
                      one.rounds ? "a whole number" : "0"),
          "give the Lagrangian one value on both sides"};
}

/// Replaces the multipliers that hold switches by the modes of all frictions and the forces that hold these.
void SwitchedMotion::show(integrate::Sample& sample) const {
  std::size_t held = 0;
  bool has_forces = false;  // among the values of the functions
  for (std::size_t k = 0; k < switches().size(); ++k) {
    held += switches()[k].constraints();
    has_forces = has_forces || switches()[k].plane || switches()[k].hold == mechanics::Hold::share;
  }
  std::size_t frictions = 0;
  for (const auto& one : switches())
    if (one.friction) frictions += one.velocities();
  std::vector<double> now;
  if (has_forces) {
    std::vector<double> v = point(sample.t, {sample.state.begin(), sample.state.end()});
    std::copy(sample.multipliers.begin(), sample.multipliers.end(),
              v.end() - static_cast<std::ptrdiff_t>(sample.multipliers.size()));
    now = values(v);
  }
  std::size_t multiplier = sample.multipliers.size() - held;
  std::vector<double> modes(2 * frictions, 0.0);
  for (std::size_t k = 0; k < switches().size(); ++k) {
    double force = 0;
    if (switches()[k].constraints() > 0) force = sample.multipliers[multiplier];
    multiplier += switches()[k].constraints();
    if (switches()[k].hold == mechanics::Hold::share && !switches()[k].plane) force = now[switches()[k].force_event];
    const auto friction = switches()[k].friction;
    if (!friction) continue;
    if (const auto& plane = switches()[k].plane) {
      modes[*friction] = is_plane_at_rest(k) ? 0.0 : 1.0;
      std::copy_n(now.begin() + static_cast<std::ptrdiff_t>(plane->first_event) + 2, 2,
                  modes.begin() + static_cast<std::ptrdiff_t>(frictions + *friction));
      continue;
    }
    modes[*friction] = holds_[k] == mechanics::Hold::none ? mode(k) : 0.0;
    modes[frictions + *friction] = force;
  }
  sample.multipliers.resize(sample.multipliers.size() - held);
  sample.multipliers.insert(sample.multipliers.end(), modes.begin(), modes.end());
}

std::vector<Passage> SwitchedMotion::passages() const {
  std::vector<Passage> result;
  for (std::size_t k = 0; k < records_.size(); ++k)
    result.push_back({switches()[k].text, switches()[k].friction.has_value(), records_[k].passed, records_[k].held,
                      records_[k].first, records_[k].chosen});
  return result;
}

integrate::Outcome follow_between_switches(const SwitchedMotion::Laws& laws, const std::vector<double>& parameters,
                                           const Start& from, const integrate::Settings& settings,
                                           const integrate::Sink& sink, const integrate::Watch& watch,
                                           std::vector<Passage>& passages) {
  std::vector<double> state = from.state;
  SwitchedMotion pieces(laws, parameters, from.t0, state, settings.t_end,
                        settings.step == 0 ? SwitchedMotion::Steps::chosen : SwitchedMotion::Steps::fixed);
  if (!pieces.refusal().empty()) {
    integrate::Outcome outcome;
    outcome.status = integrate::Status::not_converged;
    outcome.reason = {fmt::format("{} at t = {:.9g}", pieces.refusal().problem, from.t0), pieces.refusal().remedy};
    outcome.t = from.t0;
    outcome.state = from.state;
    return outcome;
  }
  auto outcome = integrate::integrate_pieces(pieces, from.t0, state, settings, sink, watch);
  if (outcome.steps > 0) add(passages, pieces.passages());
  return outcome;
}

integrate::Projection SwitchedMotion::project(const Laws& laws, const std::vector<double>& parameters,
                                              const Start& from, double t_end) {
  std::vector<double> state = from.state;
  SwitchedMotion motion(laws, parameters, from.t0, state, t_end, Steps::chosen);
  if (!motion.refusal_.empty()) return {integrate::Status::not_converged, motion.refusal_, std::move(state), 0};
  // What sticks was moved onto all constraints when it was found to stick.
  if (mechanics::is_held(motion.holds_)) return {integrate::Status::success, {}, std::move(state), 0};
  integrate::Projection on = integrate::project(motion.dynamics(), motion.parameters_, from.t0, state);
  const auto& switches = motion.switches();
  bool turned = on.status != integrate::Status::success;
  for (std::size_t k = 0; k < switches.size() && !turned; ++k) {
    const double value = motion.values(motion.point(from.t0, on.state))[switches[k].first_event];
    const double bound = switches[k].plane ? motion.plane_parameters(k)[3] : 0.0;
    turned = switches[k].friction && !(value + bound > 0);
  }
  if (!turned) return on;
  // Friction would turn round a slip that is as slow as this. Its direction is taken from it as well: without a size
  // the force might still not be a number.
  for (std::size_t k = 0; k < switches.size(); ++k) {
    if (switches[k].friction) motion.mode(k) = 0;
    if (!switches[k].plane) continue;
    const auto plane = motion.plane_parameters(k);
    plane[0] = plane[1] = 0;
    plane[2] = 1;
  }
  return integrate::project(motion.dynamics(), motion.parameters_, from.t0, state);
}

}  // namespace herglotz::simulate
