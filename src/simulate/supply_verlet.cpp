#include "explicit_kernels.hpp"

namespace herglotz::simulate {
namespace {

/// The parts of H, or nothing where there are none.
std::optional<discrete::SplitHamiltonian> parts_of(const mechanics::System& system) {
  try {
    return discrete::split(system);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace

void supply_verlet(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!recipe.system.constraints.equations.empty()) return;
  const auto parts = parts_of(recipe.system);
  if (!parts) return;
  auto programs = discrete::verlet_step(recipe.system, *parts);
  if (programs) dynamics.verlet = explicit_kernels(recipe, *parts, std::move(*programs));
}

}  // namespace herglotz::simulate
