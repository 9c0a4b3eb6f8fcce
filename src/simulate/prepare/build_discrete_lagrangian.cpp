#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {
namespace {

DiscretePrograms form_of(const mechanics::System& system, const discrete::DiscreteLagrangian& step) {
  if (discrete::on_groupoid(step))
    return {discrete::groupoid_map_program(system, step), discrete::groupoid_map_jacobian_program(system, step)};
  return {discrete::discrete_map_program(system, step), discrete::discrete_map_jacobian_program(system, step)};
}

}  // namespace

void build_discrete_kernels(const BuildContext& context, integrate::Dynamics& dynamics) {
  if (!context.discrete)
    throw Refused("it has no discrete Lagrangian",
                  "add a [discrete] table with lagrangian = \"...\" or rule = \"midpoint\"");
  discrete::require_matching_forces(context.system, *context.discrete);
  if (!context.forms.discrete) context.forms.discrete = form_of(context.system, *context.discrete);
  const auto& [map, jacobian] = *context.forms.discrete;
  KernelBatch batch;
  batch.add(map, dynamics.discrete.ell);
  batch.add(jacobian, dynamics.discrete.jacobian, dynamics.discrete.pattern);
  batch.compile(context.options);
  if (discrete::on_groupoid(*context.discrete)) build_groupoid_kernels(context, dynamics);
}

}  // namespace herglotz::simulate
