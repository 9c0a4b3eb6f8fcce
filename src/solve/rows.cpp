#include "rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "extremal.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::solve {
namespace {

using analyse::Role;
using control::Kind;
using symbolic::Expr;

/// Path at one time, with the holds of its interval and the integral of K_t up to that time.
struct Moment {
  Stage stage;
  const std::vector<Hold>* held;
  double explicit_change;
};

constexpr std::size_t at_once = 256;  ///< rows whose derivatives are computed together

class Sampler {
 public:
  Sampler(const Setup& setup, const Path& path)
      : setup_(setup),
        path_(path),
        own_(path.intervals.front().stages.size()),
        next_(path.intervals.front().stages.size() + 1) {
    const auto& columns = setup.stage.jacobian().col;
    depends_on_time_ = std::find(columns.begin(), columns.end(), setup.stage.inputs() - 1) != columns.end();
  }

  /// Returns the moments of the rows in the units of the model.
  [[nodiscard]] std::vector<Moment> moments() const {
    std::vector<Moment> result;
    Values times = setup_.problem.settings.output_times;
    for (double& t : times) t /= setup_.units.time;
    std::sort(times.begin(), times.end());
    auto next = times.begin();
    const double tiny = 1e-12 * (path_.end() - path_.start());
    double change = 0;
    for (const Interval& interval : path_.intervals) {
      result.push_back({node(interval, false), &interval.held, change});
      while (next != times.end() && *next <= interval.t + tiny) ++next;
      for (; next != times.end() && *next < interval.t + interval.h - tiny; ++next)
        result.push_back(
            {inside(interval, *next), &interval.held, change + explicit_change(interval, *next - interval.t)});
      change += explicit_change(interval, interval.h);
    }
    const Interval& last = path_.intervals.back();
    result.push_back({node(last, true), &last.held, change});
    for (std::size_t first = 0; first < result.size(); first += at_once)
      settle(std::span(result).subspan(first, std::min(at_once, result.size() - first)));
    for (Moment& moment : result) {
      moment.stage = in_model(setup_.units, moment.stage);
      moment.explicit_change *= setup_.units.cost() / setup_.units.time;
    }
    return result;
  }

 private:
  [[nodiscard]] static Stage node(const Interval& interval, bool last) {
    Stage stage = at(interval, last ? interval.t + interval.h : interval.t);
    stage.v = last ? interval.v1 : interval.v0;
    stage.P = last ? interval.P1 : interval.P0;
    return stage;
  }

  /// Gives stages the controls that make K stationary if they are determined and stay within their bounds. Others keep
  /// their controls, moved into their bounds.
  void settle(std::span<Moment> moments) const {
    for (auto& [stage, held, change] : moments) {
      setup_.keep(*held, stage.w);
      for (std::size_t j = 0; j < setup_.m(); ++j)
        stage.w[j] = std::clamp(stage.w[j], setup_.lower[j], setup_.upper[j]);
    }
    if (!setup_.form.inequalities.empty()) return;
    std::vector<StageAndHold> starts;
    starts.reserve(moments.size());
    for (const Moment& moment : moments) starts.push_back({moment.stage, moment.held});
    auto found = stationary(setup_, starts);
    for (std::size_t k = 0; k < moments.size(); ++k) {
      if (!found[k] || !is_inside(found[k]->w)) continue;
      moments[k].stage = std::move(*found[k]);
      for (std::size_t j = 0; j < setup_.m(); ++j) {
        double& control = moments[k].stage.w[j];
        control = std::clamp(control, setup_.lower[j], setup_.upper[j]);
      }
    }
  }

  [[nodiscard]] bool is_inside(const Values& w) const {
    constexpr double margin = 1e-9;
    for (std::size_t j = 0; j < setup_.m(); ++j)
      if (w[j] < setup_.lower[j] - margin || w[j] > setup_.upper[j] + margin) return false;
    return true;
  }

  [[nodiscard]] Stage inside(const Interval& interval, double t) const {
    Stage stage = at(interval, t);
    const auto end = best_step(setup_, next_, interval, t - interval.t);
    if (end) {
      stage.v = end->v;
      stage.P = end->P;
    }
    return stage;
  }

  /// Returns the integral of K_t over the first part of an interval.
  [[nodiscard]] double explicit_change(const Interval& interval, double length) const {
    if (!depends_on_time_) return 0;
    std::vector<Stage> stages;
    for (const double c : own_.c) stages.push_back(at(interval, interval.t + c * length));
    std::vector<const Stage*> places;
    for (const Stage& stage : stages) places.push_back(&stage);
    const auto points = evaluate(setup_, places);
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      sum += own_.b[static_cast<Eigen::Index>(i)] * length * points[i].K_t;
    return sum;
  }

  const Setup& setup_;
  const Path& path_;
  Collocation own_;   ///< method of Gauss with as many stages as the path has
  Collocation next_;  ///< with one stage more
  bool depends_on_time_ = false;
};

/// Named columns that grow row by row, in the order in which they are first used.
class Table {
 public:
  void put(const std::string& name, Role role, double value) {
    if (next_ == columns_.size()) columns_.push_back({name, role, {}});
    columns_[next_++].values.push_back(value);
  }
  void end_row() { next_ = 0; }
  std::vector<analyse::Column> take() { return std::move(columns_); }

 private:
  std::vector<analyse::Column> columns_;
  std::size_t next_ = 0;
};

class RowWriter {
 public:
  RowWriter(const Setup& setup, const Units& units, bool abnormal)
      : setup_(setup),
        problem_(setup.problem),
        system_(problem_.system),
        least_hamiltonian_(units.cost() / units.time),
        abnormal_(abnormal) {
    symbols_ = setup.form.v;
    symbols_.insert(symbols_.end(), setup.form.w.begin(), setup.form.w.end());
    symbols_.push_back(system_.t);
    for (const auto& parameter : system_.parameters) symbols_.push_back(parameter.symbol);
    kinematics_.emplace(problem_.kinematics, symbols_);
    std::vector<Expr> of_base = system_.algebroid.x;
    for (const auto& parameter : system_.parameters) of_base.push_back(parameter.symbol);
    rho_.emplace(system_.algebroid.rho.entries, of_base);
  }

  Rows write(const std::vector<Moment>& moments) {
    if (moments.empty()) return {};
    start_ = evaluate(setup_, moments.front().stage).K;
    for (std::size_t first = 0; first < moments.size(); first += at_once) {
      const std::size_t count = std::min(at_once, moments.size() - first);
      std::vector<const Stage*> stages;
      for (std::size_t k = 0; k < count; ++k) stages.push_back(&moments[first + k].stage);
      const auto points = evaluate(setup_, stages);
      for (std::size_t k = 0; k < count; ++k) write(moments[first + k], moments.front(), points[k]);
    }
    return {table_.take(), largest_residual_};
  }

 private:
  /// Returns K with the cost that all paths have in common.
  [[nodiscard]] double hamiltonian(const Stage& stage, const Point& point) const {
    return point.K + stage.P[setup_.form.cost()] * setup_.independent.rate_at(passed_);
  }
  [[nodiscard]] double price(const Stage& stage) const { return setup_.sign * stage.P[setup_.form.cost()]; }

  void write(const Moment& moment, const Moment& first, const Point& point) {
    Stage stage = moment.stage;
    passed_ = stage.t - first.stage.t;
    stage.v.back() += setup_.independent.at(passed_);
    values_ = stage.v;
    values_.insert(values_.end(), stage.w.begin(), stage.w.end());
    values_.push_back(stage.t);
    for (const auto& parameter : system_.parameters) values_.push_back(parameter.value);
    write_states(stage);
    const Values p = write_costates(stage, first.stage);
    write_hamiltonian(moment, first, point);
    write_controls(moment, point);
    write_observables(stage, p, point);
    table_.end_row();
  }

  void write_states(const Stage& stage) {
    const std::size_t n = system_.n();
    const std::size_t r = system_.r();
    table_.put(std::string(system_.t.name()), Role::time, stage.t);
    for (std::size_t i = 0; i < n; ++i) table_.put(std::string(system_.algebroid.x[i].name()), Role::base, stage.v[i]);
    const auto kinematics = (*kinematics_)(values_);
    for (std::size_t a = 0; a < r; ++a) {
      const double y = problem_.kind == Kind::two_point   ? stage.w[a]
                       : problem_.kind == Kind::kinematic ? kinematics[a]
                                                          : stage.v[n + a];
      table_.put(std::string(system_.algebroid.y[a].name()), Role::fibre, y);
    }
    if (problem_.kind == Kind::mechanical) table_.put(std::string(system_.z.name()), Role::action, stage.v[n + r]);
    const double R = price(stage);
    for (std::size_t k = 0; k < setup_.form.nu.size(); ++k)
      table_.put(std::string(setup_.form.nu[k].name()), Role::multiplier, -stage.kappa[k] / R);
    if (problem_.kind == Kind::mechanical)
      for (std::size_t j = problem_.controls.size() + r; j < setup_.m(); ++j)
        table_.put(std::string(setup_.form.w[j].name()), Role::multiplier, stage.w[j]);
    for (std::size_t u = 0; u < problem_.controls.size(); ++u)
      table_.put(std::string(problem_.controls[u].name()), Role::observable, stage.w[u]);
    table_.put(std::string(setup_.form.v.back().name()), Role::action, stage.v.back());
  }

  /// Returns rho^T P for the costates P of the base.
  [[nodiscard]] Values in_frame(const Stage& stage) {
    Values values = stage.v;
    values.resize(system_.n());
    for (const auto& parameter : system_.parameters) values.push_back(parameter.value);
    const auto rho = (*rho_)(values);
    Values P(system_.r(), 0.0);
    for (std::size_t i = 0; i < system_.n(); ++i)
      for (std::size_t a = 0; a < system_.r(); ++a) P[a] += rho[i * system_.r() + a] * stage.P[i];
    return P;
  }

  /// Returns the norm of the costates, by which all are divided if R is 0.
  [[nodiscard]] double size_of(const Stage& first) {
    double sum = 0;
    for (const double P : in_frame(first)) sum += P * P;
    for (std::size_t i = system_.n(); i < setup_.form.cost(); ++i) sum += first.P[i] * first.P[i];
    return std::sqrt(sum);
  }

  Values write_costates(const Stage& stage, const Stage& first) {
    const double divisor = abnormal_ ? size_of(first) : price(stage);
    Values p = in_frame(stage);
    const std::size_t r = system_.r();
    for (std::size_t a = 0; a < r; ++a) {
      p[a] = -p[a] / divisor;
      table_.put("p_" + std::string(system_.algebroid.y[a].name()), Role::momentum, p[a]);
    }
    if (problem_.kind == Kind::mechanical) {
      for (std::size_t a = 0; a < r; ++a)
        table_.put("q_" + std::string(system_.algebroid.y[a].name()), Role::momentum,
                   -stage.P[system_.n() + a] / divisor);
      table_.put("p_" + std::string(system_.z.name()), Role::momentum, -stage.P[system_.n() + r] / divisor);
    }
    table_.put("R", Role::factor, abnormal_ ? 0 : price(stage));
    return p;
  }

  void write_hamiltonian(const Moment& moment, const Moment& first, const Point& point) {
    const double scale = abnormal_ ? size_of(first.stage) : price(first.stage);
    const double divisor = abnormal_ ? scale : price(moment.stage);
    const double residual = (start_ + moment.explicit_change - point.K) / scale;
    double size = std::abs(start_ / scale);
    for (std::size_t i = 0; i < setup_.d(); ++i)
      size = std::max(size, std::abs(moment.stage.P[i] * point.F[i] / scale));
    const double relative = residual / std::max(least_hamiltonian_, size);
    largest_residual_ = std::max(largest_residual_, std::abs(relative));
    const double K = hamiltonian(moment.stage, point);
    table_.put("hamiltonian", Role::energy, -K / divisor);
    table_.put("hamiltonian_invariant", Role::invariant, -K / scale);
    table_.put("hamiltonian_residual", Role::residual, relative);
  }

  void write_controls(const Moment& moment, const Point& point) {
    const auto& held = *moment.held;
    const double divisor = abnormal_ ? 1 : price(moment.stage);
    double stationarity = 0;
    const auto at_bound = [&](std::size_t j) {
      if (j >= problem_.controls.size()) return false;
      if (j < held.size() && held[j] != Hold::free) return true;
      return moment.stage.w[j] <= setup_.lower[j] || moment.stage.w[j] >= setup_.upper[j];
    };
    for (std::size_t j = 0; j < setup_.m(); ++j)
      if (!at_bound(j)) stationarity = std::max(stationarity, std::abs(point.K_w[j] / divisor));
    table_.put("stationarity", Role::residual, stationarity);
    for (std::size_t u = 0; u < problem_.controls.size(); ++u)
      if (setup_.is_bounded(u))
        table_.put("bound." + std::string(problem_.controls[u].name()), Role::multiplier,
                   at_bound(u) ? -point.K_w[u] / divisor : 0.0);
    for (const std::size_t u : setup_.form.linear)
      table_.put("switch." + std::string(problem_.controls[u].name()), Role::observable, -point.K_w[u] / divisor);
    for (std::size_t k = 0; k < problem_.path.size(); ++k)
      table_.put(fmt::format("path.{}", k + 1), Role::constraint, point.along[setup_.equations() + k]);
  }

  void write_observables(const Stage& stage, const Values& p, const Point& point) {
    if (system_.observables.empty()) return;
    auto symbols = symbols_;
    auto values = values_;
    symbols.insert(symbols.end(), system_.p.begin(), system_.p.end());
    values.insert(values.end(), p.begin(), p.end());
    for (std::size_t k = 0; k < setup_.form.nu.size(); ++k) {
      symbols.push_back(setup_.form.nu[k]);
      values.push_back(-stage.kappa[k] / price(stage));
    }
    if (problem_.kind == Kind::kinematic) {
      const auto y = (*kinematics_)(values_);
      symbols.insert(symbols.end(), system_.algebroid.y.begin(), system_.algebroid.y.end());
      values.insert(values.end(), y.begin(), y.end());
    }
    symbols.push_back(system_.graph().symbol("hamiltonian"));
    values.push_back(-hamiltonian(stage, point) / price(stage));
    for (const auto& observable : system_.observables)
      table_.put(observable.name, Role::observable, symbolic::evaluate(observable.value, symbols, values));
  }

  const Setup& setup_;
  const control::Problem& problem_;
  const mechanics::System& system_;
  double least_hamiltonian_;  ///< a residual is relative to a size that is at least this
  bool abnormal_;
  std::vector<Expr> symbols_;
  Values values_;
  std::optional<symbolic::Evaluation> kinematics_;
  std::optional<symbolic::Evaluation> rho_;  ///< by the base
  Table table_;
  double passed_ = 0;  ///< time of the row since the start
  double start_ = 0;   ///< K at the start, without the cost that all paths have in common, as in the residual
  double largest_residual_ = 0;
};

}  // namespace

Rows rows_of(const Setup& model, const Setup& setup, const Path& path, bool abnormal) {
  return RowWriter(model, setup.units, abnormal).write(Sampler(setup, path).moments());
}

}  // namespace herglotz::solve
