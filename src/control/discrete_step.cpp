#include "herglotz/control/discrete_step.hpp"

#include <algorithm>

#include "derivatives.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::control {
namespace {

using discrete::ActionRule;
using discrete::DiscreteLagrangian;
using discrete::PositionRule;

void refuse_what_has_no_place(const Problem& problem) {
  if (problem.kind == Kind::kinematic)
    throw Refused("[control] gives kinematics, which have no discrete Lagrangian", "use another method", "[control]");
  if (!problem.discrete)
    throw Refused("[mesh] asks for direct-herglotz, and there is no [discrete] with a rule", "add rule = \"midpoint\"",
                  "[mesh]");
  if (discrete::on_groupoid(*problem.discrete))
    throw Refused("[discrete] is on a groupoid, and direct-herglotz takes positions", "choose direct-gauss-4",
                  "[discrete]");
  if (!problem.path.empty())
    throw Refused("[control] has path inequalities, which direct-herglotz cannot honour", "use direct-gauss-4",
                  "[control]");
  if (problem.kind == Kind::two_point && !problem.system.forces.empty())
    for (const Expr& force : problem.system.forces)
      if (!force.is_zero())
        throw Refused("[dynamics] has forces, which no action has", "remove them, or give [control] and [cost]",
                      "[dynamics]");
}

/// Running cost over a step, at the points at which the rule takes the Lagrangian.
class DiscreteCost {
 public:
  DiscreteCost(const Problem& problem, Expr zeta0, Expr zeta1)
      : problem_(problem), step_(*problem.discrete), zeta0_(zeta0), zeta1_(zeta1) {}

  [[nodiscard]] Expr value() const {
    const bool implicit = problem_.action_rule == ActionRule::implicit;
    const auto mean = [&](Expr a, Expr b) { return implicit ? (a + b) / 2.0 : a; };
    const Expr z = mean(step_.z0, step_.z1);
    const Expr zeta = mean(zeta0_, zeta1_);
    const Expr h = step_.h;
    if (problem_.position_rule == PositionRule::left) return h * at(step_.q0, z, zeta, step_.t0);
    if (problem_.position_rule == PositionRule::midpoint) {
      std::vector<Expr> middle;
      for (std::size_t i = 0; i < step_.q0.size(); ++i) middle.push_back((step_.q0[i] + step_.q1[i]) / 2.0);
      return h * at(middle, z, zeta, step_.t0 + h / 2.0);
    }
    return h / 2.0 *
           (at(step_.q0, step_.z0, zeta0_, step_.t0) +
            at(step_.q1, implicit ? step_.z1 : step_.z0, implicit ? zeta1_ : zeta0_, step_.t0 + h));
  }

 private:
  [[nodiscard]] Expr at(const std::vector<Expr>& x, Expr z, Expr zeta, Expr t) const {
    const auto& system = problem_.system;
    std::vector<Expr> from = system.algebroid.x;
    from.insert(from.end(), system.algebroid.y.begin(), system.algebroid.y.end());
    from.insert(from.end(), {system.z, problem_.cost.action, system.t});
    std::vector<Expr> to = x;
    for (std::size_t i = 0; i < x.size(); ++i) to.push_back((step_.q1[i] - step_.q0[i]) / step_.h);
    to.insert(to.end(), {z, zeta, t});
    return symbolic::substitute(symbolic::expand_lets(problem_.cost.running), from, to);
  }

  const Problem& problem_;
  const DiscreteLagrangian& step_;
  Expr zeta0_;
  Expr zeta1_;
};

/// Adds p - dL/dy = 0 at an end whose velocities are given.
void add_momentum_conditions(Problem& problem, const std::vector<Expr>& momenta, bool initial) {
  const auto& system = problem.system;
  auto& graph = system.graph();
  const auto& boundary = problem.boundary;
  const auto symbol = [&](Expr state) {
    return graph.symbol(initial ? initial_name(state.name()) : final_name(state.name()));
  };
  std::vector<Expr> from;
  std::vector<Expr> to;
  for (const Expr& x : system.algebroid.x) {
    from.push_back(x);
    to.push_back(symbol(x));
  }
  std::size_t given = 0;
  for (const Expr& y : system.algebroid.y) {
    const auto& values = initial ? boundary.initial : boundary.final;
    const auto found = values.find(y.name());
    const bool free = initial ? std::find(boundary.free_initial.begin(), boundary.free_initial.end(), y.name()) !=
                                    boundary.free_initial.end()
                              : found == values.end();
    if (free) continue;
    ++given;
    from.push_back(y);
    to.push_back(found == values.end() ? graph.number(0) : found->second);
  }
  if (given == 0) return;
  if (given < system.r())
    throw Refused("[boundary] gives some velocities of an end, of which direct-herglotz needs all or none",
                  "give the others, or use direct-gauss-4", "[boundary]");
  const Expr start =
      boundary.initial.contains(system.t.name()) ? boundary.initial.find(system.t.name())->second : graph.number(0);
  from.insert(from.end(), {system.z, system.t});
  to.insert(to.end(), {symbol(system.z), initial ? start : start + boundary.duration_symbol});
  for (std::size_t a = 0; a < system.r(); ++a)
    problem.boundary.conditions.push_back(symbol(system.p[a]) - symbolic::substitute(momenta[a], from, to));
}

}  // namespace

DiscreteStep discrete_step(const Problem& problem) {
  refuse_what_has_no_place(problem);
  const auto& system = problem.system;
  auto& graph = system.graph();
  const DiscreteLagrangian& step = *problem.discrete;
  const bool mechanical = problem.kind == Kind::mechanical;
  DiscreteStep result;
  result.v = system.algebroid.x;
  std::vector<Expr> v0 = step.q0;
  std::vector<Expr> v1 = step.q1;
  std::vector<Expr> residual;
  Problem at_ends = problem;
  if (mechanical) {
    result.momenta = symbolic::gradient(symbolic::expand_lets(system.generator), system.algebroid.y);
    const auto d1 = symbolic::gradient(step.ell, step.q0);
    const auto d2 = symbolic::gradient(step.ell, step.q1);
    const Expr below = 1 - symbolic::derivative(step.ell, step.z1);
    const Expr above = 1 + symbolic::derivative(step.ell, step.z0);
    std::vector<Expr> ends;
    for (std::size_t a = 0; a < system.r(); ++a) {
      result.v.push_back(system.p[a]);
      v0.push_back(graph.symbol("start(" + std::string(system.p[a].name()) + ")"));
      v1.push_back(graph.symbol("end(" + std::string(system.p[a].name()) + ")"));
      residual.push_back(above * v0.back() + d1[a] + step.minus[a]);
      ends.push_back(below * v1.back() - d2[a] - step.plus[a]);
    }
    residual.insert(residual.end(), ends.begin(), ends.end());
    for (const bool initial : {true, false}) add_momentum_conditions(at_ends, result.momenta, initial);
    result.w = problem.controls;
  }
  result.v.push_back(system.z);
  v0.push_back(step.z0);
  v1.push_back(step.z1);
  residual.push_back(step.z1 - step.z0 - step.ell);
  if (mechanical) {
    result.v.push_back(problem.cost.action);
    v0.push_back(graph.symbol("start(cost)"));
    v1.push_back(graph.symbol("end(cost)"));
    residual.push_back(v1.back() - v0.back() - DiscreteCost(problem, v0.back(), v1.back()).value());
  }
  result.rows = residual.size();
  std::vector<Expr> variables = v0;
  variables.insert(variables.end(), v1.begin(), v1.end());
  variables.insert(variables.end(), result.w.begin(), result.w.end());
  variables.insert(variables.end(), {step.h, step.t0});
  result.step = with_derivatives(problem, "step", variables, residual);
  FirstOrder form;
  form.v = result.v;
  result.ends = end_programs(at_ends, form);
  result.conditions = at_ends.boundary.conditions.size();
  return result;
}

}  // namespace herglotz::control
