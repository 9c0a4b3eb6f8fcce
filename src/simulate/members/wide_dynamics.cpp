// Kernels of the motion of many runs at once, in lanes and on devices.

#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"
#include "simulator_impl.hpp"

namespace herglotz::simulate {

integrate::DeviceMotion Simulator::Impl::on_device(const compile::Device& device, const integrate::MethodInfo& method,
                                                   const std::vector<bool>& wanted) const {
  const std::scoped_lock lock(mutex);
  return device_motion({reduced, equations, discrete, options, followed_laws, derived_forms, wanted}, method, device,
                       dynamics);
}

integrate::Dynamics Simulator::Impl::wide(const integrate::MethodInfo& method, int lanes,
                                          const std::vector<bool>& wanted) const {
  using integrate::Requirement;
  integrate::Dynamics result = dynamics;
  for (auto* kernel : {&result.flow, &result.flow_jacobian, &result.mass, &result.mass_jacobian, &result.stage,
                       &result.stage_jacobian, &result.projection, &result.balance, &result.position})
    *kernel = {};
  auto with_lanes = options;
  with_lanes.lanes = lanes;
  const std::scoped_lock lock(mutex);
  const bool stepped = method.needs == Requirement::stepped_motion;
  build_kernels(method,
                {followed_system(), followed_equations(), discrete, with_lanes, followed_laws, derived_forms,
                 stepped ? wanted : std::vector<bool>{}},
                result);
  switch (method.lane_kernels) {
    case integrate::LaneKernels::none:
      break;
    case integrate::LaneKernels::motion:
      if (!result.motion.adaptive) compile_rates(with_lanes, false, result);
      break;
    case integrate::LaneKernels::implicit_motion:
      compile_rates(with_lanes, true, result);
      break;
    case integrate::LaneKernels::stages:
      if (!result.verlet) compile_stages(with_lanes, result);
      break;
    case integrate::LaneKernels::balance:
      compile_balance(with_lanes, result);
      break;
  }
  return result;
}

void Simulator::Impl::compile_rates(const compile::Options& how, bool with_jacobian,
                                    integrate::Dynamics& result) const {
  KernelBatch batch;
  batch.add(programs.motion, dynamics.flow ? result.flow : result.mass);
  batch.add(programs.balance, result.balance);
  if (with_jacobian && dynamics.flow) batch.add(programs.flow_jacobian, result.flow_jacobian, result.flow_pattern);
  batch.compile(how);
}

void Simulator::Impl::compile_balance(const compile::Options& how, integrate::Dynamics& result) const {
  KernelBatch batch;
  batch.add(programs.balance, result.balance);
  if (dynamics.positions > 0) batch.add(programs.position, result.position);
  batch.compile(how);
}

void Simulator::Impl::compile_stages(const compile::Options& how, integrate::Dynamics& result) const {
  KernelBatch batch;
  batch.add(programs.stage, result.stage);
  batch.add(programs.stage_jacobian, result.stage_jacobian, result.stage_pattern);
  batch.add(programs.balance, result.balance);
  if (dynamics.projection) batch.add(programs.projection, result.projection);
  batch.compile(how);
}

}  // namespace herglotz::simulate
