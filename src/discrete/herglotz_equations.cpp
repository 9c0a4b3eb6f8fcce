#include "herglotz/discrete/herglotz_equations.hpp"

#include <string>

#include "derivative_program.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::discrete {
namespace {

std::vector<Expr> with_ends(const DiscreteLagrangian& step) {
  std::vector<Expr> variables = step.q0;
  variables.insert(variables.end(), step.q1.begin(), step.q1.end());
  variables.insert(variables.end(), {step.z0, step.z1});
  return variables;
}

void require_no_end(const DiscreteLagrangian& step) {
  if (symbolic::depends_on(step.ell, step.z1))
    throw Refused("contact forms are given for discrete Lagrangians on Q x Q x R, which do not use " +
                  std::string(step.z1.name()));
}

/// Returns s at the start or the end of a step.
std::vector<Expr> section_at(const mechanics::System& system, const mechanics::Symmetry& symmetry,
                             const std::vector<Expr>& q) {
  std::vector<Expr> opened;
  for (const Expr& component : symmetry.section) opened.push_back(symbolic::expand_lets(component));
  return symbolic::substitute(opened, system.algebroid.x, q);
}

Expr dot(Expr zero, const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) zero += a[i] * b[i];
  return zero;
}

symbolic::Program program_of_ends(const mechanics::System& system, const DiscreteLagrangian& step, std::string name) {
  std::vector<Expr> variables = with_ends(step);
  variables.insert(variables.end(), {step.t0, step.h});
  return program_without_outputs(system, std::move(name), std::move(variables));
}

std::vector<Expr> map_outputs(const DiscreteLagrangian& step) {
  const DiscreteHerglotz derived = discrete_herglotz(step);
  std::vector<Expr> outputs{step.ell};
  outputs.insert(outputs.end(), derived.pull0.begin(), derived.pull0.end());
  outputs.insert(outputs.end(), derived.pull1.begin(), derived.pull1.end());
  outputs.insert(outputs.end(), {derived.D_z0, derived.D_z1});
  return outputs;
}

}  // namespace

DiscreteHerglotz discrete_herglotz(const DiscreteLagrangian& lagrangian) {
  if (is_followed(lagrangian))
    throw Refused(
        "the exact discrete Lagrangian has no formula here; linear systems in independent coordinates have one",
        "follow its motion by method auto, or choose rule = \"midpoint\"");
  if (on_groupoid(lagrangian))
    throw Refused("this needs a discrete Lagrangian of two positions, and the model has one on a groupoid");
  const std::size_t n = lagrangian.q0.size();
  const auto slopes = symbolic::gradient(lagrangian.ell, with_ends(lagrangian));
  const Expr one = lagrangian.h.graph().number(1);
  DiscreteHerglotz derived;
  derived.D1.assign(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(n));
  derived.D2.assign(slopes.begin() + static_cast<std::ptrdiff_t>(n),
                    slopes.begin() + static_cast<std::ptrdiff_t>(2 * n));
  derived.D_z0 = slopes[2 * n];
  derived.D_z1 = slopes[2 * n + 1];
  derived.sigma = (one + derived.D_z0) / (one - derived.D_z1);
  for (std::size_t i = 0; i < n; ++i) {
    derived.pull0.push_back(derived.D1[i] + lagrangian.minus[i]);
    derived.pull1.push_back(derived.D2[i] + lagrangian.plus[i]);
    derived.p0.push_back(-derived.pull0[i] / (one + derived.D_z0));
    derived.p1.push_back(derived.pull1[i] / (one - derived.D_z1));
  }
  return derived;
}

DiscreteForm eta_minus(const DiscreteLagrangian& lagrangian) {
  require_no_end(lagrangian);
  const DiscreteHerglotz derived = discrete_herglotz(lagrangian);
  const Expr zero = lagrangian.h.graph().number(0);
  DiscreteForm eta{{}, std::vector<Expr>(lagrangian.q1.size(), zero), lagrangian.h.graph().number(1)};
  for (const Expr& p : derived.p0) eta.q0.push_back(-p);
  return eta;
}

DiscreteForm eta_plus(const DiscreteLagrangian& lagrangian) {
  require_no_end(lagrangian);
  const DiscreteHerglotz derived = discrete_herglotz(lagrangian);
  DiscreteForm eta{derived.D1, {}, derived.sigma};
  for (std::size_t i = 0; i < derived.D2.size(); ++i) eta.q1.push_back(derived.D2[i] - derived.p1[i]);
  return eta;
}

Expr discrete_momentum(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                       const mechanics::Symmetry& symmetry) {
  return dot(system.graph().number(0), discrete_herglotz(lagrangian).p0, section_at(system, symmetry, lagrangian.q0));
}

Expr invariance_defect(const mechanics::System& system, const DiscreteLagrangian& lagrangian,
                       const mechanics::Symmetry& symmetry) {
  const DiscreteHerglotz derived = discrete_herglotz(lagrangian);
  return dot(dot(system.graph().number(0), derived.D1, section_at(system, symmetry, lagrangian.q0)), derived.D2,
             section_at(system, symmetry, lagrangian.q1));
}

symbolic::Program discrete_map_program(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  symbolic::Program program = program_of_ends(system, lagrangian, "discrete_map");
  program.outputs = map_outputs(lagrangian);
  return program;
}

mechanics::SparseProgram discrete_map_jacobian_program(const mechanics::System& system,
                                                       const DiscreteLagrangian& lagrangian) {
  std::vector<Expr> ends = lagrangian.q1;
  ends.push_back(lagrangian.z1);
  return derivative_program(program_of_ends(system, lagrangian, "discrete_map_jacobian"), map_outputs(lagrangian),
                            ends);
}

}  // namespace herglotz::discrete
