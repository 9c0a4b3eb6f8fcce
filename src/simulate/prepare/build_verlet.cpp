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

void build_verlet_kernels(const BuildContext& context, integrate::Dynamics& dynamics) {
  if (!context.system.constraints.equations.empty()) return;
  const auto known = context.forms.steps.find(integrate::Requirement::verlet);
  if (known == context.forms.steps.end()) {
    const auto parts = parts_of(context.system);
    if (!parts) return;
    const auto driven = driven_laws(context, *parts);
    auto programs = discrete::verlet_step(context.system, *parts, driven.sources);
    if (!programs) return;
    context.forms.steps.emplace(integrate::Requirement::verlet,
                                explicit_form(context, *parts, driven, std::move(*programs)));
  }
  dynamics.verlet = explicit_kernels(context.forms.steps.at(integrate::Requirement::verlet), context.options);
}

}  // namespace herglotz::simulate
