#include "herglotz/control/first_order.hpp"

#include <algorithm>
#include <iterator>

#include "derivatives.hpp"
#include "herglotz/error.hpp"
#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::control {
namespace {

using mechanics::Formulation;
using mechanics::Rule;
using mechanics::System;

void append(std::vector<Expr>& to, const std::vector<Expr>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

/// Returns rho^i_a y^a.
std::vector<Expr> base_rates(const System& system, const std::vector<Expr>& y) {
  std::vector<Expr> rates;
  for (std::size_t i = 0; i < system.n(); ++i) {
    Expr rate = system.graph().number(0);
    for (std::size_t a = 0; a < system.r(); ++a) rate += system.algebroid.rho(i, a) * y[a];
    rates.push_back(rate);
  }
  return rates;
}

void require_one_anchor(const System& system) {
  const auto& e = system.algebroid;
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k)
    if (!(e.rho.entries[k] - e.sigma.entries[k]).is_zero())
      throw Refused("[algebroid] has two anchors, and a minimisation knows one", "use an algebroid with rho = sigma",
                    "[algebroid]");
}

FirstOrder two_point(const Problem& problem) {
  const System& system = problem.system;
  if (system.formulation != Formulation::lagrangian)
    throw Refused("[dynamics] gives a Hamiltonian", "two-point problems are solved for a lagrangian", "[dynamics]");
  if (system.constraints.rule == Rule::nonholonomic)
    throw Refused("[constraints] with rule nonholonomic belong to no minimum of the action", "use rule = \"vakonomic\"",
                  "[constraints]");
  for (const Expr& force : system.forces)
    if (!force.is_zero())
      throw Refused("[dynamics] has forces, which no action has", "remove them, or give [control] and [cost]",
                    "[dynamics]");
  FirstOrder form;
  form.v = system.algebroid.x;
  form.v.push_back(system.z);
  form.w = system.algebroid.y;
  form.rates = base_rates(system, form.w);
  form.rates.push_back(system.generator);
  for (const Expr& equation : system.constraints.equations)
    form.equations.push_back(mechanics::velocity_constraint(system, equation));
  form.nu = system.constraints.multipliers;
  return form;
}

FirstOrder kinematic(const Problem& problem) {
  const System& system = problem.system;
  if (!system.constraints.equations.empty())
    throw Refused("[constraints] has no place beside kinematics", "put them into the kinematics", "[constraints]");
  FirstOrder form;
  form.v = system.algebroid.x;
  form.w = problem.controls;
  form.rates = base_rates(system, problem.kinematics);
  return form;
}

FirstOrder mechanical(const Problem& problem) {
  const System& system = problem.system;
  if (system.formulation != Formulation::lagrangian)
    throw Refused("[dynamics] gives a Hamiltonian", "give a lagrangian for a problem with controls", "[dynamics]");
  if (system.constraints.rule == Rule::vakonomic)
    throw Refused("[constraints] with rule vakonomic and [control] are two minimisations",
                  "use rule = \"nonholonomic\"", "[constraints]");
  const mechanics::Equations q = mechanics::derive(system);
  auto& graph = system.graph();
  FirstOrder form;
  form.v = system.algebroid.x;
  append(form.v, system.algebroid.y);
  form.v.push_back(system.z);
  form.w = problem.controls;
  std::vector<Expr> rates;
  for (const Expr& y : system.algebroid.y) rates.push_back(graph.symbol("d(" + std::string(y.name()) + ")/dt"));
  append(form.w, rates);
  append(form.w, q.l);
  form.rates = q.x_dot;
  append(form.rates, rates);
  form.rates.push_back(q.L);
  for (std::size_t a = 0; a < system.r(); ++a) {
    Expr row = -q.b[a];
    for (std::size_t b = 0; b < system.r(); ++b) row += q.W(a, b) * rates[b];
    for (std::size_t k = 0; k < q.m(); ++k) row -= q.Phi_y(k, a) * q.l[k];
    form.equations.push_back(row);
  }
  for (std::size_t k = 0; k < q.m(); ++k) {
    Expr row = q.beta[k];
    for (std::size_t b = 0; b < system.r(); ++b) row += q.Phi_w(k, b) * rates[b];
    form.equations.push_back(row);
  }
  return form;
}

/// Returns the controls by which the derivatives of the rates and of the equations depend on none of some controls.
template <class Controls>
std::vector<std::size_t> controls_without(const Problem& problem, const FirstOrder& form, const Controls& controls) {
  std::vector<std::size_t> found;
  for (std::size_t s = 0; s < problem.controls.size(); ++s) {
    const auto is_without = [&](const std::vector<Expr>& functions) {
      return std::none_of(functions.begin(), functions.end(), [&](const Expr& f) {
        return symbolic::depends_on_any(symbolic::derivative(f, problem.controls[s]), controls(s));
      });
    };
    if (is_without(form.rates) && is_without(form.equations)) found.push_back(s);
  }
  return found;
}

}  // namespace

FirstOrder first_order(const Problem& problem) {
  require_one_anchor(problem.system);
  FirstOrder form = problem.kind == Kind::two_point   ? two_point(problem)
                    : problem.kind == Kind::kinematic ? kinematic(problem)
                                                      : mechanical(problem);
  if (problem.kind != Kind::two_point) {
    form.v.push_back(problem.cost.action);
    form.rates.push_back(problem.cost.running);
  }
  form.inequalities = problem.path;
  form.linear = controls_without(problem, form, [&](std::size_t u) { return std::vector{problem.controls[u]}; });
  const auto alone = controls_without(problem, form, [&](std::size_t) { return problem.controls; });
  std::set_difference(form.linear.begin(), form.linear.end(), alone.begin(), alone.end(),
                      std::back_inserter(form.coupled));
  return form;
}

StagePrograms stage_programs(const Problem& problem, const FirstOrder& form) {
  const Expr h = problem.system.graph().symbol("step()");
  std::vector<Expr> variables = form.v;
  append(variables, form.w);
  variables.insert(variables.end(), {h, problem.system.t});
  std::vector<Expr> functions;
  for (const Expr& rate : form.rates) functions.push_back(h * rate);
  append(functions, form.equations);
  append(functions, form.inequalities);
  return with_derivatives(problem, "stage", variables, functions);
}

StagePrograms end_programs(const Problem& problem, const FirstOrder& form) {
  auto& graph = problem.system.graph();
  std::vector<Expr> variables;
  for (const Expr& v : form.v) variables.push_back(graph.symbol(initial_name(v.name())));
  std::vector<Expr> finals;
  for (const Expr& v : form.v) finals.push_back(graph.symbol(final_name(v.name())));
  append(variables, finals);
  variables.push_back(problem.boundary.duration_symbol);
  std::vector<Expr> functions{symbolic::substitute(problem.cost.terminal, form.v, finals)};
  append(functions, problem.boundary.conditions);
  return with_derivatives(problem, "ends", variables, functions);
}

}  // namespace herglotz::control
