#include "prepare/ingredients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/constraints.hpp"
#include "herglotz/mechanics/derivation.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the rules that a method must honour to run the system.
std::vector<std::string> rules_of(const mechanics::System& system) {
  if (system.constraints.equations.empty()) return {};
  if (system.constraints.rule == mechanics::Rule::vakonomic) return {"vakonomic"};
  std::vector<std::string> rules;
  for (const auto& equation : system.constraints.equations) {
    const bool holonomic = mechanics::kind_of(system, equation) == mechanics::ConstraintKind::holonomic;
    const std::string rule = holonomic ? "holonomic" : "nonholonomic";
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
  }
  return rules;
}

bool honours(const integrate::MethodInfo& method, const std::string& rule) {
  return std::find(method.constraints.begin(), method.constraints.end(), rule) != method.constraints.end();
}

void require_velocities(const mechanics::System& system) {
  if (geometry::is_tangent(system.algebroid)) return;
  throw Refused(fmt::format(
      "fibre coordinates that are the velocities of the base are needed, and those of this {} algebroid are "
      "not",
      system.algebroid.kind));
}

void require_lagrangian(const mechanics::System& system) {
  if (system.formulation == mechanics::Formulation::lagrangian) return;
  throw Refused("a Lagrangian is needed, whose action polynomials make stationary, and it has a Hamiltonian",
                "choose contact-gauss-4");
}

void supply_ingredients(const integrate::MethodInfo& method, const Recipe& recipe, integrate::Dynamics& dynamics) {
  switch (method.needs) {
    case integrate::Ingredient::none:
      return;
    case integrate::Ingredient::velocities:
      require_velocities(recipe.system);
      return require_lagrangian(recipe.system);
    case integrate::Ingredient::splitting:
      require_velocities(recipe.system);
      return supply_splitting(recipe, dynamics);
    case integrate::Ingredient::verlet:
      if (geometry::is_tangent(recipe.system.algebroid)) supply_verlet(recipe, dynamics);
      return;
    case integrate::Ingredient::discrete_lagrangian:
      return supply_discrete_lagrangian(recipe, dynamics);
    case integrate::Ingredient::groupoid:
      return supply_groupoid(recipe, dynamics);
    case integrate::Ingredient::adaptive_motion:
      return supply_adaptive_motion(recipe, dynamics);
    case integrate::Ingredient::stepped_motion:
      return supply_stepped_motion(recipe, method.order, dynamics);
    case integrate::Ingredient::taylor_motion:
      return supply_taylor_motion(recipe, dynamics);
    case integrate::Ingredient::energy:
      return supply_energy(recipe, dynamics);
  }
}

}  // namespace

void require_constraints(const integrate::MethodInfo& method, const mechanics::System& system) {
  for (const auto& rule : rules_of(system)) {
    if (honours(method, rule)) continue;
    std::vector<std::string> able;
    for (const auto& other : integrate::methods())
      if (honours(other, rule)) able.push_back(other.name);
    throw Refused(fmt::format("method {} does not honour {} constraints", method.name, rule),
                  fmt::format("methods that do: {}", fmt::join(able, ", ")), "method");
  }
}

void supply(const integrate::MethodInfo& method, const Recipe& recipe, integrate::Dynamics& dynamics) {
  mechanics::begin_derivation(recipe.system, recipe.equations, recipe.laws);
  try {
    supply_ingredients(method, recipe, dynamics);
  } catch (const Refused& reason) {
    throw Refused(fmt::format("method {} cannot run this model: {}", method.name, reason.problem()),
                  reason.remedy().empty() ? "contact-gauss and reference methods take every model" : reason.remedy(),
                  "method");
  }
}

}  // namespace herglotz::simulate
