#include <fmt/format.h>

#include "ingredients.hpp"

namespace herglotz::simulate {
namespace {

const mechanics::MotionProgram& motion_of(const Recipe& recipe) {
  auto& motion = recipe.forms.motion;
  if (!motion) motion = mechanics::motion_program(recipe.system, recipe.equations, recipe.laws);
  return *motion;
}

kernel::AdaptiveEntries entries_of(const mechanics::MotionProgram& motion, const integrate::Dynamics& dynamics) {
  const std::size_t z = dynamics.n + dynamics.r;
  return {{0, dynamics.n, z, z + 1, dynamics.dimension()}, motion.factor, motion.laws.size(), motion.checks};
}

}  // namespace

void supply_adaptive_motion(const Recipe& recipe, integrate::Dynamics& dynamics) {
  try {
    const auto& motion = motion_of(recipe);
    dynamics.adaptive.loop = compile::compile_adaptive(motion.program, entries_of(motion, dynamics),
                                                       integrate::reference_pair(), recipe.options);
    dynamics.adaptive.laws = motion.laws;
  } catch (const std::invalid_argument&) {
    return;  // too many accelerations, or none of them without exchanges of rows: step by step then
  }
}

void supply_taylor_motion(const Recipe& recipe, integrate::Dynamics& dynamics) {
  const auto refuse = [](std::string_view why) {
    return std::invalid_argument(fmt::format("{}; choose reference", why));
  };
  try {
    const auto& motion = motion_of(recipe);
    dynamics.adaptive.loop = compile::compile_taylor(motion.program, entries_of(motion, dynamics), recipe.options);
    dynamics.adaptive.laws = motion.laws;
  } catch (const compile::CompileError& error) {
    throw refuse(error.what());
  } catch (const symbolic::SingularMatrix&) {
    throw refuse("its accelerations are solved for with exchanges of rows, which have no Taylor polynomial");
  } catch (const std::invalid_argument& error) {
    throw refuse(error.what());
  }
  if (!dynamics.adaptive.loop)
    throw refuse(
        "Taylor polynomials are made by machine code with fused multiply-add, and this machine or its interpreter has "
        "none");
}

}  // namespace herglotz::simulate
