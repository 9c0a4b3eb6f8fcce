#include "sensitivity/tangent_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "herglotz/integrate/collocation.hpp"
#include "herglotz/integrate/vector_field.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "sensitivity/pieces/repetition.hpp"
#include "sensitivity/pieces/smooth_pieces.hpp"
#include "sensitivity/pieces/state_variation.hpp"
#include "sensitivity/pieces/step_record.hpp"

namespace herglotz::simulate {
namespace {

/// A time at which derivatives are wanted: a row of the run, or a crossing.
struct WantedTime {
  double t = 0;
  std::optional<std::size_t> event{};          ///< of a crossing: its event, with which the time moves
  std::vector<analyse::Column>* to = nullptr;  ///< receives the derivatives
  std::size_t first = 0;                       ///< the first of these columns
  bool with_time = false;                      ///< whether these columns begin with the time
  std::optional<std::size_t> row{};            ///< the row of the run, if it is one
  bool after_jump = false;                     ///< whether it is the second of the two rows at a jump
};

/// Returns the derivatives of the parameters of the law along each direction.
std::vector<std::vector<double>> parameter_directions(const DifferentiatedRun& of, std::size_t count) {
  std::vector<std::vector<double>> directions;
  const auto& own = of.run.facts.parameters;
  for (const Varying& direction : of.directions) {
    directions.emplace_back(count, 0.0);
    for (std::size_t j = 0; j < own.size(); ++j)
      if (direction.parameter && own[j].first == direction.name) directions.back()[j] = 1;
  }
  return directions;
}

/// The run once more, piece by piece and step by step, with the derivatives of its states.
class TangentRun {
 public:
  TangentRun(const DifferentiatedRun& of, const CodeOfPieces& code_of, sensitivity::StepMaps* maps,
             const std::vector<std::vector<double>>& slopes)
      : of_(of),
        code_of_(code_of),
        code_(&code_of({})),
        maps_(maps),
        pieces_(smooth_pieces(of)),
        polynomial_(has_polynomial(of)),
        dtheta_(parameter_directions(of, pieces_.front().parameters.size())),
        state_(*code_, slopes, dtheta_) {
    list_stops();
  }

  void operator()() {
    const std::vector<double> moving = moving_times(pieces_);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      piece_ = &pieces_[p];
      begin(p > 0 ? &pieces_[p - 1] : nullptr);
      const integrate::Settings settings = settings_of_repetition(of_, piece_->t0, moving);
      times_ = StepTimes(settings, piece_->t0);
      if (of_.method.adaptive)
        by_adaptive_steps(settings);
      else
        by_steps_of_one_size(settings.step);
    }
    if (next_ < stops_.size())
      throw RunFailed(fmt::format("no step reached t = {:.9g} again", stops_[next_].t), "", {});
  }

 private:
  using Variation = StateVariation::Variation;

  /// Lists rows and crossings in the order of the run, and adds the columns of the derivatives.
  void list_stops() {
    auto& run = of_.run;
    const auto& t = run.columns.front().values;
    const std::string time = run.columns.front().name;
    const std::vector<double> moving = moving_times(pieces_);
    const bool moves = std::any_of(moving.begin(), moving.end(),
                                   [&](double end) { return std::find(t.begin(), t.end(), end) != t.end(); });
    std::vector<std::string> names = code_->columns;
    names.insert(names.begin(), time);
    add_columns(moves ? names : code_->columns, of_.directions, of_.derivatives);
    for (std::size_t row = 0; row < t.size(); ++row) {
      const bool after = row > 0 && t[row] == t[row - 1];
      stops_.push_back({t[row], std::nullopt, &of_.derivatives, 1, moves, row, after});
    }
    for (std::size_t e = 0; e < run.events.size(); ++e) {
      auto& columns = run.events[e].columns;
      const std::size_t first = columns.size();
      add_columns(names, of_.directions, columns);
      for (const double at : columns.front().values)
        stops_.push_back({at, e, &columns, first, true, std::nullopt, false});
    }
    std::stable_sort(stops_.begin(), stops_.end(), [&](const WantedTime& a, const WantedTime& b) {
      const auto rank = [](const WantedTime& stop) { return stop.event ? 0 : stop.after_jump ? 2 : 1; };
      return before(a.t, b.t) || (a.t == b.t && rank(a) < rank(b));
    });
  }

  [[nodiscard]] bool before(double a, double b) const {
    return of_.run.facts.t_end < pieces_.front().t0 ? a > b : a < b;
  }

  /// Throws RunFailed if the piece begins where a switch or friction holds it, and another state would not be held; or
  /// where rates jump, and another state has those of one side.
  void require_start_with_derivatives() {
    const std::vector<std::size_t> jumps = one_sided_switches(of_, *piece_);
    if (!is_held(piece_->holds) && jumps.empty()) return;
    TangentCode& smooth = code_of_({});
    state_.set_code(smooth);
    const auto& switches = of_.laws->switched()->switches;
    for (std::size_t k = 0; k < switches.size(); ++k) {
      const bool held = k < piece_->holds.size() && piece_->holds[k] == mechanics::Hold::constraint;
      if (!held && std::find(jumps.begin(), jumps.end(), k) == jumps.end()) continue;
      for (std::size_t j = 0; j < of_.directions.size(); ++j) {
        const std::size_t place = smooth.columns.size() + switches[k].first_event;
        const double slope = state_.derivatives(j, state_.t(), state_.y(), state_.now())[place];
        const Terms by_state = terms(place, state_.direction(j));
        const double size = by_state.sizes + std::abs(slope - by_state.sum);
        constexpr double round_off = 1e-9;
        if (std::abs(slope) > round_off * size || (!held && comes_back(place, j)))
          throw RunFailed(
              fmt::format("the run has no derivative by {}: at t = {:.9g} {}", of_.directions[j].name, state_.t(),
                          held ? fmt::format("it starts at rest on '{}' = 0, and with another value it does not",
                                             switches[k].text)
                               : fmt::format("it starts where '{}' is {}, and its rates jump there", switches[k].text,
                                             switches[k].rounds ? "a whole number" : "0")),
              held ? "give the start as an expression that stays there, or leave that name out"
                   : "start beside that place, or leave that name out",
              {});
      }
    }
  }

  struct Terms {
    double sum = 0;
    double sizes = 0;  ///< the sum of their absolute values
  };

  /// Returns the terms ds/dy_i w_i of the derivative of the function s at a place of the code along w, in the unit of
  /// s.
  Terms terms(std::size_t place, const std::vector<double>& w) {
    std::vector<double> one(w.size(), 0.0);
    const auto rate_with = [&] { return state_.rate(place, state_.t(), state_.y(), one, piece_->parameters); };
    const double without = rate_with();
    Terms found;
    for (std::size_t i = 0; i < w.size(); ++i) {
      one[i] = w[i];
      const double term = rate_with() - without;
      found.sum += term;
      found.sizes += std::abs(term);
      one[i] = 0;
    }
    return found;
  }

  /// Returns whether a function at a place of the code is 0 and at rest in this state, and direction j changes its
  /// rate: with one sign of the change the motion goes to the other side first.
  bool comes_back(std::size_t place, std::size_t j) {
    constexpr double at_rest = 1e-12;
    constexpr double share = 1e-6;
    const std::vector<double> dy = state_.direction(j);
    const auto largest = [](const std::vector<double>& numbers) {
      return std::accumulate(numbers.begin(), numbers.end(), 0.0,
                             [](double most, double number) { return std::max(most, std::abs(number)); });
    };
    const double unit = largest(state_.y());
    const double size = std::max(largest(dy), largest(dtheta_[j]));
    if (!(size > 0)) return false;
    std::vector<double> y_dot(dy.size());
    const auto rate = [&](double by) {
      std::vector<double> y = state_.y();
      std::vector<double> theta = piece_->parameters;
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * dy[i];
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += by * dtheta_[j][i];
      integrate::CompiledVectorField(of_.law_of(piece_->holds).dynamics_for(of_.method), theta)(state_.t(), y, y_dot);
      return state_.rate(place, state_.t(), y, y_dot, theta);
    };
    const double rate_at_start = rate(0);
    if (std::abs(rate_at_start) > at_rest * terms(place, y_dot).sizes) return false;
    const double by = share * (unit > 0 ? unit : 1.0) / size;
    const double ahead = rate(by);
    const std::vector<double> y_dot_ahead = y_dot;
    const double change = ahead - rate(-by);
    for (std::size_t i = 0; i < y_dot.size(); ++i) y_dot[i] = y_dot_ahead[i] - y_dot[i];
    return std::abs(change) > share * terms(place, y_dot).sizes;
  }

  /// Goes to the start of the piece, behind the jump of an event if there is one.
  void begin(const SmoothPiece* before) {
    const auto jump = before != nullptr ? before->end->jump : std::nullopt;
    if (jump) state_.jump(of_.law_of(before->holds).system(), *jump);
    const bool first = before == nullptr;
    if (jump && !(deviation(of_, piece_->state, state_.reached(), state_.y()) <= 1))
      throw RunFailed(fmt::format("the run has no derivative at t = {:.9g}, where '{}' and another event change the "
                                  "state at one time",
                                  piece_->t0, of_.law.system().events[*jump].name),
                      "end the run before", {});
    if (!first) require_repeated(piece_->t0, piece_->state, state_.reached());
    state_.set(piece_->t0, piece_->state);
    state_.set_parameters(piece_->parameters);
    if (first || jump) require_start_with_derivatives();
    code_ = &code_of_(piece_->holds);
    state_.set_code(*code_);
    while (next_ < stops_.size() && stops_[next_].t == state_.t() && (jump || first))
      emit(stops_[next_++], state_.y(), state_.now());
  }

  void by_adaptive_steps(const integrate::Settings& settings) {
    const auto outcome =
        integrate::integrate(of_.law_of(piece_->holds).dynamics_for(of_.method), piece_->parameters, state_.t(),
                             piece_->state, settings, [this](const integrate::Sample& sample) { return take(sample); });
    if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
      throw RunFailed(outcome.reason.problem, outcome.reason.remedy, {});
  }

  /// Moves to the end of an adaptive step, with what is wanted on the way. Returns false at the end of the piece. Steps
  /// end at fixed times, unless rows are on their polynomials: then their sizes are fixed.
  bool take(const integrate::Sample& sample) {
    of_.attend();
    const double h = size_of_step_to(sample.t);
    if (h == 0) {
      state_.set(sample.t, sample.state);
      emit_stops_at(sample.t);
      return piece_->end || next_ < stops_.size();
    }
    const bool ends = piece_->end && !before(sample.t, piece_->end->t);
    const auto is_inside = [&](const WantedTime& stop) {
      if (ends) return before(stop.t, piece_->end->t);
      const bool within = stop.event || (polynomial_ && state_.now().moves());
      return before(stop.t, sample.t) || (stop.t == sample.t && within);
    };
    while (next_ < stops_.size() && is_inside(stops_[next_])) beside(stops_[next_++], h);
    if (ends) {
      leave(h);
      return false;
    }
    state_.step(h, !polynomial_);
    require_repeated(sample.t, sample.state, state_.reached());
    state_.set(sample.t, sample.state);
    emit_stops_at(sample.t);
    return piece_->end || next_ < stops_.size();
  }

  void emit_stops_at(double t) {
    while (next_ < stops_.size() && stops_[next_].t == t) emit(stops_[next_++], state_.y(), state_.now());
  }

  /// Returns the size of the step behind which there is a sample, and moves the state to its beginning.
  double size_of_step_to(double t) {
    if (const double from = times_.departure(state_.t()); from != state_.t()) state_.set(from, std::vector(state_.y()));
    return times_.arrival(state_.t(), t) - state_.t();
  }

  /// Goes from one stop of the piece to the next by steps of one size; a stop inside a step is reached by a shorter
  /// one.
  void by_steps_of_one_size(double h) {
    constexpr double rounding = 1e-9;  // of a step, as the run itself takes it
    const double t0 = piece_->t0;
    std::size_t taken = 0;
    auto mapped = mapped_path();
    const auto advance_to = [&](double steps) {
      const auto due = static_cast<std::size_t>(std::max(steps, 0.0));
      if (due <= taken) return;
      if (mapped && due <= record_->last() && !state_.advance(*mapped, taken, due)) mapped.reset();
      if (!mapped || due > record_->last()) state_.advance({t0, h, taken, due - taken});
      taken = due;
      state_.set(t0 + static_cast<double>(taken) * h, state_.reached());
    };
    while (next_ < stops_.size() && (!piece_->end || before(stops_[next_].t, piece_->end->t))) {
      of_.attend();
      const WantedTime& stop = stops_[next_++];
      const double steps = (stop.t - t0) / h;
      advance_to(stop.event ? std::ceil(steps - rounding) - 1 : std::floor(steps + rounding));
      if (stop.event || std::abs(stop.t - state_.t()) > rounding * std::abs(h))
        beside(stop, h);
      else
        at_boundary(stop, h);
    }
    if (!piece_->end) return;
    advance_to(std::ceil((piece_->end->t - t0) / h - rounding) - 1);
    leave(h);
  }

  /// Returns the steps of the piece, if they go in lanes.
  std::unique_ptr<sensitivity::MappedPath> mapped_path() {
    constexpr std::size_t most_numbers = std::size_t{1} << 24U;  // 128 MiB
    if (maps_ == nullptr || is_held(piece_->holds)) return nullptr;
    record_.emplace(of_, *piece_, moving_times(pieces_), most_numbers);
    return record_->mapped(*maps_, piece_->parameters);
  }

  /// Emits the derivatives at a row at which steps of size h meet, and goes on from the state in this row.
  void at_boundary(const WantedTime& stop, double h) {
    const std::vector<double> state = state_in(*stop.row);
    require_repeated(stop.t, state, state_.y());
    state_.set(state_.t(), state);
    emit(stop, state, state_.now().moves() ? state_.within_fixed(h, 0) : state_.now());
  }

  /// Emits the derivatives at a time inside the next step, which is of size h.
  void beside(const WantedTime& stop, double h) {
    const double part = stop.t - state_.t();
    const Variation there =
        stop.event ? state_.within_at_zero(h, part, code_->columns.size() + *stop.event) : state_.within_fixed(h, part);
    emit(stop, state_.reached(), there);
  }

  /// Goes to the end of the piece, inside the next step, and emits the derivatives there. Rows at fixed times and
  /// crossings of other events that share its time do not move with it.
  void leave(double h) {
    const PieceEnd& end = *piece_->end;
    const std::size_t first = next_;
    while (next_ < stops_.size() && stops_[next_].t == end.t && !stops_[next_].after_jump) ++next_;
    const auto here = std::span<const WantedTime>(stops_).subspan(first, next_ - first);
    const auto moves = [&](const WantedTime& stop) { return stop.event ? *stop.event == end.function : end.has_rows; };
    for (const WantedTime& stop : here)
      if (!moves(stop)) beside(stop, h);
    state_.go_to_zero(h, end.t - state_.t(), code_->columns.size() + end.function);
    state_.set(end.t, state_.reached());
    for (const WantedTime& stop : here) {
      if (moves(stop))
        emit(stop, state_.y(), state_.now());
      else if (stop.row && state_.now().moves() && !std::exchange(noted_, true))
        of_.run.facts.notes.push_back(note_of_row_on_switch(end.t));
    }
  }

  /// Returns the state in a row of the run.
  [[nodiscard]] std::vector<double> state_in(std::size_t row) const {
    std::vector<double> state;
    for (std::size_t i = 0; i < piece_->state.size(); ++i) state.push_back(of_.run.columns[1 + i].values[row]);
    return state;
  }

  /// Throws RunFailed if a state that was reached again is not that of the run.
  void require_repeated(double t, std::span<const double> state, std::span<const double> again) const {
    simulate::require_repeated(of_, t, state, again, state_.y());
  }

  void emit(const WantedTime& stop, const std::vector<double>& y, const Variation& variation) {
    if (stop.row) require_repeated(stop.t, state_in(*stop.row), y);
    const std::size_t columns = code_->columns.size();
    const std::size_t directions = of_.directions.size();
    for (std::size_t k = 0; k < directions; ++k) {
      const auto values = state_.derivatives(k, stop.t, y, variation);
      const auto put = [&](std::size_t column, double value) {
        (*stop.to)[stop.first + column * directions + k].values.push_back(value + 0.0);  // no negative zeros
      };
      if (stop.with_time) put(0, variation.dt[k / code_->steps->lanes()][k % code_->steps->lanes()]);
      for (std::size_t c = 0; c < columns; ++c) put(stop.with_time ? c + 1 : c, values[c]);
    }
  }

  const DifferentiatedRun& of_;
  const CodeOfPieces& code_of_;
  TangentCode* code_;  // of the piece
  sensitivity::StepMaps* maps_;
  std::vector<SmoothPiece> pieces_;
  const SmoothPiece* piece_ = nullptr;       // the piece that is followed
  bool polynomial_;                          // whether states inside steps are on a polynomial
  std::vector<std::vector<double>> dtheta_;  // of the parameters of the law, by direction
  StateVariation state_;
  std::optional<StepRecord> record_;  // of the piece, if its steps go in lanes
  StepTimes times_;                   // of the steps of the piece
  std::vector<WantedTime> stops_;
  std::size_t next_ = 0;
  bool noted_ = false;  // whether a row that a switch meets is noted
};

/// Returns whether variational equations go through the constraints of the model, if it has any: steps of explicit
/// methods end with a projection whose equations are known. That onto positions is the limit of repeated ones, which
/// differ by the square of their displacement: it is as small as the error of the run only where steps are adaptive.
bool follows_constraints(const DifferentiatedRun& of) {
  const mechanics::System& system = of.simulator.system();
  const mechanics::Equations& q = of.simulator.equations();
  if (q.m() == 0) return true;
  return q.rule == mechanics::Rule::nonholonomic && !integrate::collocation_of(of.method) &&
         (q.phi.empty() || of.method.adaptive) &&
         std::none_of(q.phi.begin(), q.phi.end(),
                      [&](const symbolic::Expr& phi) { return symbolic::depends_on(phi, system.z); }) &&
         (mechanics::eliminates_inside(system, q) || of.method.adaptive) && !mechanics::has_jumps(system);
}

/// Returns whether variational equations go through the inputs of the model, if it has any. Adaptive steps end where
/// pieces of inputs meet, and are made again. On polynomials, boundaries of steps move with the ends of pieces of the
/// motion, and those at the points of inputs do not.
bool follows_inputs(const DifferentiatedRun& of) {
  const mechanics::System& system = of.simulator.system();
  if (system.graph().tables().empty()) return true;
  return of.method.adaptive && (!has_polynomial(of) || (!mechanics::has_jumps(system) && of.laws == nullptr));
}

}  // namespace

bool has_tangent(const DifferentiatedRun& of) {
  using integrate::Requirement;
  const Requirement needs = of.method.needs;
  const bool derived = needs == Requirement::stepped_motion || needs == Requirement::adaptive_motion ||
                       needs == Requirement::taylor_motion || integrate::collocation_of(of.method);
  return derived && obstacle(of).empty();
}

bool has_tangent_by_reference(const DifferentiatedRun& of) {
  return has_tangent({of.simulator, of.request, of.directions, *integrate::find_method("reference"), of.run,
                      of.derivatives, of.law, of.laws});
}

std::string obstacle(const DifferentiatedRun& of) {
  if (!follows_constraints(of)) return "constraints";
  if (!follows_inputs(of)) return "inputs";
  if (of.request.settings.time_scale) return "time_scale";
  const bool moves = of.request.settings.project && !of.simulator.system().invariants.empty();
  return moves && mechanics::has_jumps(of.simulator.system()) ? "project" : "";
}

void follow_tangents(const DifferentiatedRun& of, const CodeOfPieces& code_of, sensitivity::StepMaps* maps,
                     const std::vector<std::vector<double>>& slopes) {
  TangentRun(of, code_of, maps, slopes)();
  of.run.facts.notes.emplace_back("derivatives by variational equations, which go through the same steps");
  if (of.law.equations().m() > 0 && !mechanics::eliminates_inside(of.law.system(), of.law.equations()))
    of.run.facts.notes.push_back(
        fmt::format("multipliers have no derivatives here: there are more than {} accelerations and multipliers",
                    mechanics::straight_line_rank));
}

}  // namespace herglotz::simulate
