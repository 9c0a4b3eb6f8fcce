#include "hybrid/course.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <tuple>

#include "herglotz/error.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "hybrid/accumulation.hpp"
#include "hybrid/booking.hpp"
#include "hybrid/openings.hpp"
#include "hybrid/part_ends.hpp"
#include "hybrid/rows_to_come.hpp"
#include "hybrid/sliding.hpp"
#include "hybrid/strike.hpp"

namespace herglotz::simulate {
namespace {

using Indices = std::vector<std::size_t>;

/// Largest gap, relative to the size of its terms, at which surfaces touch.
constexpr double touching = 1e-9;

bool contains(const Indices& list, std::size_t k) {
  return std::find(list.begin(), list.end(), k) != list.end();
}

class Follower {
 public:
  Follower(const Course& course, const Start& start, const integrate::Settings& settings)
      : course_(course),
        system_(course.system),
        here_(start),
        settings_(settings),
        span_(std::abs(settings.t_end - start.t0)),
        jumps_(mechanics::jumps_of(course.system)),
        accumulation_(span_),
        openings_(settings) {
    const Motion& free = course.motion({});
    whole_.made.columns = free.rows.columns();
    for (const auto& event : system_.events) whole_.made.events.push_back({event.name, free.rows.columns()});
    list_rows(settings_, here_.t0);
  }

  Pass operator()() {
    try {
      touch_at_start();
      while (part()) {
      }
    } catch (const Failed& failed) {
      fail(failed);
    }
    return std::move(whole_);
  }

 private:
  /// Makes the run up to the next jump, and the jump. Returns false at the end of the run.
  bool part() {
    const Motion& motion = settled_motion();
    keep_rows_after(settings_, here_.t0, span_);
    const std::vector<double> before = values(motion, {});
    const double begun = here_.t0;
    integrate::Sample last;
    Pass pass = follow_part(motion, here_, settings_, carried_, choice(motion), course_.tick, last);
    append(whole_.made, std::move(pass.made));
    whole_.broken = std::move(pass.broken);
    join(pass.outcome);
    const auto& outcome = whole_.outcome;
    if (outcome.status != integrate::Status::success || !outcome.stopped_by || !whole_.broken.empty()) return false;
    const std::size_t event = *outcome.stopped_by;
    here_ = {last.t, last.state, std::nullopt};
    if (event == system_.events.size()) return pass_edge(motion), true;
    const PartEnds ends{last.t - begun, rounding_of_time(), before, values(motion, last.multipliers)};
    const Indices crossings = crossings_at(event, ends);
    const bool opens = contains(contacts_, event);
    const auto changes = [&](std::size_t k) { return mechanics::changes_state(system_.events[k]); };
    if (ends.duration > ends.instant) passed_.clear();
    jump(motion, last, crossings, ends.instant);
    if (std::none_of(crossings.begin(), crossings.end(), changes)) return false;
    const auto stops = std::find_if(crossings.begin(), crossings.end(),
                                    [&](std::size_t k) { return system_.events[k].stop && !(opens && k == event); });
    const double rounding = 64 * std::numeric_limits<double>::epsilon() * std::max(std::abs(here_.t0), span_);
    whole_.outcome.stopped_by.reset();
    if (stops == crossings.end() && std::abs(settings_.t_end - here_.t0) > rounding) return true;
    // The run ends here, after one more row.
    settings_.t_end = here_.t0;
    settings_.schedule = {};
    Pass end = follow_part(settled_motion(), here_, settings_, carried_, {}, course_.tick, last);
    append(whole_.made, std::move(end.made));
    join(end.outcome);
    if (stops != crossings.end()) whole_.outcome.stopped_by = *stops;
    return false;
  }

  /// Goes on behind an edge of surfaces in contact: what they part from flies off, and what they meet is hit.
  void pass_edge(const Motion& motion) {
    whole_.outcome.stopped_by.reset();
    const BehindEdge behind = behind_edge(course_, contacts_, here_, rounding_of_time());
    std::erase_if(contacts_, [&](std::size_t k) { return contains(behind.parted, k) || contains(behind.struck, k); });
    for (const std::size_t k : behind.parted) openings_.open(k, here_.t0);
    for (const std::size_t k : behind.struck) {
      record_last_row(whole_.made, k, 0);
      hit(motion, jump_at(k));
    }
  }

  /// Returns the jump of an event that changes the state.
  [[nodiscard]] const mechanics::Jump& jump_at(std::size_t event) const {
    return *std::find_if(jumps_.begin(), jumps_.end(), [&](const auto& jump) { return jump.event == event; });
  }

  /// Returns the resolution of time.
  [[nodiscard]] double rounding_of_time() const {
    return 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(here_.t0), span_);
  }

  /// Returns the event that ended a part, and the events that happen there too, but for impacts, in the order of the
  /// model.
  [[nodiscard]] Indices crossings_at(std::size_t event, const PartEnds& ends) const {
    Indices crossings{event};
    for (std::size_t k = 0; k < system_.events.size(); ++k) {
      if (k == event || system_.events[k].impact) continue;
      // If the part is no longer than rounding, an event that happened just before it is not due again.
      if (ends.duration <= ends.instant && contains(passed_, k)) continue;
      const bool found = system_.events[k].resets.empty() && has_last_row(whole_.made, k, ends.instant);
      if (found || comes_to_zero(ends, k, system_.events[k].direction)) crossings.push_back(k);
    }
    // The next part would begin with the impacts of this time. A run that ends here has none, so it makes them now.
    const auto stops = [&](std::size_t k) { return system_.events[k].stop; };
    for (std::size_t k = 0; k < system_.events.size() && std::any_of(crossings.begin(), crossings.end(), stops); ++k)
      if (k != event && system_.events[k].impact && !contains(contacts_, k) &&
          comes_to_zero(ends, k, mechanics::Direction::falling))
        crossings.push_back(k);
    std::sort(crossings.begin(), crossings.end());
    return crossings;
  }

  void join(integrate::Outcome part) {
    part.steps += whole_.outcome.steps;
    part.rejected_steps += whole_.outcome.rejected_steps;
    part.newton_iterations += whole_.outcome.newton_iterations;
    if (part.reason.empty()) part.reason = std::move(whole_.outcome.reason);
    whole_.outcome = std::move(part);
  }

  void fail(const Failed& failed) {
    whole_.outcome.status = integrate::Status::not_converged;
    whole_.outcome.reason = {failed.problem(), failed.remedy()};
    whole_.outcome.t = here_.t0;
  }

  /// Returns the choice of events for the next part. Gaps count as open; a function that is still zero has the
  /// sign of its rate.
  WatchChoice choice(const Motion& motion) {
    WatchChoice result{.t0 = here_.t0};
    for (std::size_t k = 0; k < system_.events.size(); ++k) {
      if (contains(contacts_, k))
        result.silent.push_back(k);
      else if (openings_.is_hidden(k))
        result.raised.emplace_back(k, openings_.inaccuracy(size_of_gap(k)));
      else if (system_.events[k].impact)
        result.signs.emplace_back(k, 1);
      else if (contains(passed_, k))
        if (const int sign = sign_of_rate(motion, k); sign != 0) result.signs.emplace_back(k, sign);
    }
    return result;
  }

  /// Returns the sign of the rate of the function of event k if the function is zero but for round-off, else 0.
  int sign_of_rate(const Motion& motion, std::size_t k) {
    constexpr double share = 1e-6;
    constexpr double resolved = 1e-12;
    const double ahead = share * span_;
    integrate::CompiledVectorField field(*motion.dynamics, course_.parameters);
    std::vector<double> rates(field.dimension());
    field(here_.t0, here_.state, rates);
    const double value = values(motion, {})[k];
    const Start start = here_;
    for (std::size_t i = 0; i < rates.size(); ++i) here_.state[i] += ahead * rates[i];
    here_.t0 += ahead;
    const double rate = (values(motion, {})[k] - value) / ahead;
    here_ = start;
    if (rate == 0 && std::abs(value) <= resolved && contains(reset_, k))
      throw Failed(fmt::format("the reset of '{}' at t = {:.9g} leaves its function at zero, where it stays",
                               system_.events[k].name, here_.t0),
                   "let the reset move the state away from there, or give stop = true");
    if (std::abs(value) > std::abs(rate) * resolved * span_) return 0;
    return rate > 0 ? 1 : rate < 0 ? -1 : 0;
  }

  /// Applies the jumps of the crossings to the state, in the order of the events, and records their rows.
  void jump(const Motion& motion, const integrate::Sample& sample, const Indices& crossings, double instant) {
    reset_.clear();
    bool jumped = false;
    for (const std::size_t k : crossings) {
      if (contains(contacts_, k)) {
        yield(motion, k);
        continue;
      }
      std::optional<Landing> landing;
      if (system_.events[k].impact) landing = landing_at(motion, k);
      if (landing && openings_.hide(*landing, here_.t0)) {
        if (has_last_row(whole_.made, k, instant)) remove_last_row(whole_.made, k);
        continue;
      }
      // A jump at this time may have turned the velocities, so that a gap opens.
      if (landing && jumped && !(landing->speed > 0)) continue;
      record_last_row(whole_.made, k, instant);
      jumped = jumped || mechanics::changes_state(system_.events[k]);
      if (!system_.events[k].impact && !contains(passed_, k)) passed_.push_back(k);
      if (!mechanics::changes_state(system_.events[k])) continue;
      if (landing) {
        hit(motion, jump_at(k));
      } else {
        reset(motion, sample, jump_at(k));
        reset_.push_back(k);
      }
      recent_.push_back(k);
      if (recent_.size() > Accumulation::looks) recent_.pop_front();
      if (const auto limit = accumulation_.add(here_.t0, landing)) accumulate(*limit);
    }
  }

  /// Returns an impact as the end of a hop to the state reached.
  [[nodiscard]] Landing landing_at(const Motion& motion, std::size_t impact) const {
    const auto now = values(motion, {});
    return {impact, -rate_of_gap(values_of(now, jump_at(impact)), velocities()), size_of_gap(impact)};
  }

  /// Returns the size of the terms of a gap.
  [[nodiscard]] double size_of_gap(std::size_t impact) const {
    return values_at(course_.gap_sizes, system_, here_, course_.parameters)[impact];
  }

  /// Assigns new values to entries of the state, all at once.
  void reset(const Motion& motion, const integrate::Sample& sample, const mechanics::Jump& jump) {
    const auto before = quantities();
    const std::string& name = system_.events[jump.event].name;
    const auto& resets = system_.events[jump.event].resets;
    const auto now = values(motion, sample.multipliers);
    const auto& names = motion.dynamics->names;
    for (std::size_t i = 0; i < resets.size(); ++i) {
      const double value = now[jump.first + i];
      if (!std::isfinite(value))
        throw Failed(
            fmt::format("the reset '{}' gives {} no finite number at t = {:.9g}", name, resets[i].entry, here_.t0));
      const auto it = std::find(names.begin(), names.end(), resets[i].entry);
      here_.state[static_cast<std::size_t>(it - names.begin())] = value;
    }
    book_change(carried_, name, {before, quantities()});
  }

  /// Applies the impulse of an impact.
  void hit(const Motion& motion, const mechanics::Jump& jump) {
    const std::string& name = system_.events[jump.event].name;
    const auto before = quantities();
    const auto now = values(motion, {});
    const ImpactValues impact = values_of(now, jump);
    require_coefficients(name, impact);
    const MetGap met{name, now[jump.event], rate_of_gap(impact, velocities()), size_of_gap(jump.event)};
    require_continuous(course_, met, here_, span_);
    const auto blocks = values_at(motion.hessian, *motion.system, here_, course_.parameters);
    const std::span<const double> W = std::span(blocks).first(system_.r() * system_.r());
    // Where closed contacts hold the gap, only rounding lets its surfaces meet.
    if (holds_gap(W, held_rows(motion, contacts_, blocks), impact) && rate_of_gap(impact, velocities()) >= -touching)
      return close({jump.event});
    Strike found;
    try {
      do {
        found = strike(W, held_rows(motion, contacts_, blocks), impact, velocities());
      } while (open_pulled(motion, found.held));
      require_dissipation(found,
                          std::abs(before[0]) + std::abs(before[0] - found.loss + found.drive + found.friction_work));
    } catch (const Failed& failed) {
      throw Failed(fmt::format("the impact '{}' at t = {:.9g}: {}", name, here_.t0, failed.problem()), failed.remedy());
    }
    std::ranges::copy(found.velocity, here_.state.begin() + static_cast<std::ptrdiff_t>(system_.n()));
    openings_.forget(jump.event);
    const Drives drives = drives_in(motion, jump.event, now, found);
    const auto sections =
        motion.sections ? values_at(motion.sections, *motion.system, here_, course_.parameters) : std::vector<double>{};
    book_impact(carried_, name, found, drives, sections, {before, quantities()});
    if (impact.restitution == 0 || !found.moved) close({jump.event});
  }

  /// Returns what moved surfaces add to the energy in an impact: the one that is hit, and those in rest contact, on
  /// which a body has the rate -dg/dt of their gaps. Their share is taken out of the loss of the impact.
  Drives drives_in(const Motion& motion, std::size_t hit, const std::vector<double>& now, Strike& found) const {
    Drives drives;
    if (mechanics::is_driven(system_.events[hit])) drives.emplace_back(system_.events[hit].name, found.drive);
    const auto held = held_contacts(motion, contacts_);
    for (std::size_t row = 0; row < found.held.size(); ++row) {
      if (!held[row] || !mechanics::is_driven(system_.events[*held[row]])) continue;
      drives.emplace_back(system_.events[*held[row]].name,
                          -found.held[row] * values_of(now, jump_at(*held[row])).gap_time);
      found.loss += drives.back().second;
    }
    return drives;
  }

  /// Opens the contacts that an impact would have to hold by a pull. Returns whether there are any.
  bool open_pulled(const Motion& motion, const std::vector<double>& impulses) {
    Indices pulled;
    const auto held = held_contacts(motion, contacts_);
    for (std::size_t row = 0; row < impulses.size(); ++row)
      if (held[row] && impulses[row] < 0) pulled.push_back(*held[row]);
    for (const std::size_t k : pulled) std::erase(contacts_, k);
    return !pulled.empty();
  }

  /// Lets jumps that accumulate become rest contact. Throws Failed if they are not impacts.
  void accumulate(double limit) {
    Indices all(recent_.begin(), recent_.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<std::string> names;
    for (const std::size_t k : all) names.push_back("'" + system_.events[k].name + "'");
    const std::string who = fmt::format("{}", fmt::join(names, ", "));
    if (!std::all_of(all.begin(), all.end(), [&](std::size_t k) { return system_.events[k].impact.has_value(); }))
      throw Failed(fmt::format("the resets of {} accumulate at t = {:.9g}", who, limit),
                   "end the run before, or state the contact in [impacts], which comes to rest");
    // Contacts that closed just before close together with these, as those of a body that comes to rest in a corner do.
    if (!accumulated_ || here_.t0 - *accumulated_ > touching * span_) {
      together_.clear();
      repetitions_ = 0;
    }
    constexpr int most_repetitions = 20;
    if (++repetitions_ > most_repetitions)
      throw Failed(fmt::format("the contacts {} open and close again and again at t = {:.9g}", who, limit));
    accumulated_ = here_.t0;
    together_.insert(all.begin(), all.end());
    close(Indices(together_.begin(), together_.end()));
    accumulation_.restart();
    recent_.clear();
    whole_.notes.push_back(fmt::format("impacts of {} accumulate at t = {:.9g}", who, limit));
  }

  /// Enters rest contact at impacts whose surfaces touch.
  void close(const Indices& some) {
    Indices closed = contacts_;
    for (const std::size_t k : some)
      if (!contains(closed, k)) closed.push_back(k);
    std::sort(closed.begin(), closed.end());
    const std::string& name = system_.events[some.front()].name;
    const auto before = quantities();
    const Motion* motion = nullptr;
    try {
      motion = &course_.motion(closed);
    } catch (const Refused& refused) {
      throw Failed(
          fmt::format("the impacts '{}' come to rest contact at t = {:.9g}, which this run does not follow: {}", name,
                      here_.t0, refused.problem()),
          refused.remedy());
    }
    integrate::Projection on = motion->project(here_, settings_.t_end);
    if (on.status != integrate::Status::success)
      throw Failed(fmt::format("in rest contact at t = {:.9g}, {}", here_.t0, on.reason.problem), on.reason.remedy);
    here_.state = std::move(on.state);
    contacts_ = std::move(closed);
    for (const std::size_t k : contacts_) openings_.forget(k);
    book_change(carried_, name, {before, quantities()});
  }

  /// Returns the motion with the contacts that push.
  const Motion& settled_motion() {
    while (!contacts_.empty()) {
      const Motion& motion = course_.motion(contacts_);
      require_opening(course_, motion, here_, rounding_of_time());
      const auto forces = contact_forces(motion);
      const auto least = std::min_element(forces.begin(), forces.end());
      if (least == forces.end() || !pulls(*least, forces)) return motion;
      yield(motion, contacts_[static_cast<std::size_t>(least - forces.begin())]);
    }
    return course_.motion({});
  }

  /// Lets a contact that would pull give its load to one whose gap depends on the others, or opens it. Of gaps that
  /// depend on each other those that come first carry the load, as the basic variables of a linear programme do:
  /// another choice is one that this time has not seen, so that the search ends.
  void yield(const Motion& motion, std::size_t contact) {
    if (loads_since_ != here_.t0) loads_.clear();
    loads_since_ = here_.t0;
    const Indices idle = motion.idle_contacts();
    loads_.insert(idle);
    std::erase(contacts_, contact);
    openings_.open(contact, here_.t0);
    if (idle.empty()) return;
    Indices last = contacts_;
    last.push_back(contact);
    const Indices then = course_.motion(last).idle_contacts();
    if (contains(then, contact) && !loads_.contains(then)) contacts_ = std::move(last);
  }

  /// Returns the multipliers of the contacts.
  std::vector<double> contact_forces(const Motion& motion) {
    integrate::Sample sample;
    const auto outcome = motion.integrate(here_, settings_,
                                          [&](const integrate::Sample& given) {
                                            sample = given;
                                            return false;  // the first one is enough
                                          },
                                          {});
    if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
      throw Failed(fmt::format("in rest contact at t = {:.9g}, {}", here_.t0, outcome.reason.problem),
                   outcome.reason.remedy);
    std::vector<double> forces(contacts_.size());
    for (std::size_t A = 0; A < motion.equations->m(); ++A)
      if (const auto contact = motion.contact_of(A))
        forces[static_cast<std::size_t>(std::find(contacts_.begin(), contacts_.end(), *contact) - contacts_.begin())] =
            sample.multipliers[A];
    return forces;
  }

  /// Closes the contacts at which the start rests. Throws Failed if it is inside a surface.
  void touch_at_start() {
    const auto now = values(course_.motion({}), {});
    Indices closed;
    for (const auto& jump : jumps_) {
      if (!system_.events[jump.event].impact) continue;
      const ImpactValues impact = values_of(now, jump);
      const double gap = now[jump.event];
      const std::string& name = system_.events[jump.event].name;
      require_coefficients(name, impact);
      if (gap < -touching)
        throw Failed(fmt::format("the start is inside the surface of '{}': its gap is {:.6g}", name, gap),
                     "correct the start, so that no gap is negative");
      if (gap <= touching && std::abs(rate_of_gap(impact, velocities())) <= touching) closed.push_back(jump.event);
    }
    if (closed.empty()) return;
    std::ignore = course_.motion(closed);  // what the run cannot follow is refused before it
    close(closed);
  }

  /// Returns the velocities of the state reached.
  [[nodiscard]] std::span<const double> velocities() const {
    return std::span(here_.state).subspan(system_.n(), system_.r());
  }

  /// Returns the values of all functions of the events at the state reached.
  [[nodiscard]] std::vector<double> values(const Motion& motion, const std::vector<double>& multipliers) const {
    Start point = here_;
    if (!motion.dynamics->differential()) point.state.insert(point.state.end(), multipliers.begin(), multipliers.end());
    return values_at(motion.events, *motion.system, point, course_.parameters);
  }

  /// Returns the quantities of the balance laws at the state reached, that of the energy first.
  [[nodiscard]] std::vector<double> quantities() const {
    const Motion& free = course_.motion({});
    const auto values = values_at(free.dynamics->balance, system_, here_, course_.parameters);
    std::vector<double> result;
    for (std::size_t k = 1; k < values.size(); k += 3) result.push_back(values[k]);
    return result;
  }

  /// Returns the values of an impact, which refer to `now`.
  [[nodiscard]] ImpactValues values_of(const std::vector<double>& now, const mechanics::Jump& jump) const {
    return impact_values(std::span(now).subspan(jump.first), system_.r(),
                         system_.events[jump.event].impact->slip.size());
  }

  const Course& course_;
  const mechanics::System& system_;
  Start here_;
  integrate::Settings settings_;
  double span_;
  std::vector<mechanics::Jump> jumps_;
  Accumulation accumulation_;
  Openings openings_;
  Carried carried_;
  Indices contacts_;                   // impacts in rest contact, those that carry the load first
  std::set<Indices> loads_;            // contacts that carried none, choice by choice, at one time
  std::optional<double> loads_since_;  // that time
  Indices reset_;                      // events whose reset was the last jump
  Indices passed_;                     // events that happened at the time reached, but for impacts
  std::deque<std::size_t> recent_;
  std::optional<double> accumulated_;  // the time at which jumps accumulated last
  std::set<std::size_t> together_;     // the impacts that accumulated there
  int repetitions_ = 0;                // how often they did
  Pass whole_;
};

}  // namespace

Pass follow(const Course& course, const Start& start, const integrate::Settings& settings) {
  return Follower(course, start, settings)();
}

}  // namespace herglotz::simulate
