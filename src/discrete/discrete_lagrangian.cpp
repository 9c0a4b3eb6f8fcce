#include "herglotz/discrete/discrete_lagrangian.hpp"

#include <algorithm>

#include "herglotz/error.hpp"

namespace herglotz::discrete {

DiscreteLagrangian discrete_symbols(const mechanics::System& system) {
  const geometry::Algebroid& e = system.algebroid;
  const bool tangent = geometry::is_tangent(e);
  if (!tangent && !e.integration)
    throw Refused(
        "a discrete Lagrangian is a function on a groupoid, and none is known for this " + e.kind + " algebroid",
        "a Lie algebroid with constant structure functions, or with an injective anchor, is needed");
  auto& graph = system.graph();
  DiscreteLagrangian symbols;
  for (const auto& x : e.x) {
    symbols.q0.push_back(graph.symbol(std::string(x.name()) + "0"));
    symbols.q1.push_back(graph.symbol(std::string(x.name()) + "1"));
  }
  if (!tangent)
    for (const auto& y : e.y) symbols.q1.push_back(graph.symbol("eta_" + std::string(y.name())));
  symbols.z0 = graph.symbol(std::string(system.z.name()) + "0");
  symbols.z1 = graph.symbol(std::string(system.z.name()) + "1");
  symbols.t0 = graph.symbol(std::string(system.t.name()) + "0");
  symbols.h = graph.symbol("h");
  symbols.ell = graph.number(0);
  symbols.minus.assign(e.r(), symbols.ell);
  symbols.plus = symbols.minus;
  symbols.rule = "given";
  return symbols;
}

bool has_forces(const DiscreteLagrangian& lagrangian) {
  const auto acts = [](const Expr& force) { return !force.is_zero(); };
  return std::any_of(lagrangian.minus.begin(), lagrangian.minus.end(), acts) ||
         std::any_of(lagrangian.plus.begin(), lagrangian.plus.end(), acts);
}

void require_matching_forces(const mechanics::System& system, const DiscreteLagrangian& lagrangian) {
  const auto force =
      std::find_if(system.forces.begin(), system.forces.end(), [](const Expr& f) { return !f.is_zero(); });
  const bool discrete = has_forces(lagrangian);
  if (discrete == (force != system.forces.end())) return;
  if (discrete)
    throw Refused("the discrete Lagrangian has forces, whose work is in no balance law without forces in [dynamics]",
                  "add forces = { ... } to [dynamics], or remove those of [discrete]");
  const std::string y(system.algebroid.y[static_cast<std::size_t>(force - system.forces.begin())].name());
  throw Refused("the force on " + y + " is not in the discrete Lagrangian",
                "add forces = { minus = { " + y + " = \"...\" }, plus = { " + y +
                    " = \"...\" } } to [discrete], or choose rule = \"midpoint\"");
}

}  // namespace herglotz::discrete
