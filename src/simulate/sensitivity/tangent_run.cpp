#include "sensitivity/tangent_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "herglotz/integrate/collocation.hpp"
#include "sensitivity/central_slope.hpp"
#include "sensitivity/repetition.hpp"
#include "sensitivity/tangent_code.hpp"

namespace herglotz::simulate {
namespace {

/// Relative difference of repeated steps from those of the run that round-off explains.
constexpr double repeated = 1e-7;

/// Size of a step from which the derivative by its size is found at a boundary of adaptive steps, in parts of the run.
constexpr double shortest = 1e-3;

/// A time at which derivatives are wanted: a row of the run, or a crossing.
struct Stop {
  double t = 0;
  bool moves = false;                          ///< the time is that of a crossing, and moves with it
  std::size_t event = 0;                       ///< the crossing's event, if it moves
  std::vector<analyse::Column>* to = nullptr;  ///< receives the derivatives
  std::size_t first = 0;                       ///< the first of these columns
  bool with_time = false;                      ///< whether these columns begin with the time
  std::optional<std::size_t> row{};            ///< the row of the run, if it is one
};

/// The run once more, step by step, with the derivatives of its states.
class TangentRun {
 public:
  TangentRun(const DifferentiatedRun& of, TangentCode& code, const std::vector<std::vector<double>>& slopes)
      : of_(of),
        code_(code),
        lanes_(code_.steps->lanes()),
        states_(of.run.facts.initial.size() - 1),
        groups_((of.directions.size() + lanes_ - 1) / lanes_) {
    for (const auto& [name, value] : of.run.facts.parameters) theta_.push_back(value);
    for (const auto& [name, value] : of.run.facts.initial) y_.push_back(value);
    t_ = t0_ = y_.back();
    y_.pop_back();
    reached_.resize(states_);
    for (std::size_t g = 0; g < groups_; ++g) {
      dy_.push_back(spread_slopes(slopes, g));
      parameters_.push_back(parameters_of_group(g));
    }
    aside_ = dy_;
    point_.resize(code_.functions.variables());
    values_.resize(code_.functions.outputs());
    work_.resize(code_.functions.work_size());
    directed_.resize(code_.functions.parameters());
    std::copy(theta_.begin(), theta_.end(), directed_.begin());
    list_stops();
  }

  void operator()() {
    const integrate::Settings settings = settings_of_repetition(of_, t0_);
    if (!of_.method.adaptive) return by_steps_of_one_size(settings.step);
    const auto sink = [&](const integrate::Sample& sample) {
      take(sample);
      return next_ < stops_.size();
    };
    const auto outcome = integrate::integrate(of_.simulator.dynamics_for(of_.method), theta_, t0_, y_, settings, sink);
    if (outcome.status != integrate::Status::success && outcome.status != integrate::Status::cancelled)
      throw RunFailed(outcome.message, "", {});
    if (next_ < stops_.size())
      throw RunFailed(fmt::format("no step reached t = {:.9g} again", stops_[next_].t), "", {});
  }

 private:
  using Lanes = std::vector<std::vector<double>>;  // one list for each group of directions

  [[nodiscard]] std::vector<double> spread_slopes(const std::vector<std::vector<double>>& slopes, std::size_t g) const {
    std::vector<double> dy(states_ * lanes_, 0.0);
    for (std::size_t k = g * lanes_; k < std::min(slopes.size(), (g + 1) * lanes_); ++k)
      for (std::size_t i = 0; i < states_; ++i) dy[i * lanes_ + k - g * lanes_] = slopes[k][i];
    return dy;
  }

  [[nodiscard]] std::vector<double> parameters_of_group(std::size_t g) const {
    std::vector<double> parameters(2 * theta_.size() * lanes_, 0.0);
    for (std::size_t j = 0; j < theta_.size(); ++j) {
      std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(j * lanes_), lanes_, theta_[j]);
      for (std::size_t lane = 0; lane < lanes_ && g * lanes_ + lane < of_.directions.size(); ++lane)
        parameters[(theta_.size() + j) * lanes_ + lane] = along(g * lanes_ + lane, j);
    }
    return parameters;
  }

  /// Returns the derivative of parameter j along direction k.
  [[nodiscard]] double along(std::size_t k, std::size_t j) const {
    return of_.directions[k].parameter && of_.run.facts.parameters[j].first == of_.directions[k].name ? 1.0 : 0.0;
  }

  /// Lists rows and crossings in the order of the run, and adds the columns of the derivatives.
  void list_stops() {
    auto& run = of_.run;
    const auto& t = run.columns.front().values;
    const std::string time = run.columns.front().name;
    const bool ended = t.back() != run.facts.t_end;
    std::vector<std::string> names = code_.columns;
    names.insert(names.begin(), time);
    add_columns(ended ? names : code_.columns, of_.directions, of_.derivatives);
    for (std::size_t row = 0; row < t.size(); ++row)
      stops_.push_back({t[row], false, 0, &of_.derivatives, 1, ended, row});
    for (std::size_t e = 0; e < run.events.size(); ++e) {
      auto& columns = run.events[e].columns;
      const std::size_t first = columns.size();
      add_columns(names, of_.directions, columns);
      for (const double at : columns.front().values) stops_.push_back({at, true, e, &columns, first, true});
      const bool stops = of_.simulator.system().events[e].stop && !columns.front().values.empty();
      if (ended && stops && columns.front().values.back() == t.back()) {
        stops_[t.size() - 1].moves = true;
        stops_[t.size() - 1].event = e;
      }
    }
    const bool backwards = run.facts.t_end < t0_;
    std::stable_sort(stops_.begin(), stops_.end(),
                     [&](const Stop& a, const Stop& b) { return backwards ? a.t > b.t : a.t < b.t; });
  }

  [[nodiscard]] bool before(double a, double b) const { return of_.run.facts.t_end < t0_ ? a > b : a < b; }

  /// Moves to a sample of the run, with what is wanted on the way.
  void take(const integrate::Sample& sample) {
    if (sample.t == t_) return emit_here();
    while (next_ < stops_.size() && before(stops_[next_].t, sample.t)) beside(stops_[next_++], sample.t - t_);
    for (std::size_t g = 0; g < groups_; ++g) step(g, sample.t - t_, dy_[g]);
    require_repeated(sample.t, sample.state);
    t_ = sample.t;
    y_.assign(sample.state.begin(), sample.state.end());
    emit_here();
  }

  /// Goes from one stop to the next by steps of one size; a stop inside a step is reached by a shorter one.
  void by_steps_of_one_size(double h) {
    constexpr double rounding = 1e-9;  // of a step, as the run itself takes it
    std::size_t taken = 0;
    for (const Stop& stop : stops_) {
      const auto due = static_cast<std::size_t>(std::floor((stop.t - t0_) / h + rounding));
      if (due > taken) {
        advance({t0_, h, taken, due - taken});
        taken = due;
        t_ = t0_ + static_cast<double>(taken) * h;
      }
      if (std::abs(stop.t - t_) > rounding * std::abs(h)) {
        beside(stop, h);
        continue;
      }
      if (stop.row && due > 0) {
        const std::vector<double> state = state_in(*stop.row);
        reached_ = y_;
        require_repeated(stop.t, state);
        y_ = state;
      }
      emit(stop, stop.t, y_, dy_, h);
    }
  }

  void advance(const sensitivity::TangentSteps::Steps& steps) {
    for (std::size_t g = 0; g < groups_; ++g)
      if (!code_.steps->advance(steps, y_, parameters_[g], dy_[g], reached_)) throw without_derivative();
    y_ = reached_;
  }

  /// Returns the state in a row of the run.
  [[nodiscard]] std::vector<double> state_in(std::size_t row) const {
    std::vector<double> state;
    for (std::size_t i = 0; i < states_; ++i) state.push_back(of_.run.columns[1 + i].values[row]);
    return state;
  }

  void emit_here() {
    const double whole = of_.run.facts.t_end - t0_;
    while (next_ < stops_.size() && stops_[next_].t == t_) emit(stops_[next_++], t_, y_, dy_, shortest * whole);
  }

  /// Emits the derivatives at a time inside the next step, which is of size h, reached by a shorter step.
  void beside(const Stop& stop, double h) {
    aside_ = dy_;
    for (std::size_t g = 0; g < groups_; ++g)
      if (!code_.steps->within(t_, h, stop.t - t_, y_, parameters_[g], aside_[g], reached_)) throw without_derivative();
    emit(stop, stop.t, std::vector<double>(reached_), aside_, h);
  }

  /// Returns the derivative of the state at a time t inside a step from t_ of size h by that time, by differences of
  /// parts of h.
  [[nodiscard]] std::vector<double> by_step_size(double t, double h) {
    std::vector<double> variation(dy_.front().size(), 0.0);
    const auto values_at = [&](std::span<const double> offsets) -> std::optional<std::vector<std::vector<double>>> {
      std::vector<std::vector<double>> all;
      for (const double offset : offsets) {
        if (!code_.steps->within(t_, h, t + offset - t_, y_, parameters_.front(), variation, reached_))
          return std::nullopt;
        std::fill(variation.begin(), variation.end(), 0.0);
        all.push_back(reached_);
      }
      return all;
    };
    const auto slope = central_slope(values_at, std::abs(h), states_);
    if (!slope) throw without_derivative();
    return slope->values;
  }

  void step(std::size_t g, double h, std::vector<double>& dy) {
    if (!code_.steps->step(t_, h, y_, parameters_[g], dy, reached_)) throw without_derivative();
  }

  [[nodiscard]] RunFailed without_derivative() const {
    return {fmt::format("the steps after t = {:.9g} have no derivative: a number is not finite, or accelerations are "
                        "solved for with too small a pivot",
                        t_),
            "",
            {}};
  }

  /// Throws RunFailed if the steps are not those of the run.
  void require_repeated(double t, std::span<const double> state) const {
    double size = 0;
    double off = 0;
    for (std::size_t i = 0; i < states_; ++i) {
      size = std::max({size, std::abs(state[i]), std::abs(state[i] - y_[i])});
      off = std::max(off, std::abs(state[i] - reached_[i]));
    }
    // The stages of adaptive implicit steps were solved for to the tolerance.
    const bool to_tolerance = of_.method.adaptive && integrate::collocation_of(of_.method);
    if (!(off <= (to_tolerance ? repeated + of_.run.facts.tolerance : repeated) * size))
      throw RunFailed(fmt::format("the steps to t = {:.9g} could not be repeated: they differ by {:.3g}", t, off), "",
                      {});
  }

  /// Writes the derivatives of columns and events along a variation of the state and parameters into values_.
  void evaluate(double t, const std::vector<double>& y) {
    std::copy(y.begin(), y.end(), point_.begin());
    point_.back() = t;
    code_.functions(point_.data(), directed_.data(), values_.data(), work_.data());
  }

  /// Emits the derivatives at a stop inside, or at the start of, a step of size h.
  void emit(const Stop& stop, double t, const std::vector<double>& y, const Lanes& dy, double h) {
    const std::size_t columns = code_.columns.size();
    const std::size_t functions = values_.size() / 2;
    const auto variation = point_.begin() + static_cast<std::ptrdiff_t>(states_);
    std::vector<double> rates;  // of columns and events, as the time of the stop moves
    if (stop.moves) {
      const std::vector<double> by_h = by_step_size(t, h);
      std::copy(by_h.begin(), by_h.end(), variation);
      std::fill(directed_.begin() + static_cast<std::ptrdiff_t>(theta_.size()), directed_.end(), 0.0);
      evaluate(t, y);
      for (std::size_t k = 0; k < functions; ++k) rates.push_back(values_[k] + values_[functions + k]);
    }
    for (std::size_t k = 0; k < of_.directions.size(); ++k) {
      for (std::size_t i = 0; i < states_; ++i)
        variation[static_cast<std::ptrdiff_t>(i)] = dy[k / lanes_][i * lanes_ + k % lanes_];
      for (std::size_t j = 0; j < theta_.size(); ++j) directed_[theta_.size() + j] = along(k, j);
      evaluate(t, y);
      const double shift = stop.moves ? -values_[columns + stop.event] / rates[columns + stop.event] : 0.0;
      const auto put = [&](std::size_t column, double value) {
        (*stop.to)[stop.first + column * of_.directions.size() + k].values.push_back(value);
      };
      if (stop.with_time) put(0, shift);
      for (std::size_t c = 0; c < columns; ++c)
        put(stop.with_time ? c + 1 : c, stop.moves ? values_[c] + rates[c] * shift : values_[c]);
    }
  }

  const DifferentiatedRun& of_;
  TangentCode& code_;
  std::size_t lanes_;
  std::size_t states_;
  std::size_t groups_;
  std::vector<double> theta_;
  double t0_ = 0;
  double t_ = 0;
  std::vector<double> y_;        // the state of the run at t_
  std::vector<double> reached_;  // the state after the last step
  Lanes dy_;                     // derivatives of y_, lane-minor
  Lanes aside_;
  Lanes parameters_;              // (theta, dtheta), lane-minor
  std::vector<double> directed_;  // (theta, dtheta) of one direction
  std::vector<double> point_;
  std::vector<double> values_;
  std::vector<double> work_;
  std::vector<Stop> stops_;
  std::size_t next_ = 0;
};

}  // namespace

bool has_tangent(const DifferentiatedRun& of) {
  using integrate::Ingredient;
  const Ingredient needs = of.method.needs;
  const bool derived = needs == Ingredient::stepped_motion || needs == Ingredient::adaptive_motion ||
                       needs == Ingredient::taylor_motion || integrate::collocation_of(of.method);
  const bool moved = of.request.settings.project && !of.simulator.system().invariants.empty();
  // Steps that end where pieces of inputs meet are not made again.
  const bool driven = !of.simulator.system().graph().tables().empty();
  return derived && of.simulator.equations().m() == 0 && !moved && !driven && !of.request.settings.time_scale;
}

void follow_tangents(const DifferentiatedRun& of, TangentCode& code, const std::vector<std::vector<double>>& slopes) {
  TangentRun(of, code, slopes)();
  of.run.facts.notes.emplace_back("derivatives by variational equations, which go through the same steps");
}

}  // namespace herglotz::simulate
