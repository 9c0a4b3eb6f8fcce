#include "herglotz/discrete/action_groupoid.hpp"
#include "prepare/ingredients.hpp"

namespace herglotz::simulate {

void supply_groupoid(const Recipe& recipe, integrate::Dynamics& dynamics) {
  const auto groupoid = discrete::on_action_groupoid(recipe.system);
  const auto jacobian = discrete::groupoid_stage_jacobian_program(groupoid);
  const std::vector<symbolic::Program> programs{
      discrete::structure_program(groupoid), discrete::generators_program(groupoid), discrete::frame_program(groupoid),
      discrete::groupoid_stage_program(groupoid), jacobian.program};
  auto kernels = compile::compile(programs, recipe.options);
  integrate::GroupoidMap& map = dynamics.groupoid;
  for (const auto& factor : groupoid.factors) map.factors.push_back({factor.group, factor.first, factor.size});
  map.structure = std::move(kernels[0]);
  map.affine_action = groupoid.affine_action;
  map.generators = std::move(kernels[1]);
  map.frame = std::move(kernels[2]);
  map.stage = std::move(kernels[3]);
  map.stage_jacobian = std::move(kernels[4]);
  map.stage_pattern = {jacobian.rows, jacobian.cols, jacobian.row, jacobian.col};
}

}  // namespace herglotz::simulate
