#include "sensitivity/pieces/smooth_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "herglotz/error.hpp"
#include "herglotz/integrate/pieces.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "sensitivity/pieces/repetition.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {
namespace {

/// Pieces between switches, which are noted as the motion goes through them.
class NotedPieces final : public integrate::Pieces {
 public:
  NotedPieces(SwitchedMotion& motion, std::size_t first_switch, SmoothPiece first, double duration)
      : motion_(motion), first_switch_(first_switch), one_time_(1e-12 * std::abs(duration)) {
    first.parameters.assign(motion.parameters().begin(), motion.parameters().end());
    first.holds = motion.holds();
    noted.push_back(std::move(first));
  }

  [[nodiscard]] const integrate::Dynamics& dynamics() const override { return motion_.dynamics(); }
  [[nodiscard]] std::span<const double> parameters() const override { return motion_.parameters(); }
  [[nodiscard]] const kernel::Kernel& functions() const override { return motion_.functions(); }
  [[nodiscard]] std::vector<integrate::Condition> conditions() const override { return motion_.conditions(); }
  void show(integrate::Sample& sample) const override { motion_.show(sample); }

  integrate::Reason pass(std::size_t condition, double t, std::vector<double>& state) override {
    integrate::Reason reason = motion_.pass(condition, t, state);
    SmoothPiece next{t, state, {parameters().begin(), parameters().end()}, motion_.holds()};
    // A switch that both sides lead back to is passed twice at one time before it holds the motion.
    if (std::abs(t - noted.back().t0) <= one_time_ && next.holds != noted.back().holds && is_again(condition)) {
      next.t0 = noted.back().t0;
      noted.back() = std::move(next);
      return reason;
    }
    noted.back().end = PieceEnd{t, first_switch_ + condition, std::nullopt, false};
    noted.push_back(std::move(next));
    return reason;
  }

  std::vector<SmoothPiece> noted;

 private:
  /// Returns whether the piece that is left began, or the run began, at this switch.
  [[nodiscard]] bool is_again(std::size_t condition) const {
    return noted.size() == 1 || noted[noted.size() - 2].end->function == first_switch_ + condition;
  }

  SwitchedMotion& motion_;
  std::size_t first_switch_;
  double one_time_;
};

/// Follows a part of the run through its switches again, and notes its pieces. The part is as long as the run, or ends
/// where the state jumps; `moving` are the times of rows that move with the ends of such parts.
std::vector<SmoothPiece> between_switches(const DifferentiatedRun& of, const SmoothPiece& first,
                                          const std::vector<double>& moving) {
  const mechanics::SwitchedSystem& switched = *of.laws->switched();
  for (const auto& one : switched.switches)
    if (one.plane)
      throw Refused(fmt::format("a run with friction on two velocities ('{}') is not differentiated", one.text),
                    "take differences of runs", "[friction]");
  const auto law = [&](const mechanics::Holds& holds, integrate::Reason& why_not) -> PieceLaw {
    try {
      const SmoothLaw& found = of.laws->law(holds);
      return {&found.switched, &found.simulator.dynamics_for(of.method), &found.events};
    } catch (const Refused& error) {
      if (!is_held(holds)) throw;
      why_not = {error.problem(), error.remedy()};
      return {};
    }
  };
  const double t_end = of.run.facts.t_end;
  const double last = first.end ? first.end->t : of.run.columns.front().values.back();
  const std::size_t first_switch = switched.switches.front().first_event;
  std::vector<double> start = first.state;
  SwitchedMotion motion(law, first.parameters, first.t0, start, t_end, SwitchedMotion::Steps::chosen);
  NotedPieces pieces(motion, first_switch, first, t_end - first.t0);
  integrate::Watch watch;
  for (std::size_t k = 0; k < first_switch; ++k)
    watch.crossings.push_back({switched.system.events[k].name, integrate::Direction::any, false});
  const bool backwards = t_end < first.t0;
  // The repetition ends with the part: behind it the law of the motion may be another one, or none. Equal steps are the
  // same whatever the end of the run, and adaptive ones are shown one by one.
  const auto sink = [&](const integrate::Sample& sample) { return backwards ? sample.t > last : sample.t < last; };
  integrate::Settings settings = settings_of_repetition(of, first.t0, moving);
  if (!of.method.adaptive) {
    settings.schedule = {};
    settings.t_end = last;
  }
  const auto outcome = integrate::integrate_pieces(pieces, first.t0, first.state, settings, sink, watch);
  if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
    throw RunFailed(outcome.reason.problem, outcome.reason.remedy, {});
  const auto beyond = [&](const SmoothPiece& piece) { return backwards ? piece.t0 <= last : piece.t0 >= last; };
  while (pieces.noted.size() > 1 && beyond(pieces.noted.back())) pieces.noted.pop_back();
  auto& end = pieces.noted.back().end;
  if (end && (backwards ? end->t < last : end->t > last)) end.reset();
  if (first.end) end = first.end;
  return std::move(pieces.noted);
}

/// Returns the state in a row of the run.
std::vector<double> state_in(const analyse::Trajectory& run, std::size_t row, std::size_t size) {
  std::vector<double> state;
  for (std::size_t i = 0; i < size; ++i) state.push_back(run.columns[1 + i].values[row]);
  return state;
}

void refuse_rest_contact(const analyse::Trajectory& run) {
  for (const auto& column : run.columns) {
    if (!column.name.starts_with("contact.")) continue;
    const auto closed =
        std::find_if(column.values.begin(), column.values.end(), [](double force) { return force != 0; });
    if (closed != column.values.end())
      throw Refused(
          fmt::format("'{}' is in rest contact at t = {:.6g}, and runs with rest contact are not differentiated",
                      column.name.substr(8), run["t"][static_cast<std::size_t>(closed - column.values.begin())]),
          "end the run before", "[impacts]");
  }
}

/// Finds the pieces between the events that change the state. Each of these has a row before and one after it.
std::vector<SmoothPiece> between_jumps(const DifferentiatedRun& of, const SmoothPiece& first) {
  const auto& events = of.simulator.system().events;
  refuse_rest_contact(of.run);
  std::vector<PieceEnd> jumps;
  for (std::size_t k = 0; k < events.size(); ++k)
    if (mechanics::changes_state(events[k]))
      for (const double t : of.run.events[k].columns.front().values) jumps.push_back({t, k, k, true});
  std::sort(jumps.begin(), jumps.end(), [](const PieceEnd& a, const PieceEnd& b) { return a.t < b.t; });
  const auto& times = of.run.columns.front().values;
  std::vector<SmoothPiece> pieces{first};
  for (const PieceEnd& jump : jumps) {
    constexpr double one_time = 1e-12;
    if (jump.t - pieces.back().t0 <= one_time * std::max(std::abs(jump.t), of.run.facts.t_end - first.t0))
      throw RunFailed(
          fmt::format(
              "the run has no derivative at t = {:.9g}, where '{}' {}", jump.t, events[*jump.jump].name,
              pieces.size() > 1 ? "and another event change the state at one time" : "changes the state of the start"),
          "end the run before", {});
    const auto row = std::find(times.begin(), times.end(), jump.t);
    if (times.end() - row < 2 || *(row + 1) != jump.t)
      throw RunFailed(
          fmt::format("the run has no rows at the jump of '{}' at t = {:.9g}", events[*jump.jump].name, jump.t), "",
          {});
    pieces.back().end = jump;
    pieces.push_back({jump.t,
                      state_in(of.run, static_cast<std::size_t>(row - times.begin()) + 1, first.state.size()),
                      first.parameters,
                      {},
                      std::nullopt});
  }
  return pieces;
}

}  // namespace

std::vector<SmoothPiece> smooth_pieces(const DifferentiatedRun& of) {
  SmoothPiece whole;
  for (const auto& [name, value] : of.run.facts.parameters) whole.parameters.push_back(value);
  for (const auto& [name, value] : of.run.facts.initial) whole.state.push_back(value);
  whole.t0 = whole.state.back();
  whole.state.pop_back();
  const bool jumps = mechanics::has_jumps(of.simulator.system());
  std::vector<SmoothPiece> parts = jumps ? between_jumps(of, whole) : std::vector{whole};
  const auto event = event_at_end(of);
  const double last = of.run.columns.front().values.back();
  if (event && parts.size() > 1 && parts.back().t0 == last && parts[parts.size() - 2].end->jump != event)
    throw RunFailed(
        fmt::format("the run has no derivative: '{}' ends it at t = {:.9g}, where another event changes the "
                    "state",
                    of.simulator.system().events[*event].name, last),
        "end the run before", {});
  if (event && parts.back().t0 != last) parts.back().end = PieceEnd{last, *event, std::nullopt, true};
  if (of.laws == nullptr) return parts;
  std::vector<SmoothPiece> pieces;
  for (const SmoothPiece& part : parts) {
    auto more = between_switches(of, part, moving_times(parts));
    std::move(more.begin(), more.end(), std::back_inserter(pieces));
  }
  return pieces;
}

std::vector<std::size_t> one_sided_switches(const DifferentiatedRun& of, const SmoothPiece& piece) {
  if (of.laws == nullptr) return {};
  const SmoothLaw& free = of.laws->law({});
  const auto& switches = free.switched.switches;
  std::vector<double> point = piece.state;
  point.push_back(piece.t0);
  std::vector<double> values(free.events.outputs());
  std::vector<double> work(free.events.work_size());
  free.events(point.data(), piece.parameters.data(), values.data(), work.data());
  const auto rates = [&](const std::vector<double>& parameters) {
    std::vector<double> result(piece.state.size());
    integrate::CompiledVectorField(of.law_of(piece.holds).dynamics_for(of.method), parameters)(piece.t0, piece.state,
                                                                                               result);
    return result;
  };
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < switches.size(); ++k) {
    if ((k < piece.holds.size() && piece.holds[k] != mechanics::Hold::none) || values[switches[k].first_event] != 0)
      continue;
    std::vector<double> beyond = piece.parameters;
    double& mode = beyond[beyond.size() - switches.size() + k];
    mode = switches[k].rounds ? mode - 1 : -mode;
    const std::vector<double> here = rates(piece.parameters);
    const std::vector<double> there = rates(beyond);
    double size = 0;
    double change = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
      size = std::max({size, std::abs(here[i]), std::abs(there[i])});
      change = std::max(change, std::abs(here[i] - there[i]));
    }
    constexpr double round_off = 1e-12;
    if (!(change <= round_off * size)) found.push_back(k);
  }
  return found;
}

std::optional<std::size_t> event_at_end(const DifferentiatedRun& of) {
  const auto& run = of.run;
  const double last = run.columns.front().values.back();
  if (last == run.facts.t_end) return std::nullopt;
  for (std::size_t e = 0; e < run.events.size(); ++e) {
    const auto& times = run.events[e].columns.front().values;
    if (of.simulator.system().events[e].stop && !times.empty() && times.back() == last) return e;
  }
  return std::nullopt;
}

std::string note_of_row_on_switch(double t) {
  return fmt::format(
      "the motion passes a switch in the row at t = {:.9g}, whose time moves: the derivatives of this row are those "
      "before it",
      t);
}

std::vector<double> moving_times(const std::vector<SmoothPiece>& pieces) {
  std::vector<double> times;
  for (const SmoothPiece& piece : pieces)
    if (piece.end && piece.end->has_rows) times.push_back(piece.end->t);
  return times;
}

}  // namespace herglotz::simulate
