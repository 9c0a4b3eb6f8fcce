#include "hybrid/motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace herglotz::simulate {
namespace {

void raise(double& largest, double value) {
  if (!std::isnan(largest) && !(value <= largest)) largest = value;
}

using Named = std::vector<std::pair<std::string, double>>;

void raise(Named& largest, const Named& values) {
  for (const auto& [name, value] : values) {
    const auto known = std::find_if(largest.begin(), largest.end(), [&](const auto& one) { return one.first == name; });
    if (known == largest.end())
      largest.emplace_back(name, value);
    else
      raise(known->second, value);
  }
}

/// Returns what is said of a choice of forces that friction is proportional to.
std::string what_depends_on_choice(const Motion& motion) {
  const bool rough = std::ranges::any_of(motion.contacts, [&](std::size_t k) {
    const auto& impact = *motion.system->events[k].impact;
    return !impact.slip.empty() && !impact.friction.is_zero();
  });
  return rough ? "; a motion that slides depends on that choice if it turns, or if frictions differ" : "";
}

/// Returns a sentence about closed contacts whose gaps follow from those of others; empty if there are none.
std::string note_of_choice(const Motion& motion) {
  std::vector<std::string> names;
  for (const std::size_t k : motion.idle_contacts()) names.push_back("'" + motion.system->events[k].name + "'");
  if (names.empty()) return {};
  return fmt::format(
      "the gap of {} follows from those of other closed contacts: only sums of their forces are "
      "determined, and those shown are one of many choices{}",
      fmt::join(names, ", "), what_depends_on_choice(motion));
}

}  // namespace

std::optional<std::size_t> Motion::contact_of(std::size_t A) const {
  const std::size_t own = system->constraints.equations.size() - contacts.size();
  const std::size_t equation = (*independent)[equations->equation[A]];
  return equation < own ? std::nullopt : std::optional(contacts[equation - own]);
}

std::vector<std::size_t> Motion::idle_contacts() const {
  const std::size_t own = system->constraints.equations.size() - contacts.size();
  std::vector<std::size_t> idle;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (std::ranges::find(*independent, own + k) == independent->end()) idle.push_back(contacts[k]);
  std::ranges::sort(idle);
  return idle;
}

std::vector<double> held_rows(const Motion& motion, const std::vector<std::size_t>& contacts,
                              const std::vector<double>& blocks) {
  const std::size_t r = motion.system->r();
  std::vector<double> rows;
  for (std::size_t A = 0; A < motion.equations->m(); ++A) {
    const auto contact = motion.contact_of(A);
    if (contact && std::ranges::find(contacts, *contact) == contacts.end()) continue;
    // Behind W and Phi_y come the rates Phi_w of the constraints: Phi_y may have friction in it.
    const auto row = std::span(blocks).subspan(r * r + (motion.equations->m() + A) * r, r);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

std::vector<std::optional<std::size_t>> held_contacts(const Motion& motion, const std::vector<std::size_t>& contacts) {
  std::vector<std::optional<std::size_t>> result;
  for (std::size_t A = 0; A < motion.equations->m(); ++A) {
    const auto contact = motion.contact_of(A);
    if (!contact || std::ranges::find(contacts, *contact) != contacts.end()) result.push_back(contact);
  }
  return result;
}

bool pulls(double force, const std::vector<double>& forces) {
  double size = 0;
  if (forces.size() > 1)
    for (const double one : forces) size = std::hypot(size, one);
  return force < -pull_by_rounding * size;
}

Pass follow_part(const Motion& motion, const Start& start, const integrate::Settings& settings, Carried& carried,
                 const WatchChoice& choice, const Tick& tick, integrate::Sample& last) {
  RowMaker rows = motion.rows;
  rows.go_on(carried, start.t0, start.state);
  Recorder recorder(std::move(rows));
  EventLog log(*motion.system, motion.events, recorder, choice);
  Pass pass;
  const auto sink = [&](const integrate::Sample& sample) {
    last = sample;
    return recorder.record(sample) && (!tick || tick(sample));
  };
  pass.outcome = motion.integrate(start, settings, sink, log.watch());
  pass.broken = recorder.broken();
  carried = recorder.carried();
  pass.made = std::move(recorder).finish({});
  pass.made.events = std::move(log).finish();
  if (auto note = note_of_choice(motion); !note.empty()) pass.made.facts.notes.push_back(std::move(note));
  return pass;
}

void append(analyse::Trajectory& whole, analyse::Trajectory part) {
  const auto extend = [](std::vector<analyse::Column>& columns, const std::vector<analyse::Column>& more) {
    const std::size_t rows = more.empty() ? 0 : more.front().values.size();
    for (auto& column : columns) {
      const auto same =
          std::find_if(more.begin(), more.end(), [&](const auto& one) { return one.name == column.name; });
      if (same == more.end())
        column.values.resize(column.values.size() + rows, 0.0);
      else
        column.values.insert(column.values.end(), same->values.begin(), same->values.end());
    }
  };
  extend(whole.columns, part.columns);
  for (std::size_t k = 0; k < whole.events.size(); ++k) extend(whole.events[k].columns, part.events[k].columns);
  absorb(whole.facts, part.facts);
}

void absorb(analyse::RunFacts& facts, const analyse::RunFacts& part) {
  // The ledgers of a part go on from those of the part before it.
  facts.largest_energy_residual = part.largest_energy_residual;
  facts.largest_momentum_residuals = part.largest_momentum_residuals;
  facts.largest_dissipated_residuals = part.largest_dissipated_residuals;
  raise(facts.largest_invariants, part.largest_invariants);
  raise(facts.largest_constraint_residual, part.largest_constraint_residual);
  facts.at_round_off = part.at_round_off;
  for (const auto& note : part.notes)
    if (std::find(facts.notes.begin(), facts.notes.end(), note) == facts.notes.end()) facts.notes.push_back(note);
}

}  // namespace herglotz::simulate
