#include "certificate/no_best_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "stage/stage_derivatives.hpp"

namespace herglotz::solve {
namespace {

constexpr std::array<double, 3> distances{0, 1e6, 1e8};  ///< from the control of a stage, in parts of its size
constexpr double in_proportion =
    30;  ///< by which K falls more over the last distance than over the one before, at least
constexpr double falling_rounding = 1e-6;  ///< of the terms of K
constexpr double no_cost = 1e-6;           ///< for each unit of time, in the units of the setup

/// Value of K = P.F, and the sum of the sizes of its terms.
struct Hamiltonian {
  double value = 0;
  double terms = 0;
};

/// Returns K at the stages with other values of a control.
template <class Value>
std::vector<Hamiltonian> with_control(const Setup& setup, const Path& path, std::size_t control, const Value& value) {
  std::vector<Stage> stages;
  for (const Interval& interval : path.intervals)
    for (Stage stage : interval.stages) {
      stage.w[control] = value(stage.w[control]);
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

/// Returns whether K, which controls make least, falls at a stage, and in proportion over the last of three distances.
bool falls(const Hamiltonian& here, const Hamiltonian& next, const Hamiltonian& last) {
  const double near = here.value - next.value;
  return near > falling_rounding * here.terms && here.value - last.value > in_proportion * near;
}

/// Returns whether K falls in proportion to the distance at every stage.
bool falls_everywhere(const Setup& setup, const Path& path, std::size_t control, double sign) {
  std::array<std::vector<Hamiltonian>, distances.size()> at;
  for (std::size_t k = 0; k < distances.size(); ++k)
    at[k] = with_control(setup, path, control,
                         [&](double u) { return u + sign * distances[k] * std::max(1.0, std::abs(u)); });
  for (std::size_t i = 0; i < at[0].size(); ++i)
    if (!falls(at[0][i], at[1][i], at[2][i])) return false;
  return !at[0].empty();
}

/// Returns the values of a control inside its bounds, next to 0, at which a tangent in the rates has a pole, with the
/// slope of its argument.
std::vector<std::pair<double, double>> poles_of(const Setup& setup, std::size_t control) {
  const symbolic::Expr u = setup.form.w[control];
  auto& graph = u.graph();
  const double size = setup.units.w[control];
  const auto is_constant = [&](symbolic::Expr f) {
    const auto used = symbolic::free_symbols(std::vector{f});
    return std::all_of(used.begin(), used.end(), [&](const symbolic::Expr& symbol) {
      const auto& parameters = setup.problem.system.parameters;
      return std::any_of(parameters.begin(), parameters.end(), [&](const auto& one) { return one.symbol == symbol; });
    });
  };
  std::vector<std::pair<double, double>> poles;
  for (const symbolic::NodeId id : graph.reachable(setup.form.rates)) {
    const symbolic::Expr node(graph, id);
    if (node.op() != symbolic::Op::tan || !symbolic::depends_on(node, u)) continue;
    const symbolic::Expr slope = symbolic::derivative(node.child(0), u);
    const symbolic::Expr rest = symbolic::substitute(node.child(0), std::vector{u}, std::vector{graph.number(0)});
    if (!is_constant(slope) || !is_constant(rest)) continue;
    const double k = setup.value(slope) * size;
    for (const double angle : {-std::numbers::pi / 2, std::numbers::pi / 2}) {
      const double pole = (angle - setup.value(rest)) / k;
      if (pole > setup.lower[control] && pole < setup.upper[control]) poles.emplace_back(pole, k);
    }
  }
  return poles;
}

/// Returns whether K falls without bound on one side or the other of a pole, at most of the stages: at some the factor
/// of the tangent may vanish.
bool falls_at_pole(const Setup& setup, const Path& path, std::size_t control, double pole, double slope) {
  const auto here = with_control(setup, path, control, [](double u) { return u; });
  std::array<std::array<std::vector<Hamiltonian>, 2>, 2> beside;
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t k = 0; k < 2; ++k)
      beside[side][k] = with_control(
          setup, path, control, [&](double) { return pole + (side == 0 ? -1 : 1) * (k == 0 ? 1e-5 : 1e-7) / slope; });
  std::size_t falling = 0;
  for (std::size_t i = 0; i < here.size(); ++i)
    if (falls(here[i], beside[0][0][i], beside[0][1][i]) || falls(here[i], beside[1][0][i], beside[1][1][i])) ++falling;
  return 2 * falling > here.size();
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

std::string infinite_hamiltonian(const Setup& setup, const Path& path) {
  if (setup.problem.kind != control::Kind::kinematic || setup.by_group || path.intervals.empty()) return {};
  for (std::size_t u = 0; u < setup.problem.controls.size(); ++u)
    for (const auto& [pole, slope] : poles_of(setup, u))
      if (falls_at_pole(setup, path, u, pole, slope))
        return fmt::format(
            "the Hamiltonian has no largest value: it grows without bound as '{}' comes to {:.6g}, where "
            "a tangent is infinite; give it bounds that keep it away from there",
            setup.problem.controls[u].name(), pole * setup.units.w[u]);
  return {};
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
  return infinite_hamiltonian(setup, path);
}

}  // namespace herglotz::solve
