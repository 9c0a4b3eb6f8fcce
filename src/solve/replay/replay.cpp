#include "herglotz/solve/replay.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "facts.hpp"
#include "herglotz/control/epigraphs.hpp"
#include "herglotz/control/magnitudes.hpp"
#include "herglotz/control/signed_parts.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "parts/without_kinks.hpp"
#include "parts/without_norms.hpp"
#include "replay/given_controls.hpp"

namespace herglotz::solve {
namespace {

using analyse::Role;
using control::Kind;
using linear::index;
using symbolic::Expr;

constexpr std::size_t stages = 4;
constexpr std::size_t most_parts = 64;
constexpr int most_iterations = 30;
constexpr double precision = 1e-14;
constexpr double finest = 1e-13;  ///< smaller changes are rounding errors

class Follower {
 public:
  Follower(const Setup& setup, const std::function<bool()>& go_on)
      : setup_(setup), go_on_(go_on), problem_(setup.problem), method_(stages), controls_(setup) {}

  Replay run() {
    Replay result;
    const double tolerance = std::max(problem_.settings.tolerance, finest);
    Values before;
    std::optional<Path> path;
    result.reason = fmt::format("halving the steps does not bring the error of the end below {:.2g}", tolerance);
    for (std::size_t parts = 1; parts <= most_parts; parts *= 2) {
      if (go_on_ && !go_on_()) {
        result.reason = "stopped";
        break;
      }
      path = followed(parts);
      const Values& end = path->intervals.back().v1;
      if (!ends_) {
        result.reason = fmt::format("the motion ceases to exist near t = {:.6g}", path->end());
        before.clear();
        continue;
      }
      if (!before.empty()) {
        result.error = 0;
        for (std::size_t i = 0; i < end.size(); ++i)
          result.error = std::max(result.error, std::abs(end[i] - before[i]) / std::max(1.0, std::abs(end[i])));
        result.complete = result.error <= tolerance;
      }
      if (result.complete) break;
      before = end;
    }
    if (path) write(*path, result);
    return result;
  }

 private:
  /// Returns the motion with each interval of the guess cut into parts, up to where it exists.
  Path followed(std::size_t parts) {
    Path path = controls_.on(method_, parts);
    ends_ = true;
    Values v = path.intervals.front().v0;
    for (std::size_t i = 0; i < setup_.d(); ++i) v[i] = setup_.initial[i].value_or(v[i]);
    Values others;
    for (std::size_t k = 0; k < path.intervals.size(); ++k) {
      Interval& interval = path.intervals[k];
      interval.v0 = v;
      for (Stage& stage : interval.stages) {
        stage.v = v;
        if (k > 0) std::copy(others.begin(), others.end(), stage.w.begin() + first_other());
      }
      if (!step(interval)) {
        ends_ = false;
        path.intervals.resize(k + 1);
        break;
      }
      v = interval.v1;
      others.assign(interval.stages.back().w.begin() + first_other(), interval.stages.back().w.end());
    }
    return path;
  }

  [[nodiscard]] std::ptrdiff_t first_other() const { return static_cast<std::ptrdiff_t>(problem_.controls.size()); }
  [[nodiscard]] std::size_t others() const { return setup_.m() - problem_.controls.size(); }

  /// Solves the stages of one step, in (Y, variables that are not controls) of each, by Newton's method.
  bool step(Interval& interval) const {
    const std::size_t d = setup_.d();
    const std::size_t block = d + others();
    for (int k = 0; k < most_iterations; ++k) {
      const auto [f, J] = evaluated(interval.stages, interval.h);
      Eigen::VectorXd residual(index(stages * block));
      Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(index(stages * block), index(stages * block));
      for (std::size_t i = 0; i < stages; ++i) {
        for (std::size_t a = 0; a < d; ++a) {
          double sum = -f[i][index(a)];
          for (std::size_t j = 0; j < stages; ++j) {
            const double weight = method_.D(index(i), index(j));
            sum += weight * (interval.stages[j].v[a] - interval.v0[a]);
            matrix(index(i * block + a), index(j * block + a)) += weight;
          }
          residual[index(i * block + a)] = sum;
        }
        for (std::size_t j = 0; j < others(); ++j) residual[index(i * block + d + j)] = f[i][index(d + j)];
        auto place = matrix.block(index(i * block), index(i * block), index(block), index(block));
        place.topLeftCorner(index(d), index(d)) -= J[i].topLeftCorner(index(d), index(d));
        place.topRightCorner(index(d), index(others())) -=
            J[i].block(0, index(d) + first_other(), index(d), index(others()));
        place.bottomLeftCorner(index(others()), index(d)) = J[i].block(index(d), 0, index(others()), index(d));
        place.bottomRightCorner(index(others()), index(others())) =
            J[i].block(index(d), index(d) + first_other(), index(others()), index(others()));
      }
      if (!residual.allFinite() || !matrix.allFinite()) return false;
      const Eigen::VectorXd change = linear::PartialLu(matrix).solve(-residual);
      if (!change.allFinite()) return false;
      double relative = 0;
      for (std::size_t i = 0; i < stages; ++i) {
        Stage& stage = interval.stages[i];
        const auto move = [&](double& value, double by) {
          value += by;
          relative = std::max(relative, std::abs(by) / std::max(1.0, std::abs(value)));
        };
        for (std::size_t a = 0; a < d; ++a) move(stage.v[a], change[index(i * block + a)]);
        for (std::size_t j = 0; j < others(); ++j)
          move(stage.w[problem_.controls.size() + j], change[index(i * block + d + j)]);
      }
      if (relative > 1e8) return false;
      if (relative > precision && (k + 1 < most_iterations || relative > 1e-9)) continue;
      interval.v1 = interval.v0;
      for (std::size_t a = 0; a < d; ++a)
        for (std::size_t j = 0; j < stages; ++j)
          interval.v1[a] += method_.d[index(j)] * (interval.stages[j].v[a] - interval.v0[a]);
      return true;
    }
    return false;
  }

  /// Returns (h F, C, D) and its Jacobian by (v, w, h, t) at stages.
  [[nodiscard]] std::pair<std::vector<Eigen::VectorXd>, std::vector<Eigen::MatrixXd>> evaluated(
      const std::vector<Stage>& at, double h) const {
    const std::size_t functions = setup_.stage.functions();
    const auto& pattern = setup_.stage.jacobian();
    Values points;
    for (const Stage& stage : at) {
      points.insert(points.end(), stage.v.begin(), stage.v.end());
      points.insert(points.end(), stage.w.begin(), stage.w.end());
      points.insert(points.end(), {h, stage.t});
    }
    Values f(at.size() * functions);
    Values entries(at.size() * pattern.row.size());
    setup_.stage.values(points, f);
    setup_.stage.jacobian(points, entries);
    std::pair<std::vector<Eigen::VectorXd>, std::vector<Eigen::MatrixXd>> result;
    for (std::size_t k = 0; k < at.size(); ++k) {
      result.first.emplace_back(Eigen::Map<Eigen::VectorXd>(f.data() + k * functions, index(functions)));
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(index(functions), index(setup_.stage.inputs()));
      for (std::size_t e = 0; e < pattern.row.size(); ++e)
        J(index(pattern.row[e]), index(pattern.col[e])) += entries[k * pattern.row.size() + e];
      result.second.push_back(std::move(J));
    }
    return result;
  }

  void write(const Path& path, Replay& result) const {
    const Values& end = path.intervals.back().v1;
    for (std::size_t i = 0; i < setup_.d(); ++i) result.end[std::string(setup_.form.v[i].name())] = end[i];
    result.duration = path.end() - path.start();
    result.cost = cost(path);
    for (const Interval& interval : path.intervals) write_row(at(interval, interval.t), interval.v0, result);
    if (ends_) write_row(at(path.intervals.back(), path.end()), end, result);
  }

  [[nodiscard]] double cost(const Path& path) const {
    Values point = path.intervals.front().v0;
    const Values& end = path.intervals.back().v1;
    point.insert(point.end(), end.begin(), end.end());
    point.push_back(path.end() - path.start());
    Values ends(setup_.ends.functions());
    setup_.ends.values(point, ends);
    return end[setup_.form.cost()] + ends[0];
  }

  void write_row(const Stage& stage, const Values& v, Replay& result) const {
    const auto& system = problem_.system;
    std::vector<Expr> symbols = setup_.form.v;
    Values values = v;
    symbols.insert(symbols.end(), setup_.form.w.begin(), setup_.form.w.end());
    values.insert(values.end(), stage.w.begin(), stage.w.end());
    symbols.push_back(system.t);
    values.push_back(stage.t);
    for (const auto& parameter : system.parameters) {
      symbols.push_back(parameter.symbol);
      values.push_back(parameter.value);
    }
    std::size_t next = 0;
    auto& columns = result.trajectory.columns;
    const auto put = [&](const Expr& name, Role role, double value) {
      if (next == columns.size()) columns.push_back({std::string(name.name()), role, {}});
      columns[next++].values.push_back(value);
    };
    put(system.t, Role::time, stage.t);
    for (std::size_t i = 0; i < system.n(); ++i) put(system.algebroid.x[i], Role::base, v[i]);
    const Values y = problem_.kind == Kind::kinematic ? symbolic::evaluate(problem_.kinematics, symbols, values)
                                                      : Values(v.begin() + index(system.n()), v.end());
    for (std::size_t a = 0; a < system.r(); ++a) put(system.algebroid.y[a], Role::fibre, y[a]);
    if (problem_.kind == Kind::mechanical) {
      put(system.z, Role::action, v[system.n() + system.r()]);
      for (std::size_t j = problem_.controls.size() + system.r(); j < setup_.m(); ++j)
        put(setup_.form.w[j], Role::multiplier, stage.w[j]);
    }
    for (std::size_t u = 0; u < problem_.controls.size(); ++u) put(problem_.controls[u], Role::observable, stage.w[u]);
    put(setup_.form.v.back(), Role::action, v.back());
    if (problem_.kind == Kind::kinematic) {
      symbols.insert(symbols.end(), system.algebroid.y.begin(), system.algebroid.y.end());
      values.insert(values.end(), y.begin(), y.end());
    }
    for (const auto& observable : system.observables) {
      const auto used = symbolic::free_symbols(std::vector<Expr>{observable.value});
      const bool known = std::all_of(used.begin(), used.end(), [&](const Expr& symbol) {
        return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
      });
      if (!known) continue;  // costates are those of a solution
      if (next == columns.size()) columns.push_back({observable.name, Role::observable, {}});
      columns[next++].values.push_back(symbolic::evaluate(observable.value, symbols, values));
    }
  }

  const Setup& setup_;
  const std::function<bool()>& go_on_;
  const control::Problem& problem_;
  Collocation method_;
  GivenControls controls_;
  bool ends_ = true;  ///< false if the last motion ceased to exist before its end
};

}  // namespace

Replay replay(const control::Problem& problem, const std::function<bool()>& go_on) {
  if (problem.controls.empty())
    throw Refused("[boundary] stands without [control], so that no controls can be followed", "use solve",
                  "[boundary]");
  // Solutions of problems with kinks have magnitudes, parts of controls, and variables above the kinks of the cost.
  const auto& path = problem.guess.iterate;
  auto magnitudes = path ? control::with_magnitudes(problem) : std::nullopt;
  if (magnitudes && !is_path_of(*magnitudes, *path)) magnitudes.reset();
  const control::Problem& directed = magnitudes ? magnitudes->problem : problem;
  const auto parts = path ? control::with_signed_parts(directed) : std::nullopt;
  const control::Problem& split = parts ? parts->problem : directed;
  auto epigraphs = path ? control::with_epigraphs(split) : std::nullopt;
  if (epigraphs && !is_path_of(*epigraphs, *path)) epigraphs.reset();
  const Setup setup(epigraphs ? epigraphs->problem : split);
  Replay result = Follower(setup, go_on).run();
  if (epigraphs) remove_epigraphs(*epigraphs, result.trajectory.columns);
  if (parts) join_controls(*parts, result.trajectory.columns);
  if (magnitudes) join_controls(*magnitudes, result.trajectory.columns);
  auto& facts = result.trajectory.facts;
  state_problem(problem, facts);
  facts.method = "gauss-8";
  facts.method_reason = "the controls are given";
  facts.order = 2 * static_cast<int>(stages);
  facts.t_end = setup.t0 + result.duration;
  facts.complete = result.complete;
  if (!result.complete) facts.status = result.reason;
  facts.steps = result.trajectory.rows() == 0 ? 0 : result.trajectory.rows() - 1;
  return result;
}

}  // namespace herglotz::solve
