#include "prepare/explicit_kernels.hpp"
#include "prepare/kernel_batch.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

symbolic::Program at_state(const BuildContext& context, std::string name, const std::vector<Expr>& fibre,
                           std::vector<Expr> outputs) {
  const auto& system = context.system;
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

/// Returns the velocities as functions of the momenta, or the momenta themselves for a Hamiltonian system.
std::vector<Expr> velocities(const mechanics::System& system, const discrete::SplitHamiltonian& parts) {
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  return lagrangian ? symbolic::gradient(parts.T, system.p) : system.p;
}

}  // namespace

DrivenLaws driven_laws(const BuildContext& context, const discrete::SplitHamiltonian& parts) {
  const auto& system = context.system;
  const bool lagrangian = system.formulation == mechanics::Formulation::lagrangian;
  DrivenLaws driven;
  const auto laws = mechanics::balance_laws(system, context.equations);
  for (std::size_t k = 0; k < laws.size(); ++k) {
    Expr source = symbolic::expand_lets(laws[k].source);
    if (lagrangian) source = symbolic::substitute(source, system.w(), velocities(system, parts));
    if (source.is_zero() || symbolic::simplify(source).is_zero()) continue;
    driven.laws.push_back(k);
    driven.sources.push_back(source);
  }
  return driven;
}

ExplicitForm explicit_form(const BuildContext& context, const discrete::SplitHamiltonian& parts, DrivenLaws driven,
                           discrete::ExplicitPrograms programs) {
  const auto& system = context.system;
  ExplicitForm form;
  form.constants = programs.constants;
  form.driven = std::move(driven.laws);
  form.prepare = std::move(programs.prepare);
  form.step = std::move(programs.step);
  form.momentum = at_state(context, "momentum", system.w(), context.equations.p);
  form.velocity = at_state(context, "velocity", system.p, velocities(system, parts));
  form.sources = at_state(context, "sources", system.p, std::move(driven.sources));
  return form;
}

integrate::ExplicitKernels explicit_kernels(const ExplicitForm& form, const compile::Options& options) {
  integrate::ExplicitKernels step;
  step.driven = form.driven;
  step.constants = form.constants;
  KernelBatch batch;
  batch.add(form.momentum, step.momentum);
  batch.add(form.velocity, step.velocity);
  if (step.constants > 0) batch.add(form.prepare, step.prepare);
  if (!step.driven.empty()) batch.add(form.sources, step.sources);
  batch.compile(options);
  step.loop = compile::compile_loop(form.step, 1, options);
  return step;
}

void build_splitting_kernels(const BuildContext& context, integrate::Dynamics& dynamics) {
  const auto known = context.forms.steps.find(integrate::Requirement::splitting);
  if (known == context.forms.steps.end()) {
    const auto parts = discrete::split(context.system);
    const auto driven = driven_laws(context, parts);
    auto programs = discrete::splitting_step(context.system, parts, driven.sources);
    context.forms.steps.emplace(integrate::Requirement::splitting,
                                explicit_form(context, parts, driven, std::move(programs)));
  }
  dynamics.splitting = explicit_kernels(context.forms.steps.at(integrate::Requirement::splitting), context.options);
}

}  // namespace herglotz::simulate
