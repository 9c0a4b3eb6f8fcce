#include "explicit_kernels.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

symbolic::Program at_state(const Recipe& recipe, std::string name, const std::vector<Expr>& fibre,
                           std::vector<Expr> outputs) {
  const auto& system = recipe.system;
  symbolic::Program result;
  result.name = std::move(name);
  result.graph = system.algebroid.graph;
  result.variables = system.algebroid.x;
  result.variables.insert(result.variables.end(), fibre.begin(), fibre.end());
  result.variables.insert(result.variables.end(), {system.z, system.t});
  for (const auto& parameter : system.parameters) result.parameters.push_back(parameter.symbol);
  result.outputs = std::move(outputs);
  return result;
}

}  // namespace

integrate::ExplicitStep explicit_kernels(const Recipe& recipe, const discrete::SplitHamiltonian& parts,
                                         discrete::ExplicitPrograms programs) {
  const auto& system = recipe.system;
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  const std::vector<Expr> velocity = lagrangian ? symbolic::gradient(parts.T, system.p) : system.p;
  integrate::ExplicitStep step;
  std::vector<Expr> sources;
  const auto laws = mechanics::balance_laws(system, recipe.equations);
  for (std::size_t k = 0; k < laws.size(); ++k) {
    Expr source = symbolic::expand_lets(laws[k].source);
    if (lagrangian) source = symbolic::substitute(source, system.w(), velocity);
    if (source.is_zero() || symbolic::simplify(source).is_zero()) continue;
    step.driven.push_back(k);
    sources.push_back(source);
  }
  step.constants = programs.constants;
  std::vector<symbolic::Program> all{at_state(recipe, "momentum", system.w(), recipe.equations.p),
                                     at_state(recipe, "velocity", system.p, velocity)};
  if (step.constants > 0) all.push_back(std::move(programs.prepare));
  if (!step.driven.empty()) all.push_back(at_state(recipe, "sources", system.p, std::move(sources)));
  auto kernels = compile::compile(all, recipe.options);
  step.loop = compile::compile_loop(programs.step, 1, recipe.options);
  step.momentum = std::move(kernels[0]);
  step.velocity = std::move(kernels[1]);
  if (step.constants > 0) step.prepare = std::move(kernels[2]);
  if (!step.driven.empty()) step.sources = std::move(kernels.back());
  return step;
}

void supply_splitting(const Recipe& recipe, integrate::Dynamics& dynamics) {
  const auto parts = discrete::split(recipe.system);
  dynamics.splitting = explicit_kernels(recipe, parts, discrete::splitting_step(recipe.system, parts));
}

}  // namespace herglotz::simulate
