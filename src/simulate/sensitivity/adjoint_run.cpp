#include "sensitivity/adjoint_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "herglotz/error.hpp"
#include "sensitivity/jump_slopes.hpp"
#include "sensitivity/repetition.hpp"
#include "sensitivity/start_slopes.hpp"
#include "sensitivity/state_variation.hpp"
#include "sensitivity/step_record.hpp"
#include "sensitivity/tangent_run.hpp"

namespace herglotz::simulate {
namespace {

using Numbers = std::vector<double>;
using sensitivity::AdjointSteps;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double size_of_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}
void add(Numbers& to, double factor, const Numbers& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Most numbers of all steps of a run that are kept at once: 128 MiB.
constexpr std::size_t most_kept = std::size_t{1} << 24U;

/// Derivatives by a state, by the parameters, and by a time that moves.
struct Covector {
  Numbers by_y;
  Numbers by_theta;
  double by_t = 0;

  void add(double factor, const Covector& other) {
    simulate::add(by_y, factor, other.by_y);
    simulate::add(by_theta, factor, other.by_theta);
    by_t += factor * other.by_t;
  }
};

/// A row on which the function depends, strictly inside a piece or where nothing moves.
struct Stop {
  std::size_t row = 0;
  StepRecord::Place place;
};

/// The steps from a boundary whose state is kept to the next one.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  Numbers states;  ///< at the boundaries
  Numbers kept;    ///< what the steps keep for their adjoints
};

/// A smooth piece with its steps, and the rows on which the function depends.
struct Part {
  const SmoothPiece& piece;
  StepRecord record;
  std::vector<Stop> stops{};
  std::vector<std::size_t> at_start{};                ///< rows behind the jump that the piece begins with
  std::vector<std::size_t> at_end{};                  ///< rows that move with the end of the piece
  Numbers adjoints{};                                 ///< at the boundaries whose states are kept, or at all in lanes
  std::vector<Stretch> stretches{};                   ///< all of them, if they are kept
  std::unique_ptr<sensitivity::MappedPath> mapped{};  ///< all steps, if they go in lanes
};

/// The run backwards, with the adjoints of its steps and of what happens at the ends of its smooth pieces, and then
/// forwards again with one variation.
class AdjointRun {
 public:
  AdjointRun(const DifferentiatedRun& of, std::vector<SmoothPiece> pieces, AdjointCode& code, TangentCode& variation,
             sensitivity::StepMaps* maps, const Cotangents& cotangents)
      : of_(of),
        code_(code),
        variation_(variation),
        maps_(maps),
        cotangents_(cotangents),
        pieces_(std::move(pieces)),
        states_(code.steps->states()),
        count_(pieces_.front().parameters.size()),
        to_fixed_times_(of.method.adaptive && !has_polynomial(of)),
        kept_(code.steps->kept()),
        reached_(states_),
        point_(code.functions.variables()),
        values_(code.functions.outputs()),
        work_(code.functions.work_size()) {
    for (const auto& name : cotangents.columns) {
      const auto place = std::find(code.columns.begin(), code.columns.end(), name);
      if (place == code.columns.end())
        throw Refused(fmt::format("the column {} is not differentiated", name),
                      "use coordinates, velocities, the action, the energy, momenta and observables");
      places_.push_back(static_cast<std::size_t>(place - code.columns.begin()));
    }
    const std::vector<double> moving = moving_times(pieces_);
    const std::size_t most_numbers = maps_ != nullptr ? most_kept / pieces_.size() : 0;
    for (const SmoothPiece& piece : pieces_) parts_.push_back({piece, StepRecord(of, piece, moving, most_numbers)});
    list_rows();
  }

  Gradient operator()(const std::vector<Numbers>& slopes) {
    if (!linearise_all()) keep_all();
    adjoint_ = zero();
    for (std::size_t p = parts_.size(); p-- > 0;) go_back(parts_[p], p > 0);
    Gradient gradient;
    gradient.reverse = true;
    Numbers start_variation(states_, 0.0);
    Numbers parameter_variation(count_, 0.0);
    for (std::size_t k = 0; k < of_.directions.size(); ++k) {
      const Varying& direction = of_.directions[k];
      const double value = value_of(of_.simulator.system(), of_.request, direction);
      const double by = value == 0 ? 1.0 : std::abs(value);
      gradient.by.push_back(product(adjoint_.by_y, slopes[k]));
      simulate::add(start_variation, by, slopes[k]);
      if (!direction.parameter) continue;
      const std::size_t j = place_of_parameter(direction.name);
      gradient.by.back() += adjoint_.by_theta[j];
      parameter_variation[j] += by;
      if (const auto own = cotangents_.by_parameters.find(direction.name); own != cotangents_.by_parameters.end())
        gradient.by.back() += own->second;
    }
    gradient.residual = pair_with(start_variation, parameter_variation);
    return gradient;
  }

 private:
  [[nodiscard]] std::size_t place_of_parameter(const std::string& name) const {
    const auto& all = of_.run.facts.parameters;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& parameter) { return parameter.first == name; }) -
        all.begin());
  }

  [[nodiscard]] double cotangent(std::size_t row, std::size_t c) const {
    return cotangents_.values[row * places_.size() + c];
  }
  [[nodiscard]] double cotangent_of_time(std::size_t row) const {
    return row + 1 == of_.run.rows() ? cotangents_.by_end : 0.0;
  }

  /// Gives the rows on which the function depends to the pieces, in the order of the run.
  void list_rows() {
    const auto& t = of_.run.columns.front().values;
    const bool backwards = of_.run.facts.t_end < pieces_.front().t0;
    std::size_t p = 0;
    for (std::size_t row = 0; row < t.size(); ++row) {
      const bool after_jump = row > 0 && t[row] == t[row - 1];
      const auto is_behind = [&](const PieceEnd& end) {
        return after_jump ? t[row] == end.t : backwards ? t[row] < end.t : t[row] > end.t;
      };
      while (parts_[p].piece.end && p + 1 < parts_.size() && is_behind(*parts_[p].piece.end)) ++p;
      Part& part = parts_[p];
      const bool ends = part.piece.end && part.piece.end->has_rows && part.piece.end->t == t[row];
      const bool moves = ends || after_jump;
      bool depends = moves && cotangent_of_time(row) != 0;
      for (std::size_t c = 0; c < places_.size(); ++c) depends = depends || cotangent(row, c) != 0;
      if (!depends) continue;
      if (after_jump)
        part.at_start.push_back(row);
      else if (ends)
        part.at_end.push_back(row);
      else
        part.stops.push_back({row, part.record.place(t[row])});
    }
  }

  /// Returns whether the function depends on a row at this fixed time of a piece.
  [[nodiscard]] bool has_row_at(const Part& part, double t) const {
    const auto& times = of_.run.columns.front().values;
    return std::any_of(part.stops.begin(), part.stops.end(), [&](const Stop& stop) { return times[stop.row] == t; });
  }

  [[nodiscard]] Covector zero() const { return {Numbers(states_, 0.0), Numbers(count_, 0.0), 0}; }

  /// Returns the derivatives of sum_i c_i F_i; `write` sets the c_i.
  template <class Write>
  Covector pulled_back(const SmoothPiece& piece, double t, std::span<const double> y, const Write& write) {
    std::fill(point_.begin(), point_.end(), 0.0);
    std::copy(y.begin(), y.end(), point_.begin());
    write(point_.data() + states_);
    point_.back() = t;
    code_.functions(point_.data(), piece.parameters.data(), values_.data(), work_.data());
    const auto parameters = values_.begin() + static_cast<std::ptrdiff_t>(states_);
    return {{values_.begin(), parameters}, {parameters, values_.end() - 1}, values_.back()};
  }
  /// Returns the derivatives of the function by a row.
  Covector of_row(const SmoothPiece& piece, std::size_t row, double t, std::span<const double> y) {
    return pulled_back(piece, t, y, [&](double* c) {
      for (std::size_t k = 0; k < places_.size(); ++k) c[places_[k]] += cotangent(row, k);
    });
  }
  /// Adds the derivatives by a row whose time moves with the adjoint's.
  void add_moving(const SmoothPiece& piece, const std::vector<std::size_t>& rows, double t, std::span<const double> y) {
    for (const std::size_t row : rows) {
      adjoint_.add(1, of_row(piece, row, t, y));
      adjoint_.by_t += cotangent_of_time(row);
    }
  }

  void forward(const AdjointSteps::Step& step, std::span<double> kept, std::span<double> reached) {
    if (!code_.steps->forward(step, kept, reached)) throw without_derivative(step.t);
  }
  AdjointSteps::ByTimes backward(const AdjointSteps::Step& step, std::span<const double> kept, Numbers& cotangent,
                                 Numbers& by_theta) {
    const auto by = code_.steps->backward(step, kept, cotangent, by_theta);
    if (!by) throw without_derivative(step.t);
    return *by;
  }

  [[nodiscard]] std::span<double> state(Stretch& stretch, std::size_t boundary) const {
    return std::span<double>(stretch.states).subspan((boundary - stretch.first) * states_, states_);
  }
  [[nodiscard]] std::span<double> kept(Stretch& stretch, std::size_t boundary) const {
    return std::span<double>(stretch.kept).subspan((boundary - stretch.first) * kept_.size(), kept_.size());
  }
  [[nodiscard]] AdjointSteps::Step step(const Part& part, Stretch& stretch, std::size_t boundary) const {
    const double h = part.record.size(boundary);
    return {part.record.time(boundary), h, h, state(stretch, boundary), part.piece.parameters};
  }

  /// Makes the steps from a kept state to the next one.
  Stretch follow(const Part& part, std::size_t c) {
    of_.attend();
    const auto& all = part.record.kept();
    Stretch stretch{all[c].boundary, c + 1 == all.size() ? part.record.last() : all[c + 1].boundary, {}, {}};
    const std::size_t steps = stretch.last - stretch.first;
    if (part.mapped) {
      const auto states = part.record.states().subspan(stretch.first * states_, (steps + 1) * states_);
      stretch.states.assign(states.begin(), states.end());
      return stretch;
    }
    stretch.states.resize((steps + 1) * states_);
    stretch.kept.resize(steps * kept_.size());
    std::copy(all[c].state.begin(), all[c].state.end(), stretch.states.begin());
    for (std::size_t k = stretch.first; k < stretch.last; ++k)
      forward(step(part, stretch, k), kept(stretch, k), state(stretch, k + 1));
    return stretch;
  }

  /// Returns whether all steps go in lanes: whether their matrices are not too many, and all are defined.
  bool linearise_all() {
    std::size_t steps = 0;
    for (const Part& part : parts_) steps += part.record.last();
    if (maps_ == nullptr || steps > most_kept / (maps_->numbers() + maps_->kept())) return false;
    const auto linearise = [&](Part& part) {
      part.mapped = part.record.mapped(*maps_, part.piece.parameters);
      return part.mapped && part.mapped->linearise(0, part.record.last(), true);
    };
    if (std::all_of(parts_.begin(), parts_.end(), linearise)) return true;
    for (Part& part : parts_) part.mapped.reset();
    return false;
  }

  /// Makes the steps of all pieces, if the variation can go through them as they are and they are not too many.
  void keep_all() {
    std::size_t steps = 0;
    for (const Part& part : parts_) steps += part.record.last();
    if (!variation_.steps->recalls() || steps > most_kept / (kept_.size() + states_)) return;
    for (Part& part : parts_) {
      code_.steps->restart();
      for (std::size_t c = 0; c < part.record.kept().size(); ++c) part.stretches.push_back(follow(part, c));
    }
  }

  /// Returns where the adjoint (by_y, by_theta, by_t) is kept at a boundary that is that of the kept state c, or in
  /// lanes at any one.
  [[nodiscard]] std::span<double> adjoint_of(Part& part, std::size_t c, std::size_t boundary) const {
    const std::size_t size = states_ + count_ + 1;
    return std::span<double>(part.adjoints).subspan((part.mapped ? boundary : c) * size, size);
  }
  void keep_adjoint(std::span<double> to) const {
    std::copy(adjoint_.by_y.begin(), adjoint_.by_y.end(), to.begin());
    std::copy(adjoint_.by_theta.begin(), adjoint_.by_theta.end(), to.begin() + static_cast<std::ptrdiff_t>(states_));
    to.back() = adjoint_.by_t;
  }

  /// Goes back from the end of a piece to its start, from one kept state to the one before it, and keeps the adjoints
  /// there, and at all boundaries of steps in lanes. Boundaries move with the start of the piece, unless steps end at
  /// fixed times: then only the first one does.
  void go_back(Part& part, bool moves) {
    const std::size_t count = part.record.kept().size();
    part.adjoints.resize((part.mapped ? part.record.last() + 1 : count) * (states_ + count_ + 1));
    std::size_t stop = part.stops.size();
    for (std::size_t c = count; c-- > 0;) {
      of_.attend();
      code_.steps->restart();
      Stretch made;
      if (part.stretches.empty()) made = follow(part, c);
      Stretch& stretch = part.stretches.empty() ? made : part.stretches[c];
      const bool final = c + 1 == count;
      if (final) leave(part, state(stretch, stretch.last));
      for (std::size_t k = final ? stretch.last + 1 : stretch.last; k-- > stretch.first;) {
        const bool moving = moves && (k == 0 || !to_fixed_times_);
        if (k < stretch.last) {
          const auto by = part.mapped
                              ? part.mapped->go_back(k, adjoint_.by_y, adjoint_.by_theta)
                              : backward(step(part, stretch, k), kept(stretch, k), adjoint_.by_y, adjoint_.by_theta);
          adjoint_.by_t = to_fixed_times_ ? by.t - by.part : adjoint_.by_t + by.t;
        }
        for (; stop > 0 && part.stops[stop - 1].place.boundary == k; --stop)
          take(part, part.stops[stop - 1], moving, state(stretch, k));
        if (part.mapped || k == stretch.first) keep_adjoint(adjoint_of(part, c, k));
      }
    }
    add_moving(part.piece, part.at_start, part.piece.t0, part.piece.state);
  }

  /// Adds what a row adds to the adjoint at the boundary before it, whose state is y.
  void take(const Part& part, const Stop& stop, bool moving, std::span<const double> y) {
    const auto [boundary, beyond] = stop.place;
    const double t = part.record.time(boundary);
    if (beyond == 0 && !moving) {
      Covector here = of_row(part.piece, stop.row, t, y);
      here.by_t = 0;
      return adjoint_.add(1, here);
    }
    const AdjointSteps::Step step{t, part.record.size(boundary), beyond, y, part.piece.parameters};
    forward(step, kept_, reached_);
    Covector there = of_row(part.piece, stop.row, t + beyond, reached_);
    const auto by = backward(step, kept_, there.by_y, there.by_theta);
    there.by_t = by.t - by.part;
    adjoint_.add(1, there);
  }

  /// Goes back from the start of the next piece to the last boundary of this one, whose state is y: through the jump,
  /// and through the time at which a function of the state vanishes.
  void leave(const Part& part, std::span<const double> y) {
    if (!part.piece.end) return;
    const PieceEnd& end = *part.piece.end;
    const std::size_t last = part.record.last();
    const double t = part.record.time(last);
    const AdjointSteps::Step step{t, part.record.size(last), end.t - t, y, part.piece.parameters};
    forward(step, kept_, reached_);
    if (end.jump) leave_jump(part.piece, *end.jump);
    add_moving(part.piece, part.at_end, end.t, reached_);
    const Covector of_event =
        pulled_back(part.piece, end.t, reached_, [&](double* c) { c[code_.columns.size() + end.function] = 1; });
    const auto by_time = [&](const Covector& covector) {
      Numbers by_y = covector.by_y;
      Numbers by_theta(count_, 0.0);
      return covector.by_t + backward(step, kept_, by_y, by_theta).part;
    };
    adjoint_.add(-by_time(adjoint_) / by_time(of_event), of_event);
    adjoint_.by_t += backward(step, kept_, adjoint_.by_y, adjoint_.by_theta).t;
  }

  /// Replaces the adjoint behind the jump of an event by that of the state before it, which is reached_.
  void leave_jump(const SmoothPiece& piece, std::size_t event) {
    const std::size_t columns = code_.columns.size();
    Numbers values(variation_.functions.outputs());
    Numbers work(variation_.functions.work_size());
    Numbers point(variation_.functions.variables(), 0.0);
    Numbers parameters(variation_.functions.parameters(), 0.0);
    std::copy(reached_.begin(), reached_.end(), point.begin());
    point.back() = piece.end->t;
    std::copy(piece.parameters.begin(), piece.parameters.end(), parameters.begin());
    variation_.functions(point.data(), parameters.data(), values.data(), work.data());
    const JumpSlopes slopes =
        jump_slopes(of_.law.system(), event, std::span<const double>(values).subspan(values.size() / 2 + columns),
                    std::span<const std::string>(code_.columns).first(states_), reached_);
    const auto [by_state, by_values] = slopes.pulled_back(adjoint_.by_y);
    const Covector of_values = pulled_back(piece, piece.end->t, reached_, [&, &by = by_values](double* c) {
      for (std::size_t k = 0; k < slopes.values.size(); ++k) c[columns + slopes.values[k]] += by[k];
    });
    adjoint_.by_y = by_state;
    adjoint_.add(1, of_values);
  }

  /// Follows a variation from the start, and returns the largest change of its pairing with the adjoint beside the
  /// sizes of its terms. What rows have added up to a time is part of the pairing.
  double pair_with(const Numbers& start_variation, const Numbers& by_theta) {
    StateVariation state(variation_, {start_variation}, {by_theta});
    double passed = 0;
    double scale = 0;
    double change = 0;
    std::optional<double> at_start;
    const auto compare = [&](double pairing, double size) {
      if (!at_start) at_start = pairing;
      change = std::max(change, std::abs(pairing + passed - *at_start));
      scale = std::max(scale, size + std::abs(passed));
    };
    Numbers along;
    const auto compare_with = [&](std::span<const double> adjoint) {
      along = state.now().dy.front();
      along.insert(along.end(), by_theta.begin(), by_theta.end());
      along.push_back(state.now().dt.front().front());
      compare(product(adjoint, along), size_of_product(adjoint, along));
    };
    const auto pass = [&](std::size_t row, double t, const Numbers& y, const StateVariation::Variation& variation) {
      const auto values = state.derivatives(0, t, y, variation);
      for (std::size_t j = 0; j < places_.size(); ++j) passed += cotangent(row, j) * values[places_[j]];
      passed += cotangent_of_time(row) * variation.dt.front().front();
    };
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      Part& part = parts_[p];
      const auto& kept = part.record.kept();
      if (p > 0 && parts_[p - 1].piece.end->jump) state.jump(of_.law.system(), *parts_[p - 1].piece.end->jump);
      state.set(part.piece.t0, part.piece.state);
      state.set_parameters(part.piece.parameters);
      for (const std::size_t row : part.at_start) pass(row, part.piece.t0, part.piece.state, state.now());
      std::size_t stop = 0;
      for (std::size_t c = 0; c < kept.size(); ++c) {
        of_.attend();
        const bool final = c + 1 == kept.size();
        const std::size_t last = final ? part.record.last() : kept[c + 1].boundary;
        state.set(part.record.time(kept[c].boundary), kept[c].state);
        const std::size_t first = kept[c].boundary;
        const Numbers varied = part.mapped ? state.along(*part.mapped, first, last - first) : Numbers();
        for (std::size_t k = first;;) {
          if (k == first || (part.mapped && (k < last || final))) compare_with(adjoint_of(part, c, k));
          for (; stop < part.stops.size() && part.stops[stop].place.boundary == k && (k < last || final); ++stop) {
            const Stop& here = part.stops[stop];
            const auto there = state.within_fixed(part.record.size(k), here.place.beyond);
            pass(here.row, state.t() + here.place.beyond, state.reached(), there);
          }
          if (k == last) break;
          if (part.mapped) {
            ++k;
            state.set_direction(std::span<const double>(varied).subspan((k - first) * states_, states_));
            state.set(part.record.time(k), part.mapped->state(k));
            continue;
          }
          const std::size_t next = stop < part.stops.size() ? part.stops[stop].place.boundary : last;
          const bool known = !part.stretches.empty();
          const bool many = part.record.has_equal_steps() && !known;
          const std::size_t to = many ? std::min(next, last) : k + 1;
          if (known) state.recall(this->kept(part.stretches[c], k));
          if (many)
            state.advance({part.piece.t0, part.record.size(k), k, to - k});
          else
            state.step(part.record.size(k), to_fixed_times_);
          state.set(part.record.time(to), state.reached());
          k = to;
        }
      }
      if (!part.piece.end) continue;
      const PieceEnd& end = *part.piece.end;
      const double beyond = end.t - state.t();
      state.go_to_zero(part.record.size(part.record.last()), beyond, code_.columns.size() + end.function);
      state.set(end.t, state.reached());
      for (const std::size_t row : part.at_end) pass(row, end.t, state.y(), state.now());
      if (!end.has_rows && has_row_at(part, end.t) && state.now().moves() && !std::exchange(noted_, true))
        of_.run.facts.notes.push_back(note_of_row_on_switch(end.t));
    }
    compare(0, 0);
    return scale > 0 ? change / scale : 0;
  }

  const DifferentiatedRun& of_;
  AdjointCode& code_;
  TangentCode& variation_;
  sensitivity::StepMaps* maps_;
  const Cotangents& cotangents_;
  std::vector<SmoothPiece> pieces_;
  std::size_t states_;
  std::size_t count_;                // of the parameters of the law
  bool to_fixed_times_;              // whether steps end at fixed times, or are of fixed sizes
  std::vector<std::size_t> places_;  // of the columns of the cotangents, among those of the code
  std::vector<Part> parts_;
  bool noted_ = false;  // whether a row that a switch meets is noted
  Covector adjoint_;    // at the boundary that is reached
  Numbers kept_;        // of a step aside
  Numbers reached_;
  Numbers point_;
  Numbers values_;
  Numbers work_;
};

}  // namespace

bool has_adjoint(const DifferentiatedRun& of) {
  const bool smooth = of.simulator.equations().m() == 0 && of.simulator.system().graph().tables().empty();
  return smooth && of.method.needs != integrate::Requirement::taylor_motion && has_tangent(of);
}

std::optional<Gradient> follow_adjoint(const DifferentiatedRun& of, AdjointCode& code, TangentCode& variation,
                                       sensitivity::StepMaps* maps, const std::vector<Numbers>& slopes,
                                       const Cotangents& cotangents) {
  auto pieces = smooth_pieces(of);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const bool begins = p == 0 || pieces[p - 1].end->jump;
    if (is_held(pieces[p].holds) || (begins && !one_sided_switches(of, pieces[p]).empty())) return std::nullopt;
  }
  return AdjointRun(of, std::move(pieces), code, variation, maps, cotangents)(slopes);
}

}  // namespace herglotz::simulate
