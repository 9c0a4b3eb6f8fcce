#include "herglotz/discrete/groupoid_lagrangian.hpp"

#include "derivative_program.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::discrete {
namespace {

std::vector<Expr> joined(std::initializer_list<const std::vector<Expr>*> lists) {
  std::vector<Expr> all;
  for (const auto* list : lists) all.insert(all.end(), list->begin(), list->end());
  return all;
}

symbolic::Program program_of_step(const mechanics::System& system, const DiscreteLagrangian& step, std::string name) {
  std::vector<Expr> variables = joined({&step.q0, &step.q1});
  variables.insert(variables.end(), {step.z0, step.z1, step.t0, step.h});
  return program_without_outputs(system, std::move(name), std::move(variables));
}

std::vector<Expr> map_outputs(const mechanics::System& system, const DiscreteLagrangian& step) {
  const GroupoidHerglotz derived = groupoid_herglotz(system, step);
  std::vector<Expr> outputs{step.ell};
  for (const auto* list : {&derived.by_eta, &derived.pull0, &derived.pull1})
    outputs.insert(outputs.end(), list->begin(), list->end());
  outputs.insert(outputs.end(), {derived.D_z0, derived.D_z1});
  return outputs;
}

}  // namespace

bool on_groupoid(const DiscreteLagrangian& lagrangian) {
  return lagrangian.q1.size() > lagrangian.q0.size();
}

std::vector<Expr> target_of(const DiscreteLagrangian& lagrangian) {
  return {lagrangian.q1.begin(), lagrangian.q1.begin() + static_cast<std::ptrdiff_t>(lagrangian.q0.size())};
}

std::vector<Expr> arrow_of(const DiscreteLagrangian& lagrangian) {
  return {lagrangian.q1.begin() + static_cast<std::ptrdiff_t>(lagrangian.q0.size()), lagrangian.q1.end()};
}

GroupoidHerglotz groupoid_herglotz(const mechanics::System& system, const DiscreteLagrangian& step) {
  if (!on_groupoid(step))
    throw Refused("this discrete Lagrangian is a function of two positions, and of no arrow of a groupoid");
  const geometry::Integration& known = *system.algebroid.integration;
  const std::vector<Expr>& x = system.algebroid.x;
  const std::size_t n = x.size();
  const Expr one = step.h.graph().number(1);
  /// Returns rho(at)^T ell_at + force.
  const auto pulled = [&](const std::vector<Expr>& at, const std::vector<Expr>& force) {
    const auto generators = symbolic::substitute(known.rho.entries, x, at);
    const auto slopes = symbolic::gradient(step.ell, at);
    std::vector<Expr> sums = force;
    for (std::size_t a = 0; a < sums.size(); ++a)
      for (std::size_t i = 0; i < n; ++i) sums[a] += generators[i * sums.size() + a] * slopes[i];
    return sums;
  };
  GroupoidHerglotz derived;
  derived.by_eta = symbolic::gradient(step.ell, arrow_of(step));
  derived.pull0 = pulled(step.q0, step.minus);
  derived.pull1 = pulled(target_of(step), step.plus);
  derived.D_z0 = symbolic::derivative(step.ell, step.z0);
  derived.D_z1 = symbolic::derivative(step.ell, step.z1);
  derived.sigma = (one + derived.D_z0) / (one - derived.D_z1);
  return derived;
}

symbolic::Program groupoid_map_program(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  symbolic::Program program = program_of_step(system, lagrangian, "groupoid_map");
  program.outputs = map_outputs(system, lagrangian);
  return program;
}

mechanics::SparseProgram groupoid_map_jacobian_program(const mechanics::System& system,
                                                       const DiscreteLagrangian& lagrangian) {
  std::vector<Expr> ends = lagrangian.q1;
  ends.push_back(lagrangian.z1);
  return derivative_program(program_of_step(system, lagrangian, "groupoid_map_jacobian"),
                            map_outputs(system, lagrangian), ends);
}

}  // namespace herglotz::discrete
