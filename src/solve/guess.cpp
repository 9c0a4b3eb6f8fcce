#include "guess.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>

#include "herglotz/error.hpp"
#include "herglotz/linear/least_squares.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr;

class Guess {
 public:
  Guess(const Setup& setup, const Bend& bend, double duration)
      : setup_(setup), problem_(setup.problem), bend_(bend), duration_(duration) {
    symbols_.push_back(problem_.guess.s);
    values_.push_back(0);
    for (const auto& parameter : problem_.system.parameters) {
      if (parameter.symbol == problem_.guess.s) continue;
      symbols_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
    std::vector<Expr> of_base = problem_.system.algebroid.x;
    for (const auto& parameter : problem_.system.parameters) of_base.push_back(parameter.symbol);
    rho_.emplace(problem_.system.algebroid.rho.entries, of_base);
  }

  /// Returns the states and algebraic variables at s = (t - t0)/duration; actions are 0.
  Stage at(double s) {
    Stage stage;
    stage.t = setup_.t0 + s * duration_;
    for (std::size_t i = 0; i < setup_.d(); ++i) stage.v.push_back(state(i, s));
    const auto y = velocities(s);
    const std::size_t n = problem_.system.n();
    if (problem_.kind == control::Kind::mechanical)
      for (std::size_t a = 0; a < y.size(); ++a)
        if (!given(setup_.form.v[n + a].name(), s)) stage.v[n + a] = y[a];
    for (std::size_t j = 0; j < setup_.m(); ++j) {
      double value = problem_.kind == control::Kind::two_point ? y[j] : 0;
      if (const auto guessed = given(setup_.form.w[j].name(), s)) {
        value = *guessed;
      } else if (std::isfinite(setup_.lower[j]) && std::isfinite(setup_.upper[j])) {
        value = (setup_.lower[j] + setup_.upper[j]) / 2;
      }
      const double range = setup_.upper[j] - setup_.lower[j];
      value += wave(j, s + 0.5) * (std::isfinite(range) ? range : setup_.sizes.w[j]);
      stage.w.push_back(std::clamp(value, setup_.lower[j], setup_.upper[j]));
    }
    stage.P.assign(setup_.d(), 0.0);
    stage.kappa.assign(setup_.along(), 0.0);
    stage.bound.assign(setup_.m(), 0.0);
    return stage;
  }

 private:
  /// Returns the value that [guess] gives to a name, by an expression or by a path.
  [[nodiscard]] std::optional<double> given(std::string_view name, double s) {
    const control::Guess& guess = problem_.guess;
    if (const auto found = guess.values.find(name); found != guess.values.end())
      return evaluate(name, found->second, s);
    const auto column = guess.columns.find(name);
    if (column == guess.columns.end()) return std::nullopt;
    const Values& times = guess.times;
    const double t = times.front() + s * (times.back() - times.front());
    const auto after = std::clamp(std::upper_bound(times.begin(), times.end(), t), times.begin() + 1, times.end() - 1);
    const auto k = static_cast<std::size_t>(after - times.begin());
    const double share = (t - times[k - 1]) / (times[k] - times[k - 1]);
    return (1 - share) * column->second[k - 1] + share * column->second[k];
  }

  double evaluate(std::string_view name, Expr expression, double s) {
    values_.front() = s;
    auto [place, is_new] = evaluations_.try_emplace(name);
    if (is_new) place->second.emplace(std::span(&expression, 1), symbols_);
    const double value = (*place->second)(values_).front();
    if (!std::isfinite(value))
      throw Refused(fmt::format("the guess of '{}' is not finite at s = {:.3g}", name, s),
                    "give an expression that is finite from s = 0 to 1", "[guess]");
    return value;
  }

  /// Returns the wave of variable j; waves of different variables differ.
  [[nodiscard]] double wave(std::size_t j, double s) const {
    if (bend_.wave == 0) return 0;
    return bend_.wave * std::sin(std::numbers::pi * static_cast<double>(1 + (j + bend_.pitch) % 3) * s);
  }

  double state(std::size_t i, double s) { return straight(i, s) + setup_.sizes.v[i] * wave(i, s); }

  double straight(std::size_t i, double s) {
    if (const auto guessed = given(setup_.form.v[i].name(), s))
      return *guessed - (i == setup_.form.cost() ? setup_.independent.at(s * duration_) : 0);
    const auto& start = setup_.initial[i];
    const auto& end = setup_.final[i];
    if (start && end) return *start + s * (*end - *start);
    return start ? *start : end.value_or(0.0);
  }

  /// Returns the shortest y that solves rho y = dx/dt in the sense of least squares.
  Values velocities(double s) {
    const auto& e = problem_.system.algebroid;
    if (problem_.kind == control::Kind::kinematic || e.n() == 0) return Values(e.r(), 0.0);
    constexpr double step = 1e-4;
    const double before = std::max(0.0, s - step);
    const double after = std::min(1.0, s + step);
    Eigen::VectorXd rate(static_cast<Eigen::Index>(e.n()));
    Values values;
    for (std::size_t i = 0; i < e.n(); ++i) {
      rate[static_cast<Eigen::Index>(i)] = (state(i, after) - state(i, before)) / ((after - before) * duration_);
      values.push_back(state(i, s));
    }
    for (const auto& parameter : problem_.system.parameters) values.push_back(parameter.value);
    const auto entries = (*rho_)(values);
    const Eigen::MatrixXd rho = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
        entries.data(), static_cast<Eigen::Index>(e.n()), static_cast<Eigen::Index>(e.r()));
    Eigen::VectorXd y = linear::least_squares(rho, rate);
    // Rounding of a velocity that is 0 would pass for the size of that velocity.
    constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
    const double largest = y.lpNorm<Eigen::Infinity>();
    y = (y.array().abs() > rounding * largest).select(y, 0.0);
    return {y.data(), y.data() + y.size()};
  }

  const Setup& setup_;
  const control::Problem& problem_;
  Bend bend_;
  double duration_;
  std::vector<Expr> symbols_;
  Values values_;
  std::map<std::string_view, std::optional<symbolic::Evaluation>> evaluations_;  ///< of the expressions of [guess]
  std::optional<symbolic::Evaluation> rho_;                                      ///< by the base
};

/// Returns F at a stage.
Values rates_at(const Setup& setup, const Stage& stage) {
  Values point = stage.v;
  point.insert(point.end(), stage.w.begin(), stage.w.end());
  point.insert(point.end(), {1, stage.t});
  Values rates(setup.stage.functions());
  setup.stage.values(point, rates);
  return rates;
}

}  // namespace

double guessed_duration(const Setup& setup) {
  if (setup.duration) return *setup.duration;
  const double middle =
      std::isfinite(setup.longest) ? (setup.shortest + setup.longest) / 2 : std::max(setup.sizes.time, setup.shortest);
  return std::clamp(setup.problem.guess.duration.value_or(middle), setup.shortest, setup.longest);
}

std::string limited_duration(const Setup& setup) {
  const auto& guessed = setup.problem.guess.duration;
  constexpr double rounding = 1e-12;  // a solution at a limit may miss it by as much
  if (setup.duration || !guessed || std::abs(guessed_duration(setup) - *guessed) <= rounding * *guessed) return {};
  return fmt::format(
      "the path of the guess has the duration {:.8g}, and [boundary] allows {} {:.8g}: it was {} to that", *guessed,
      *guessed < setup.shortest ? "no less than" : "no more than", guessed_duration(setup),
      *guessed < setup.shortest ? "stretched" : "shortened");
}

Mesh uniform_mesh(const Setup& setup, std::size_t most) {
  Arc arc;
  arc.held.assign(setup.problem.controls.size(), Hold::free);
  arc.nodes = equal_nodes(std::min(setup.problem.settings.intervals, most));
  arc.duration = guessed_duration(setup);
  return {{std::move(arc)}};
}

Path guessed_path(const Setup& setup, const Collocation& method, const Mesh& mesh, const Bend& bend) {
  double T = guessed_duration(setup);
  if (!setup.duration) T = std::clamp(bend.stretch * T, setup.shortest, setup.longest);
  Guess guess(setup, bend, T);
  Path path;
  path.durations = {T};
  path.ends.assign(setup.conditions(), 0.0);
  const Values& nodes = mesh.arcs.front().nodes;
  // Actions follow from the rates along the guess, unless it has an expression for them.
  std::vector<std::size_t> actions{setup.form.cost()};
  if (setup.problem.kind == control::Kind::mechanical) actions.push_back(setup.form.cost() - 1);
  std::erase_if(actions, [&](std::size_t a) { return setup.problem.guess.values.contains(setup.form.v[a].name()); });
  Values reached(setup.d(), 0.0);
  for (const std::size_t a : actions) reached[a] = setup.initial[a].value_or(0.0);
  const auto with_actions = [&](Stage stage, const Values& values) {
    for (const std::size_t a : actions) stage.v[a] = values[a];
    return stage;
  };
  for (std::size_t k = 0; k + 1 < nodes.size(); ++k) {
    Interval interval;
    interval.t = setup.t0 + T * nodes[k];
    interval.h = T * (nodes[k + 1] - nodes[k]);
    interval.v0 = with_actions(guess.at(nodes[k]), reached).v;
    interval.P0.assign(setup.d(), 0.0);
    interval.P1 = interval.P0;
    const Values before = reached;
    for (std::size_t i = 0; i < method.stages(); ++i) {
      const double c = method.c[static_cast<Eigen::Index>(i)];
      Stage stage = with_actions(guess.at(nodes[k] + c * (nodes[k + 1] - nodes[k])), before);
      const Values rates = rates_at(setup, stage);
      for (const std::size_t a : actions) {
        if (!std::isfinite(rates[a])) continue;
        stage.v[a] += c * interval.h * rates[a];
        reached[a] += method.b[static_cast<Eigen::Index>(i)] * interval.h * rates[a];
      }
      interval.stages.push_back(std::move(stage));
    }
    interval.v1 = with_actions(guess.at(nodes[k + 1]), reached).v;
    path.intervals.push_back(std::move(interval));
  }
  return path;
}

}  // namespace herglotz::solve
