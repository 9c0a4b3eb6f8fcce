#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {

void build_rates_jacobian(const BuildContext& context, integrate::Dynamics& dynamics) {
  if (context.forms.straight) return;
  if (!context.forms.mass_jacobian)
    context.forms.mass_jacobian = mechanics::mass_jacobian_program(context.system, context.equations);
  const mechanics::SparseProgram& jacobian = *context.forms.mass_jacobian;
  KernelBatch batch;
  batch.add(jacobian.program, dynamics.mass_jacobian);
  batch.compile(context.options);
  dynamics.mass_pattern = pattern_of(jacobian);
}

}  // namespace herglotz::simulate
