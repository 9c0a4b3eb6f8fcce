#include "prepare/requirements.hpp"

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

void build_required(const integrate::MethodInfo& method, const BuildContext& context, integrate::Dynamics& dynamics) {
  switch (method.needs) {
    case integrate::Requirement::none:
      if (reads_rates_jacobian(method)) build_rates_jacobian(context, dynamics);
      return;
    case integrate::Requirement::velocities:
      require_velocities(context.system);
      return require_lagrangian(context.system);
    case integrate::Requirement::splitting:
      require_velocities(context.system);
      return build_splitting_kernels(context, dynamics);
    case integrate::Requirement::verlet:
      if (geometry::is_tangent(context.system.algebroid)) build_verlet_kernels(context, dynamics);
      return;
    case integrate::Requirement::discrete_lagrangian:
      return build_discrete_kernels(context, dynamics);
    case integrate::Requirement::groupoid:
      return build_groupoid_kernels(context, dynamics);
    case integrate::Requirement::adaptive_motion:
      return build_adaptive_loop(context, dynamics);
    case integrate::Requirement::stepped_motion:
      return build_stepped_loop(context, method.order, dynamics);
    case integrate::Requirement::taylor_motion:
      return build_taylor_loop(context, dynamics);
    case integrate::Requirement::energy:
      return build_energy_kernels(context, dynamics);
  }
}

}  // namespace

bool reads_rates_jacobian(const integrate::MethodInfo& method) {
  // Explicit adaptive steps are compiled together with their motion.
  return method.adaptive && method.needs == integrate::Requirement::none;
}

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

void build_kernels(const integrate::MethodInfo& method, const BuildContext& context, integrate::Dynamics& dynamics) {
  mechanics::begin_derivation(context.system, context.equations, context.laws);
  try {
    build_required(method, context, dynamics);
  } catch (const Refused& reason) {
    throw Refused(fmt::format("method {} cannot run this model: {}", method.name, reason.problem()),
                  reason.remedy().empty() ? "contact-gauss and reference methods take every model" : reason.remedy(),
                  "method");
  }
}

}  // namespace herglotz::simulate
