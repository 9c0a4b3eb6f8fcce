#include "herglotz/discrete/herglotz_equations.hpp"
#include "herglotz/error.hpp"
#include "prepare/ingredients.hpp"
#include "prepare/kernel_batch.hpp"

namespace herglotz::simulate {

void supply_discrete_lagrangian(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!recipe.discrete)
    throw Refused("it has no discrete Lagrangian",
                  "add a [discrete] table with lagrangian = \"...\" or rule = \"midpoint\"");
  discrete::require_matching_forces(recipe.system, *recipe.discrete);
  if (!recipe.forms.discrete)
    recipe.forms.discrete = DiscreteForm{discrete::discrete_map_program(recipe.system, *recipe.discrete),
                                         discrete::discrete_map_jacobian_program(recipe.system, *recipe.discrete)};
  const auto& [map, jacobian] = *recipe.forms.discrete;
  KernelBatch batch;
  batch.add(map, dynamics.discrete.ell);
  batch.add(jacobian.program, dynamics.discrete.jacobian);
  batch.compile(recipe.options);
  dynamics.discrete.pattern = {jacobian.rows, jacobian.cols, jacobian.row, jacobian.col};
}

}  // namespace herglotz::simulate
