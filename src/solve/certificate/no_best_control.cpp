#include "certificate/no_best_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

constexpr std::array<double, 3> distances{0, 1e6, 1e8};  ///< from the control of a stage, in parts of its size
constexpr double in_proportion =
    30;                            ///< by which K falls more over the last distance than over the one before, at least
constexpr double rounding = 1e-6;  ///< of the terms of K
constexpr double no_cost = 1e-6;   ///< for each unit of time, in the units of the setup

/// Value of K = P.F, and the sum of the sizes of its terms.
struct Hamiltonian {
  double value = 0;
  double terms = 0;
};

/// Returns K at the stages with a control moved by the given part of its size.
std::vector<Hamiltonian> moved(const Setup& setup, const Path& path, std::size_t control, double by) {
  std::vector<Stage> stages;
  for (const Interval& interval : path.intervals)
    for (Stage stage : interval.stages) {
      stage.w[control] += by * std::max(1.0, std::abs(stage.w[control]));
      stages.push_back(std::move(stage));
    }
  const StageDerivatives e = derivatives_at(setup, stages, 1, Orders::first);
  const bool price_is_known = std::none_of(setup.form.rates.begin(), setup.form.rates.end(), [&](const auto& rate) {
    return symbolic::depends_on(rate, setup.form.v.back());
  });
  std::vector<Hamiltonian> result(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (std::size_t a = 0; a < setup.d(); ++a) {
      // Costates of a path that is no solution may be wrong, but not a price that is 1 all along.
      const double P = price_is_known && a == setup.form.cost() ? setup.sign : stages[i].P[a];
      const double term = P * e.f[i].data()[a];
      result[i].value += term;
      result[i].terms += std::abs(term);
    }
  return result;
}

/// Returns whether K, which controls make least, falls in proportion to the distance at every stage.
bool falls_everywhere(const Setup& setup, const Path& path, std::size_t control, double sign) {
  std::array<std::vector<Hamiltonian>, distances.size()> at;
  for (std::size_t k = 0; k < distances.size(); ++k) at[k] = moved(setup, path, control, sign * distances[k]);
  for (std::size_t i = 0; i < at[0].size(); ++i) {
    const double near = at[0][i].value - at[1][i].value;
    const double far = at[0][i].value - at[2][i].value;
    if (!(near > rounding * at[0][i].terms) || !(far > in_proportion * near)) return false;
  }
  return !at[0].empty();
}

bool depends_on_any(symbolic::Expr f, std::span<const symbolic::Expr> symbols) {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const symbolic::Expr& symbol) { return symbolic::depends_on(f, symbol); });
}

bool has_no_bounds(const Setup& setup) {
  for (std::size_t u = 0; u < setup.problem.controls.size(); ++u)
    if (setup.is_bounded(u)) return false;
  return setup.form.inequalities.empty();
}

/// Returns whether the rates vanish with the controls, in which they are linear.
bool are_proportional(const Setup& setup, std::span<const symbolic::Expr> rates) {
  const std::span<const symbolic::Expr> controls = setup.form.w;
  if (setup.form.linear.size() != controls.size()) return false;
  const std::vector<symbolic::Expr> none(controls.size(), controls.front().graph().number(0));
  const auto at_rest = symbolic::substitute(rates, controls, none);
  return std::all_of(at_rest.begin(), at_rest.end(), [](const symbolic::Expr& rate) { return rate.is_zero(); });
}

}  // namespace

std::string cost_of_pace(const Setup& setup, const Path& path) {
  const auto& problem = setup.problem;
  const control::FirstOrder& form = setup.form;
  if (problem.kind != control::Kind::kinematic || setup.duration || setup.shortest > 0 ||
      std::isfinite(setup.longest) || !has_no_bounds(setup) || setup.final[form.cost()] ||
      !problem.boundary.conditions.empty())
    return {};
  const double gathered = path.intervals.back().v1[form.cost()] - path.intervals.front().v0[form.cost()];
  if (!(std::abs(gathered) > no_cost * (path.end() - path.start()))) return {};
  const std::span<const symbolic::Expr> rates(form.rates.data(), form.cost());
  const symbolic::Expr running = form.rates.back();
  const std::array<symbolic::Expr, 2> others{form.v.back(), problem.system.t};
  const bool autonomous = !depends_on_any(running, others) &&
                          std::none_of(rates.begin(), rates.end(),
                                       [&](const symbolic::Expr& rate) { return depends_on_any(rate, others); });
  if (!autonomous || running.is_zero() || depends_on_any(running, form.w) || !are_proportional(setup, rates) ||
      symbolic::depends_on(problem.cost.terminal, problem.boundary.duration_symbol))
    return {};
  return "no duration is the best: the same path at twice the pace has half the running cost, as no control has bounds "
         "or costs anything; give the controls bounds or a cost, or [boundary] a duration";
}

std::string growing_hamiltonian(const Setup& setup, const Path& path) {
  if (setup.problem.kind != control::Kind::kinematic || setup.by_group || path.intervals.empty()) return {};
  for (std::size_t u = 0; u < setup.problem.controls.size(); ++u) {
    if (setup.is_linear(u)) continue;
    for (const double sign : {-1.0, 1.0}) {
      if (std::isfinite(sign < 0 ? setup.lower[u] : setup.upper[u]) || !falls_everywhere(setup, path, u, sign))
        continue;
      return fmt::format("the Hamiltonian has no largest value: it grows without bound with {}'{}'; give it {} bound",
                         sign < 0 ? "-" : "", setup.problem.controls[u].name(), sign < 0 ? "a lower" : "an upper");
    }
  }
  return {};
}

}  // namespace herglotz::solve
