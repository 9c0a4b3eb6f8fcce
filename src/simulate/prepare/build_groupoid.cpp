#include "herglotz/discrete/action_groupoid.hpp"
#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {

void build_groupoid_kernels(const BuildContext& context, integrate::Dynamics& dynamics) {
  const auto groupoid = discrete::on_action_groupoid(context.system);
  integrate::GroupoidKernels& map = dynamics.groupoid;
  KernelBatch batch;
  batch.add(discrete::structure_program(groupoid), map.structure);
  batch.add(discrete::generators_program(groupoid), map.generators);
  batch.add(discrete::frame_program(groupoid), map.frame);
  batch.add(discrete::groupoid_stage_program(groupoid), map.stage);
  batch.add(discrete::groupoid_stage_jacobian_program(groupoid), map.stage_jacobian, map.stage_pattern);
  batch.compile(context.options);
  for (const auto& factor : groupoid.factors) map.factors.push_back({factor.group, factor.first, factor.size});
  map.affine_action = groupoid.affine_action;
}

}  // namespace herglotz::simulate
