#include "herglotz/discrete/action_groupoid.hpp"
#include "prepare/ingredients.hpp"
#include "prepare/kernel_batch.hpp"

namespace herglotz::simulate {

void supply_groupoid(const Recipe& recipe, integrate::Dynamics& dynamics) {
  const auto groupoid = discrete::on_action_groupoid(recipe.system);
  const auto jacobian = discrete::groupoid_stage_jacobian_program(groupoid);
  integrate::GroupoidMap& map = dynamics.groupoid;
  KernelBatch batch;
  batch.add(discrete::structure_program(groupoid), map.structure);
  batch.add(discrete::generators_program(groupoid), map.generators);
  batch.add(discrete::frame_program(groupoid), map.frame);
  batch.add(discrete::groupoid_stage_program(groupoid), map.stage);
  batch.add(jacobian.program, map.stage_jacobian);
  batch.compile(recipe.options);
  for (const auto& factor : groupoid.factors) map.factors.push_back({factor.group, factor.first, factor.size});
  map.affine_action = groupoid.affine_action;
  map.stage_pattern = {jacobian.rows, jacobian.cols, jacobian.row, jacobian.col};
}

}  // namespace herglotz::simulate
