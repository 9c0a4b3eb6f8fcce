#include "steps/solve_steps.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "facts.hpp"
#include "guess.hpp"
#include "herglotz/linear/partial_lu.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "scale/sizes.hpp"
#include "start/starts.hpp"
#include "steps/step_nlp.hpp"

namespace herglotz::solve {
namespace {

using analyse::Role;
using control::Kind;
using symbolic::Expr;

constexpr double unreached = 1e-3;  ///< an end that the nearest path misses by more is out of reach

Values parameter_values(const control::Problem& problem) {
  Values values;
  for (const auto& parameter : problem.system.parameters) values.push_back(parameter.value);
  return values;
}

/// Map from velocities to momenta dL/dy and its inverse, evaluated at the nodes.
class Legendre {
 public:
  Legendre(const control::Problem& problem, const std::vector<Expr>& momenta) : momenta_(momenta) {
    const auto& system = problem.system;
    symbols_ = system.algebroid.y;
    symbols_.insert(symbols_.end(), system.algebroid.x.begin(), system.algebroid.x.end());
    symbols_.insert(symbols_.end(), {system.z, system.t});
    for (const auto& parameter : system.parameters) symbols_.push_back(parameter.symbol);
    rest_ = parameter_values(problem);
    for (const Expr& p : momenta)
      for (const Expr& slope : symbolic::gradient(p, system.algebroid.y)) hessian_.push_back(slope);
  }

  [[nodiscard]] Values momenta(const Values& y, const Values& x, double z, double t) const {
    return symbolic::evaluate(momenta_, symbols_, values(y, x, z, t));
  }

  [[nodiscard]] Values velocities(const Values& p, const Values& x, double z, double t, Values y) const {
    const auto r = static_cast<Eigen::Index>(y.size());
    for (int k = 0; k < 50; ++k) {
      const auto at = values(y, x, z, t);
      const auto now = symbolic::evaluate(momenta_, symbols_, at);
      const auto slopes = symbolic::evaluate(hessian_, symbols_, at);
      const Eigen::MatrixXd W = Eigen::Map<const Eigen::MatrixXd>(slopes.data(), r, r).transpose();
      const Eigen::VectorXd step = linear::PartialLu(W).solve(Eigen::Map<const Eigen::VectorXd>(p.data(), r) -
                                                              Eigen::Map<const Eigen::VectorXd>(now.data(), r));
      double size = 0;
      for (std::size_t a = 0; a < y.size(); ++a) {
        y[a] += step[static_cast<Eigen::Index>(a)];
        size = std::max(size, std::abs(step[static_cast<Eigen::Index>(a)]) / std::max(1.0, std::abs(y[a])));
      }
      if (!(size > 1e-15)) break;
    }
    return y;
  }

 private:
  [[nodiscard]] Values values(const Values& y, const Values& x, double z, double t) const {
    Values all = y;
    all.insert(all.end(), x.begin(), x.end());
    all.insert(all.end(), {z, t});
    all.insert(all.end(), rest_.begin(), rest_.end());
    return all;
  }

  std::vector<Expr> momenta_;
  std::vector<Expr> hessian_;
  std::vector<Expr> symbols_;
  Values rest_;
};

class StepSolver {
 public:
  explicit StepSolver(const control::Problem& problem)
      : problem_(problem),
        form_(control::discrete_step(problem)),
        setup_(problem),
        step_(form_.step, parameter_values(problem)),
        ends_(form_.ends, parameter_values(problem)),
        legendre_(problem, form_.momenta),
        n_(problem.settings.intervals),
        mechanical_(problem.kind == Kind::mechanical) {}

  Solution run(const std::function<bool()>& go_on) {
    StepNlp nlp(numbers());
    optimise::PrimalDualPoint start = first(nlp, {});
    auto found = optimise::minimise(nlp, start, {1e-9, 1000, false, 0, go_on});
    // Small changes of a guess along which controls do not move its end say little of the ends that others reach.
    for (const double wave : {0.3, -0.3, 1.0}) {
      if (found.verdict != optimise::Verdict::unimproved) break;
      start = first(nlp, {1, wave});
      auto other = optimise::minimise(nlp, start, {1e-9, 1000, false, 0, go_on});
      other.iterations += found.iterations;
      found = std::move(other);
    }
    if (found.verdict != optimise::Verdict::stopped) {
      const bool near = found.verdict == optimise::Verdict::solved;
      auto exact = optimise::find_stationary(nlp, near ? found.at : start, {1e-14, 200, false, 0, go_on});
      exact.iterations += found.iterations;
      if (exact.verdict == optimise::Verdict::solved) found = std::move(exact);
    }
    return solution(nlp, found, go_on);
  }

 private:
  [[nodiscard]] StepProblem numbers() const {
    StepProblem p{step_, ends_};
    p.d = form_.v.size();
    p.m = form_.w.size();
    p.intervals = n_;
    p.sign = setup_.sign;
    p.t0 = setup_.t0;
    p.duration = setup_.duration;
    p.shortest = setup_.shortest;
    p.longest = setup_.longest;
    p.lower.assign(setup_.lower.begin(), setup_.lower.begin() + static_cast<std::ptrdiff_t>(p.m));
    p.upper.assign(setup_.upper.begin(), setup_.upper.begin() + static_cast<std::ptrdiff_t>(p.m));
    p.initial = setup_.initial;
    p.final = setup_.final;
    // Given velocities become conditions on momenta, so the momenta themselves are free.
    for (std::size_t a = 0; mechanical_ && a < problem_.system.r(); ++a)
      p.initial[problem_.system.n() + a] = p.final[problem_.system.n() + a] = std::nullopt;
    return p;
  }

  optimise::PrimalDualPoint first(const StepNlp& nlp, const Bend& bend) {
    const Collocation midpoint(1);
    const Path guess = guessed_path(setup_, midpoint, uniform_mesh(setup_), bend);
    optimise::PrimalDualPoint start;
    start.x.assign(nlp.lower().size(), 0.0);
    start.mu.assign(nlp.g_lower().size(), 0.0);
    start.at_lower.assign(start.x.size(), 0.0);
    start.at_upper = start.at_lower;
    for (std::size_t k = 0; k <= n_; ++k) {
      const Interval& interval = guess.intervals[std::min(k, n_ - 1)];
      const Values v = in_momenta(k < n_ ? interval.v0 : interval.v1, interval.t);
      std::copy(v.begin(), v.end(), start.x.begin() + static_cast<std::ptrdiff_t>(nlp.node(k)));
      for (std::size_t j = 0; k < n_ && j < form_.w.size(); ++j)
        start.x[nlp.node(k) + v.size() + j] = interval.stages.front().w[j];
    }
    if (!setup_.duration) start.x.back() = guessed_duration(setup_);
    for (std::size_t i = 0; i < start.x.size(); ++i)
      start.x[i] = std::clamp(start.x[i], nlp.lower()[i], nlp.upper()[i]);
    return start;
  }

  /// Returns (x, y, z, zeta) with momenta in place of velocities.
  [[nodiscard]] Values in_momenta(Values v, double t) const {
    if (!mechanical_) return v;
    const auto n = static_cast<std::ptrdiff_t>(problem_.system.n());
    const auto r = static_cast<std::ptrdiff_t>(problem_.system.r());
    const Values p = legendre_.momenta({v.begin() + n, v.begin() + n + r}, {v.begin(), v.begin() + n},
                                       v[static_cast<std::size_t>(n + r)], t);
    std::copy(p.begin(), p.end(), v.begin() + n);
    return v;
  }

  /// Returns the path of the problem by collocation that comes nearest to its ends: small changes of steps do not prove
  /// that these are out of reach.
  [[nodiscard]] NearestEnd nearest(const std::function<bool()>& go_on) const {
    Setup model(problem_);
    model.sizes = sizes_of(model);
    const Setup setup = model.divided_by(model.sizes);
    const Collocation midpoint(1);
    Mesh mesh = in_units(setup.units, uniform_mesh(model));
    const Path guess = in_units(setup.units, guessed_path(model, midpoint, mesh));
    set_durations(mesh, guess);
    return nearest_end(model, setup, midpoint, mesh, guess, go_on);
  }

  Solution solution(StepNlp& nlp, const optimise::Minimum& found, const std::function<bool()>& go_on) {
    Solution result;
    const auto violation = optimise::largest_violation(nlp, found.at.x);
    const double stationarity = optimise::stationarity(nlp, found.at);
    const double tolerance = std::max(problem_.settings.tolerance, 1e-12);
    result.residuals = {
        {"defect", violation.size}, {"stationarity", stationarity}, {"transversality", transversality(nlp, found.at)}};
    result.reason = found.reason;
    const bool holds = violation.size <= tolerance && stationarity <= std::max(tolerance, 1e-8);
    if (found.verdict == optimise::Verdict::stopped) {
      result.status = Status::stopped;
    } else if (holds) {
      result.status = Status::solved;
    } else if (found.verdict == optimise::Verdict::infeasible || found.verdict == optimise::Verdict::unimproved) {
      const NearestEnd end = nearest(go_on);
      const bool proved = end.found && end.is_nearest && end.distance > unreached;
      result.status = proved ? Status::infeasible : Status::not_converged;
      result.reason =
          proved ? out_of_reach(end)
                 : fmt::format(
                       "{}; farthest from holding is equation {} of step {}, by {:.3g}; whether the ends can be "
                       "reached was not decided",
                       found.reason, violation.constraint % form_.rows + 1, violation.constraint / form_.rows + 1,
                       violation.size);
    }
    result.cost = setup_.sign * nlp.objective(found.at.x);
    result.duration = nlp.duration(found.at.x);
    result.intervals = n_;
    result.iterations = static_cast<std::size_t>(found.iterations);
    result.method = "direct-herglotz";
    result.solvers = optimise::solver_versions();
    if (std::string note = limited_duration(setup_); !note.empty()) result.notes.push_back(std::move(note));
    result.notes.emplace_back("the errors of the discretisation are not estimated: they are of the order of the rule");
    write_rows(nlp, found.at, result);
    state_facts(problem_, result);
    return result;
  }

  /// Returns the largest slope of the Lagrange function by a state at an end that is not given, relative to the terms
  /// of all, or by a free duration, relative to its own.
  [[nodiscard]] double transversality(StepNlp& nlp, const optimise::PrimalDualPoint& at) const {
    std::vector<std::size_t> unknowns;
    for (std::size_t a = 0; a < form_.v.size(); ++a)
      unknowns.insert(unknowns.end(), {nlp.node(0) + a, nlp.node(n_) + a});
    if (!setup_.duration) unknowns.push_back(at.x.size() - 1);
    std::erase_if(unknowns, [&](std::size_t i) { return nlp.lower()[i] == nlp.upper()[i]; });
    auto slopes = optimise::lagrange_slopes(nlp, at, unknowns);
    double worst = 0;
    if (!setup_.duration && !unknowns.empty() && unknowns.back() == at.x.size() - 1) {
      const double T = at.x.back();
      const bool at_limit = T - setup_.shortest <= 1e-7 * T || setup_.longest - T <= 1e-7 * T;
      if (!at_limit && slopes.back().size > 0) worst = std::abs(slopes.back().value) / slopes.back().size;
      slopes.pop_back();
    }
    double largest = 0;
    double size = 0;
    for (const auto& slope : slopes) {
      largest = std::max(largest, std::abs(slope.value));
      size = std::max(size, slope.size);
    }
    return size > 0 ? std::max(worst, largest / size) : worst;
  }

  void write_rows(const StepNlp& nlp, const optimise::PrimalDualPoint& at, Solution& result) const {
    const auto& system = problem_.system;
    const std::size_t n = system.n();
    const std::size_t d = form_.v.size();
    const auto costates = nlp.costates(at);
    const double share = std::abs(costates.back()[d - 1]);
    double size = 0;
    for (const double P : costates.back()) size = std::max(size, std::abs(P));
    result.abnormal = share < std::sqrt(std::min(problem_.settings.tolerance, 1e-6)) * size;
    control::Iterate& iterate = result.iterate;
    for (const Expr& state : form_.v) iterate.states.emplace_back(state.name());
    for (const Expr& control : form_.w) iterate.algebraic.emplace_back(control.name());
    iterate.controls = form_.w.size();
    auto& columns = result.trajectory.columns;
    const double h = result.duration / static_cast<double>(n_);
    Values y(system.r(), 0.0);
    for (std::size_t k = 0; k <= n_; ++k) {
      std::size_t next = 0;
      const auto put = [&](const std::string& name, Role role, double value) {
        if (next == columns.size()) columns.push_back({name, role, {}});
        columns[next++].values.push_back(value);
      };
      const auto first = at.x.begin() + static_cast<std::ptrdiff_t>(nlp.node(k));
      const Values v(first, first + static_cast<std::ptrdiff_t>(d));
      const Values x(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
      const double t = setup_.t0 + static_cast<double>(k) * h;
      iterate.times.push_back(t);
      iterate.v.insert(iterate.v.end(), v.begin(), v.end());
      iterate.P.insert(iterate.P.end(), costates[k].begin(), costates[k].end());
      const double R = setup_.sign * costates[k][d - 1];
      const double divisor = result.abnormal ? 1 : R;
      put(std::string(system.t.name()), Role::time, t);
      for (std::size_t i = 0; i < n; ++i) put(std::string(system.algebroid.x[i].name()), Role::base, x[i]);
      if (mechanical_) {
        const auto p = v.begin() + static_cast<std::ptrdiff_t>(n);
        y = legendre_.velocities({p, p + static_cast<std::ptrdiff_t>(system.r())}, x, v[d - 2], t, y);
        for (std::size_t a = 0; a < y.size(); ++a) put(std::string(system.algebroid.y[a].name()), Role::fibre, y[a]);
        put(std::string(system.z.name()), Role::action, v[d - 2]);
        const std::size_t step = nlp.node(std::min(k, n_ - 1)) + d;
        for (std::size_t j = 0; j < form_.w.size(); ++j)
          put(std::string(form_.w[j].name()), Role::observable, at.x[step + j]);
      }
      put(std::string(form_.v.back().name()), Role::action, v.back());
      for (std::size_t a = 0; a < n; ++a)
        put("p_" + std::string(system.algebroid.y[a].name()), Role::momentum, -costates[k][a] / divisor);
      if (mechanical_) {
        for (std::size_t a = 0; a < system.r(); ++a)
          put("q_" + std::string(system.algebroid.y[a].name()), Role::momentum, -costates[k][n + a] / divisor);
        put("p_" + std::string(system.z.name()), Role::momentum, -costates[k][d - 2] / divisor);
      }
      put("R", Role::factor, result.abnormal ? 0 : R);
    }
  }

  const control::Problem& problem_;
  control::DiscreteStep form_;
  Setup setup_;
  Batch step_;
  Batch ends_;
  Legendre legendre_;
  std::size_t n_;
  bool mechanical_;
};

}  // namespace

Solution solve_steps(const control::Problem& problem, const std::function<bool()>& go_on) {
  return StepSolver(problem).run(go_on);
}

}  // namespace herglotz::solve
