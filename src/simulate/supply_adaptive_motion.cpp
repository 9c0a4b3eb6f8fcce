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
  return {{0, dynamics.n, z, z + 1, dynamics.dimension()}, motion.factor, motion.laws.size()};
}

}  // namespace

void supply_adaptive_motion(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!mechanics::eliminates_inside(recipe.system, recipe.equations)) return;
  const auto& motion = motion_of(recipe);
  dynamics.adaptive.loop = compile::compile_adaptive(motion.program, entries_of(motion, dynamics),
                                                     integrate::reference_pair(), recipe.options);
  dynamics.adaptive.laws = motion.laws;
}

void supply_taylor_motion(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!mechanics::eliminates_inside(recipe.system, recipe.equations))
    throw std::invalid_argument(
        fmt::format("its {} accelerations and multipliers are not solved for by straight-line code, which is made up "
                    "to {}; choose reference",
                    recipe.equations.b.size() + recipe.equations.m(), mechanics::straight_line_rank));
  const auto& motion = motion_of(recipe);
  try {
    dynamics.adaptive.loop = compile::compile_taylor(motion.program, entries_of(motion, dynamics), recipe.options);
  } catch (const compile::CompileError& error) {
    throw std::invalid_argument(fmt::format("{}, which has no Taylor polynomial; choose reference", error.what()));
  }
  if (!dynamics.adaptive.loop)
    throw std::invalid_argument(
        "Taylor polynomials are made by machine code with fused multiply-add, and this machine or its interpreter has "
        "none; choose reference");
  dynamics.adaptive.laws = motion.laws;
}

}  // namespace herglotz::simulate
