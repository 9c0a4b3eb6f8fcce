#include "sensitivity/adjoint_run.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "herglotz/integrate/collocation.hpp"
#include "sensitivity/pairing.hpp"
#include "sensitivity/parts.hpp"
#include "sensitivity/pieces/jump_slopes.hpp"
#include "sensitivity/pieces/repetition.hpp"
#include "sensitivity/pieces/state_variation.hpp"
#include "sensitivity/start_slopes.hpp"

namespace herglotz::simulate {
namespace {

using Numbers = std::vector<double>;
using sensitivity::AdjointSteps;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
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

/// The run backwards, with the adjoints of its steps and of what happens at the ends of its smooth pieces, and then
/// forwards again with one variation.
class AdjointRun {
 public:
  AdjointRun(const DifferentiatedRun& of, std::vector<SmoothPiece> pieces, const ReverseCode& code,
             const Cotangents& cotangents)
      : of_(of),
        maps_(code.maps),
        pieces_(std::move(pieces)),
        rows_(cotangents, code.adjoint(pieces_.front().holds).columns, of.run.rows()),
        states_(pieces_.front().state.size()),
        count_(pieces_.front().parameters.size()),
        to_fixed_times_(ends_at_fixed_times(of)),
        reached_(states_),
        parts_(parts_of(of, pieces_, code, rows_, maps_ != nullptr ? most_kept : 0)) {}

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
      if (const auto own = rows_.by_parameters().find(direction.name); own != rows_.by_parameters().end())
        gradient.by.back() += own->second;
    }
    gradient.residual = pairing_residual(of_, parts_, rows_, start_variation, parameter_variation);
    return gradient;
  }

 private:
  [[nodiscard]] std::size_t place_of_parameter(const std::string& name) const {
    const auto& all = of_.run.facts.parameters;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const auto& parameter) { return parameter.first == name; }) -
        all.begin());
  }

  [[nodiscard]] Covector zero() const { return {Numbers(states_, 0.0), Numbers(count_, 0.0), 0}; }

  /// Returns the derivatives of sum_i c_i F_i; `write` sets the c_i.
  template <class Write>
  Covector pulled_back(const Part& part, double t, std::span<const double> y, const Write& write) {
    const kernel::Kernel& functions = part.code.functions;
    point_.assign(functions.variables(), 0.0);
    values_.resize(functions.outputs());
    work_.resize(functions.work_size());
    std::copy(y.begin(), y.end(), point_.begin());
    write(point_.data() + states_);
    point_.back() = t;
    functions(point_.data(), part.piece.parameters.data(), values_.data(), work_.data());
    const auto parameters = values_.begin() + static_cast<std::ptrdiff_t>(states_);
    return {{values_.begin(), parameters}, {parameters, values_.end() - 1}, values_.back()};
  }
  /// Returns the derivatives of the function by a row.
  Covector of_row(const Part& part, std::size_t row, double t, std::span<const double> y) {
    return pulled_back(part, t, y, [&](double* c) {
      for (std::size_t k = 0; k < rows_.places().size(); ++k) c[rows_.places()[k]] += rows_.at(row, k);
    });
  }
  /// Adds the derivatives by a row whose time moves with the adjoint's.
  void add_moving(const Part& part, const std::vector<std::size_t>& rows, double t, std::span<const double> y) {
    for (const std::size_t row : rows) {
      adjoint_.add(1, of_row(part, row, t, y));
      adjoint_.by_t += rows_.of_time(row);
    }
  }

  static void forward(const Part& part, const AdjointSteps::Step& step, std::span<double> kept,
                      std::span<double> reached) {
    if (!part.code.steps->forward(step, kept, reached)) throw without_derivative(step.t);
  }
  static AdjointSteps::ByTimes backward(const Part& part, const AdjointSteps::Step& step, std::span<const double> kept,
                                        Numbers& cotangent, Numbers& by_theta) {
    const auto by = part.code.steps->backward(step, kept, cotangent, by_theta);
    if (!by) throw without_derivative(step.t);
    return *by;
  }

  [[nodiscard]] static AdjointSteps::Step step(const Part& part, Stretch& stretch, std::size_t boundary) {
    const double h = part.record.size(boundary);
    return {part.record.time(boundary), h, h, stretch.state(boundary), part.piece.parameters};
  }

  /// Makes the steps from a kept state to the next one, which they have to reach.
  Stretch follow(const Part& part, std::size_t c) {
    of_.attend();
    const auto& all = part.record.kept();
    const bool final = c + 1 == all.size();
    Stretch stretch{all[c].boundary, final ? part.record.last() : all[c + 1].boundary, states_,
                    part.code.steps->kept()};
    const std::size_t steps = stretch.last - stretch.first;
    if (part.mapped) {
      const auto states = part.record.states().subspan(stretch.first * states_, (steps + 1) * states_);
      stretch.states.assign(states.begin(), states.end());
      return stretch;
    }
    stretch.states.resize((steps + 1) * states_);
    stretch.kept.resize(steps * stretch.kept_size);
    std::copy(all[c].state.begin(), all[c].state.end(), stretch.states.begin());
    for (std::size_t k = stretch.first; k < stretch.last; ++k)
      forward(part, step(part, stretch, k), stretch.kept_of(k), stretch.state(k + 1));
    if (!final)
      require_repeated(of_, part.record.time(stretch.last), all[c + 1].state, stretch.state(stretch.last),
                       all[c].state);
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
    std::size_t numbers = 0;
    for (const Part& part : parts_) {
      if (!part.variation.steps->recalls()) return;
      numbers += part.record.last() * (part.code.steps->kept() + states_);
    }
    if (numbers > most_kept) return;
    for (Part& part : parts_) {
      part.code.steps->restart();
      for (std::size_t c = 0; c < part.record.kept().size(); ++c) part.stretches.push_back(follow(part, c));
    }
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
    part.adjoints.resize(part.places_of_adjoints() * (states_ + count_ + 1));
    std::size_t stop = part.stops.size();
    for (std::size_t c = count; c-- > 0;) {
      of_.attend();
      part.code.steps->restart();
      Stretch made;
      if (part.stretches.empty()) made = follow(part, c);
      Stretch& stretch = part.stretches.empty() ? made : part.stretches[c];
      const bool final = c + 1 == count;
      if (final) leave(part, stretch.state(stretch.last));
      for (std::size_t k = final ? stretch.last + 1 : stretch.last; k-- > stretch.first;) {
        const bool moving = moves && (k == 0 || !to_fixed_times_);
        if (k < stretch.last) {
          const auto by = part.mapped ? part.mapped->go_back(k, adjoint_.by_y, adjoint_.by_theta)
                                      : backward(part, step(part, stretch, k), stretch.kept_of(k), adjoint_.by_y,
                                                 adjoint_.by_theta);
          adjoint_.by_t = to_fixed_times_ ? by.t - by.part : adjoint_.by_t + by.t;
        }
        for (; stop > 0 && part.stops[stop - 1].place.boundary == k; --stop)
          take(part, part.stops[stop - 1], moving, stretch.state(k));
        if (part.mapped || k == stretch.first) keep_adjoint(part.adjoint(c, k));
      }
    }
    add_moving(part, part.at_start, part.piece.t0, part.piece.state);
  }

  /// Makes a step aside, whose numbers are kept in kept_ and reached_.
  void forward_aside(const Part& part, const AdjointSteps::Step& step) {
    kept_.resize(part.code.steps->kept());
    forward(part, step, kept_, reached_);
  }

  /// Adds what a row adds to the adjoint at the boundary before it, whose state is y.
  void take(const Part& part, const Stop& stop, bool moving, std::span<const double> y) {
    const auto [boundary, beyond, at] = stop.place;
    if (beyond == 0 && !moving) {
      Covector here = of_row(part, stop.row, at, y);
      here.by_t = 0;
      return adjoint_.add(1, here);
    }
    const AdjointSteps::Step step{part.record.time(boundary), part.record.size(boundary), beyond, y,
                                  part.piece.parameters};
    forward_aside(part, step);
    Covector there = of_row(part, stop.row, at, reached_);
    const auto by = backward(part, step, kept_, there.by_y, there.by_theta);
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
    forward_aside(part, step);
    if (end.jump) leave_jump(part, *end.jump);
    add_moving(part, part.at_end, end.t, reached_);
    const Covector of_event =
        pulled_back(part, end.t, reached_, [&](double* c) { c[part.code.columns.size() + end.function] = 1; });
    const auto by_time = [&](const Covector& covector) {
      Numbers by_y = covector.by_y;
      Numbers by_theta(count_, 0.0);
      return covector.by_t + backward(part, step, kept_, by_y, by_theta).part;
    };
    adjoint_.add(-by_time(adjoint_) / by_time(of_event), of_event);
    adjoint_.by_t += backward(part, step, kept_, adjoint_.by_y, adjoint_.by_theta).t;
  }

  /// Replaces the adjoint behind the jump of an event by that of the state before it, which is reached_.
  void leave_jump(const Part& part, std::size_t event) {
    const std::size_t columns = part.code.columns.size();
    const kernel::Kernel& functions = part.variation.functions;
    Numbers values(functions.outputs());
    Numbers work(functions.work_size());
    Numbers point(functions.variables(), 0.0);
    Numbers parameters(functions.parameters(), 0.0);
    std::copy(reached_.begin(), reached_.end(), point.begin());
    point.back() = part.piece.end->t;
    std::copy(part.piece.parameters.begin(), part.piece.parameters.end(), parameters.begin());
    functions(point.data(), parameters.data(), values.data(), work.data());
    const JumpSlopes slopes =
        jump_slopes(of_.law.system(), event, std::span<const double>(values).subspan(values.size() / 2 + columns),
                    std::span<const std::string>(part.code.columns).first(states_), reached_);
    const auto [by_state, by_values] = slopes.pulled_back(adjoint_.by_y);
    const Covector of_values = pulled_back(part, part.piece.end->t, reached_, [&, &by = by_values](double* c) {
      for (std::size_t k = 0; k < slopes.values.size(); ++k) c[columns + slopes.values[k]] += by[k];
    });
    adjoint_.by_y = by_state;
    adjoint_.add(1, of_values);
  }

  const DifferentiatedRun& of_;
  sensitivity::StepMaps* maps_;
  std::vector<SmoothPiece> pieces_;
  RowCotangents rows_;
  std::size_t states_;
  std::size_t count_;    // of the parameters of the law
  bool to_fixed_times_;  // whether steps end at fixed times, or are of fixed sizes
  Covector adjoint_;     // at the boundary that is reached
  Numbers kept_;         // of a step aside
  Numbers reached_;
  Numbers point_;
  Numbers values_;
  Numbers work_;
  std::vector<Part> parts_;
};

}  // namespace

bool has_adjoint(const DifferentiatedRun& of) {
  return of.method.needs != integrate::Requirement::taylor_motion && has_tangent(of);
}

std::optional<Gradient> follow_adjoint(const DifferentiatedRun& of, const ReverseCode& code,
                                       const std::vector<Numbers>& slopes, const Cotangents& cotangents) {
  auto pieces = smooth_pieces(of);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const bool begins = p == 0 || pieces[p - 1].end->jump;
    if (begins && (is_held(pieces[p].holds) || !one_sided_switches(of, pieces[p]).empty())) return std::nullopt;
  }
  return AdjointRun(of, std::move(pieces), code, cotangents)(slopes);
}

}  // namespace herglotz::simulate
