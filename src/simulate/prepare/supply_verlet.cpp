#include "herglotz/error.hpp"
#include "prepare/explicit_kernels.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the parts of a split H, or `std::nullopt` if H cannot be split.
std::optional<discrete::SplitHamiltonian> parts_of(const mechanics::System& system) {
  try {
    return discrete::split(system);
  } catch (const Refused&) {
    return std::nullopt;
  }
}

}  // namespace

void supply_verlet(const Recipe& recipe, integrate::Dynamics& dynamics) {
  if (!recipe.system.constraints.equations.empty()) return;
  const auto known = recipe.forms.steps.find(integrate::Ingredient::verlet);
  if (known == recipe.forms.steps.end()) {
    const auto parts = parts_of(recipe.system);
    if (!parts) return;
    const auto driven = driven_laws(recipe, *parts);
    auto programs = discrete::verlet_step(recipe.system, *parts, driven.sources);
    if (!programs) return;
    recipe.forms.steps.emplace(integrate::Ingredient::verlet,
                               explicit_form(recipe, *parts, driven, std::move(*programs)));
  }
  dynamics.verlet = explicit_kernels(recipe.forms.steps.at(integrate::Ingredient::verlet), recipe.options);
}

}  // namespace herglotz::simulate
