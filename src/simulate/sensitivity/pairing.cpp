#include "sensitivity/pairing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sensitivity/pieces/repetition.hpp"
#include "sensitivity/pieces/state_variation.hpp"

namespace herglotz::simulate {
namespace {

class Pairing {
 public:
  Pairing(const DifferentiatedRun& of, std::vector<Part>& parts, const RowCotangents& rows,
          const std::vector<double>& start_variation, const std::vector<double>& by_theta)
      : of_(of),
        parts_(parts),
        rows_(rows),
        by_theta_(by_theta),
        state_(parts.front().variation, {start_variation}, {by_theta}) {}

  double operator()() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      Part& part = parts_[p];
      if (p > 0 && parts_[p - 1].piece.end->jump) state_.jump(of_.law.system(), *parts_[p - 1].piece.end->jump);
      if (p > 0) state_.set_code(part.variation);
      state_.set(part.piece.t0, part.piece.state);
      state_.set_parameters(part.piece.parameters);
      for (const std::size_t row : part.at_start) pass(row, part.piece.t0, part.piece.state, state_.now());
      follow(part);
      if (part.piece.end) leave(part, *part.piece.end);
    }
    compare(0, 0);
    return scale_ > 0 ? change_ / scale_ : 0;
  }

 private:
  void compare(double pairing, double size) {
    if (!at_start_) at_start_ = pairing;
    change_ = std::max(change_, std::abs(pairing + passed_ - *at_start_));
    scale_ = std::max(scale_, size + std::abs(passed_));
  }
  void compare_with(std::span<const double> adjoint) {
    along_ = state_.now().dy.front();
    along_.insert(along_.end(), by_theta_.begin(), by_theta_.end());
    along_.push_back(state_.now().dt.front().front());
    double sum = 0;
    double sizes = 0;
    for (std::size_t i = 0; i < adjoint.size(); ++i) {
      sum += adjoint[i] * along_[i];
      sizes += std::abs(adjoint[i] * along_[i]);
    }
    compare(sum, sizes);
  }

  /// Adds what a row adds along the variation.
  void pass(std::size_t row, double t, const std::vector<double>& y, const StateVariation::Variation& variation) {
    const auto values = state_.derivatives(0, t, y, variation);
    for (std::size_t k = 0; k < rows_.places().size(); ++k) passed_ += rows_.at(row, k) * values[rows_.places()[k]];
    passed_ += rows_.of_time(row) * variation.dt.front().front();
  }

  /// Goes to the last boundary of a piece.
  void follow(Part& part) {
    const auto& kept = part.record.kept();
    std::size_t stop = 0;
    for (std::size_t c = 0; c < kept.size(); ++c) {
      of_.attend();
      const bool final = c + 1 == kept.size();
      const std::size_t last = final ? part.record.last() : kept[c + 1].boundary;
      const std::size_t first = kept[c].boundary;
      state_.set(part.record.time(first), kept[c].state);
      const auto varied = part.mapped ? state_.along(*part.mapped, first, last - first) : std::vector<double>();
      for (std::size_t k = first;;) {
        if (k == first || (part.mapped && (k < last || final))) compare_with(part.adjoint(c, k));
        for (; stop < part.stops.size() && part.stops[stop].place.boundary == k && (k < last || final); ++stop) {
          const Stop& here = part.stops[stop];
          const auto there = state_.within_fixed(part.record.size(k), here.place.beyond);
          pass(here.row, here.place.t, state_.reached(), there);
        }
        if (k == last) break;
        if (part.mapped) {
          ++k;
          const std::size_t states = state_.reached().size();
          state_.set_direction(std::span<const double>(varied).subspan((k - first) * states, states));
          state_.set(part.record.time(k), part.mapped->state(k));
          continue;
        }
        const std::size_t next = stop < part.stops.size() ? part.stops[stop].place.boundary : last;
        k = go_on(part, c, k, std::min(next, last));
      }
    }
  }

  /// Makes the step from a boundary, or all equal ones up to another boundary, and returns the one that it reached.
  std::size_t go_on(Part& part, std::size_t c, std::size_t k, std::size_t next) {
    const bool known = !part.stretches.empty();
    const bool many = part.record.has_equal_steps() && !known;
    const std::size_t to = many ? next : k + 1;
    if (known) state_.recall(part.stretches[c].kept_of(k));
    if (many)
      state_.advance({part.piece.t0, part.record.size(k), k, to - k});
    else
      state_.step(part.record.size(k), ends_at_fixed_times(of_));
    state_.set(part.record.time(to), state_.reached());
    return to;
  }

  /// Goes to the end of a piece.
  void leave(const Part& part, const PieceEnd& end) {
    const double beyond = end.t - state_.t();
    state_.go_to_zero(part.record.size(part.record.last()), beyond, part.code.columns.size() + end.function);
    state_.set(end.t, state_.reached());
    for (const std::size_t row : part.at_end) pass(row, end.t, state_.y(), state_.now());
    if (noted_ || end.has_rows || !has_row_at(part, end.t) || !state_.now().moves()) return;
    of_.run.facts.notes.push_back(note_of_row_on_switch(end.t));
    noted_ = true;
  }

  /// Returns whether the function depends on a row at this fixed time of a piece.
  [[nodiscard]] bool has_row_at(const Part& part, double t) const {
    const auto& times = of_.run.columns.front().values;
    return std::any_of(part.stops.begin(), part.stops.end(), [&](const Stop& stop) { return times[stop.row] == t; });
  }

  const DifferentiatedRun& of_;
  std::vector<Part>& parts_;
  const RowCotangents& rows_;
  const std::vector<double>& by_theta_;
  StateVariation state_;
  std::vector<double> along_;
  double passed_ = 0;
  double scale_ = 0;
  double change_ = 0;
  std::optional<double> at_start_;
  bool noted_ = false;  // whether a row that a switch meets is noted
};

}  // namespace

double pairing_residual(const DifferentiatedRun& of, std::vector<Part>& parts, const RowCotangents& rows,
                        const std::vector<double>& start_variation, const std::vector<double>& by_theta) {
  return Pairing(of, parts, rows, start_variation, by_theta)();
}

}  // namespace herglotz::simulate
