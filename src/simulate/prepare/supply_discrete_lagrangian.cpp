#include "herglotz/discrete/groupoid_lagrangian.hpp"
#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "prepare/ingredients.hpp"
#include "prepare/kernel_batch.hpp"

namespace herglotz::simulate {
namespace {

DiscreteForm form_of(const mechanics::System& system, const discrete::DiscreteLagrangian& step) {
  if (discrete::on_groupoid(step))
    return {discrete::groupoid_map_program(system, step), discrete::groupoid_map_jacobian_program(system, step)};
  return {discrete::discrete_map_program(system, step), discrete::discrete_map_jacobian_program(system, step)};
}

}  // namespace

void supply_discrete_lagrangian(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!recipe.discrete)
    throw Refused("it has no discrete Lagrangian",
                  "add a [discrete] table with lagrangian = \"...\" or rule = \"midpoint\"");
  discrete::require_matching_forces(recipe.system, *recipe.discrete);
  if (!recipe.forms.discrete) recipe.forms.discrete = form_of(recipe.system, *recipe.discrete);
  const auto& [map, jacobian] = *recipe.forms.discrete;
  KernelBatch batch;
  batch.add(map, dynamics.discrete.ell);
  batch.add(jacobian.program, dynamics.discrete.jacobian);
  batch.compile(recipe.options);
  dynamics.discrete.pattern = {jacobian.rows, jacobian.cols, jacobian.row, jacobian.col};
  if (discrete::on_groupoid(*recipe.discrete)) supply_groupoid(recipe, dynamics);
}

}  // namespace herglotz::simulate
