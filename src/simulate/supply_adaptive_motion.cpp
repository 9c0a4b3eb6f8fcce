#include "ingredients.hpp"

namespace herglotz::simulate {

void supply_adaptive_motion(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!mechanics::eliminates_inside(recipe.system, recipe.equations)) return;
  auto& motion = recipe.forms.motion;
  if (!motion) motion = mechanics::motion_program(recipe.system, recipe.equations, recipe.laws);
  const std::size_t n = dynamics.n;
  const std::size_t z = n + dynamics.r;
  const kernel::AdaptiveEntries entries{{0, n, z, z + 1, dynamics.dimension()}, motion->factor, motion->laws.size()};
  dynamics.adaptive.loop =
      compile::compile_adaptive(motion->program, entries, integrate::reference_pair(), recipe.options);
  dynamics.adaptive.laws = motion->laws;
}

}  // namespace herglotz::simulate
