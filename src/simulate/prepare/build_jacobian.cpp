#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"

namespace herglotz::simulate {

void build_rates_jacobian(const BuildContext& context, integrate::Dynamics& dynamics) {
  if (context.forms.straight) return;
  if (!context.forms.mass_jacobian)
    context.forms.mass_jacobian = mechanics::mass_jacobian_program(context.system, context.equations);
  KernelBatch batch;
  batch.add(*context.forms.mass_jacobian, dynamics.mass_jacobian, dynamics.mass_pattern);
  batch.compile(context.options);
}

}  // namespace herglotz::simulate
