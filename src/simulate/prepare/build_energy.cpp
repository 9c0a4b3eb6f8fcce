#include <algorithm>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

symbolic::Program program(const BuildContext& context, std::string name, std::vector<Expr> outputs) {
  symbolic::Program result;
  result.name = std::move(name);
  result.graph = context.system.algebroid.graph;
  result.variables = context.equations.u;
  for (const auto& parameter : context.system.parameters) result.parameters.push_back(parameter.symbol);
  result.outputs = std::move(outputs);
  return result;
}

/// Returns whether a declared symmetry is one, by a formula that vanishes, and is affine in the base coordinates: then
/// its momentum is bilinear. With forces the size of the correction is not determined across the orbits.
bool is_kept(const mechanics::System& system, const mechanics::Equations& equations,
             const mechanics::Symmetry& symmetry) {
  for (const Expr& force : system.forces)
    if (!force.is_zero()) return false;
  for (const Expr& s : symmetry.section) {
    for (const Expr& x : system.algebroid.x) {
      const auto curvature = symbolic::gradient(symbolic::derivative(symbolic::expand_lets(s), x), system.algebroid.x);
      if (!std::all_of(curvature.begin(), curvature.end(), [](const Expr& value) { return value.is_zero(); }))
        return false;
    }
  }
  const Expr lifted = symbolic::expand_lets(mechanics::complete_lift_derivative(system, equations, symmetry));
  return symbolic::simplify(symbolic::expand(lifted)).is_zero();
}

std::vector<Expr> structure(const mechanics::System& system, const mechanics::Equations& equations) {
  const auto& e = system.algebroid;
  std::vector<Expr> outputs = e.rho.entries;
  outputs.insert(outputs.end(), e.sigma.entries.begin(), e.sigma.entries.end());
  for (std::size_t i = 0; i < e.r(); ++i) {
    for (std::size_t j = 0; j < e.r(); ++j) {
      Expr bracket = system.graph().number(std::int64_t{0});
      for (std::size_t k = 0; k < e.r(); ++k)
        if (!e.c(k, i, j).is_zero()) bracket += e.c(k, i, j) * equations.p[k];
      outputs.push_back(bracket);
    }
  }
  for (const mechanics::Symmetry& symmetry : system.symmetries) {
    if (!is_kept(system, equations, symmetry)) continue;
    for (const Expr& x : e.x) {
      Expr slope = system.graph().number(std::int64_t{0});
      for (std::size_t a = 0; a < e.r(); ++a) slope += equations.p[a] * symbolic::derivative(symmetry.section[a], x);
      outputs.push_back(slope);
    }
    outputs.insert(outputs.end(), symmetry.section.begin(), symmetry.section.end());
  }
  for (Expr& output : outputs) output = symbolic::expand_lets(output);
  return outputs;
}

}  // namespace

void build_energy_kernels(const BuildContext& context, integrate::Dynamics& dynamics) {
  const auto& system = context.system;
  const auto& equations = context.equations;
  const auto& balance = context.laws.front();
  const std::vector<Expr> law{balance.quantity, balance.source};
  const std::vector<Expr> state(equations.u.begin(), equations.u.end() - 1);
  kernel::Pattern pattern{law.size(), state.size(), {}, {}};
  std::vector<Expr> derivatives;
  for (const symbolic::Entry& entry : symbolic::jacobian(law, state).entries) {
    if (entry.value.is_zero()) continue;
    pattern.row.push_back(entry.row);
    pattern.col.push_back(entry.col);
    derivatives.push_back(entry.value);
  }
  integrate::EnergyKernels& map = dynamics.energy;
  map.pattern = std::move(pattern);
  KernelBatch batch;
  batch.add(program(context, "energy", {law[0], law[1], balance.scale}), map.energy);
  batch.add(program(context, "energy_jacobian", std::move(derivatives)), map.jacobian);
  batch.add(program(context, "structure", structure(system, equations)), map.structure);
  batch.compile(context.options);
  for (const Expr& x : system.algebroid.x) map.uses.push_back(symbolic::depends_on(system.generator, x));
  map.uses.push_back(symbolic::depends_on(system.generator, system.z));
}

}  // namespace herglotz::simulate
