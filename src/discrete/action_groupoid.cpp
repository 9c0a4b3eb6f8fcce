#include "herglotz/discrete/action_groupoid.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "derivative_program.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::discrete {
namespace {

using geometry::Algebroid;
using mechanics::System;

/// The structure functions of so many velocities take half a gigabyte.
constexpr std::size_t most_velocities = 256;

bool is_affine(const symbolic::Matrix& rho, const std::vector<Expr>& x) {
  std::set<symbolic::NodeId> coordinates;
  for (const Expr& a : x) coordinates.insert(a.id());
  const auto coordinates_of = [&](Expr f) {
    std::vector<Expr> found = symbolic::free_symbols(std::vector{f});
    std::erase_if(found, [&](const Expr& symbol) { return !coordinates.contains(symbol.id()); });
    return found;
  };
  return std::all_of(rho.entries.begin(), rho.entries.end(), [&](const Expr& entry) {
    const std::vector<Expr> own = coordinates_of(entry);
    return std::all_of(own.begin(), own.end(),
                       [&](const Expr& a) { return coordinates_of(derivative(entry, a)).empty(); });
  });
}

std::vector<Expr> opened(const std::vector<Expr>& list) {
  std::vector<Expr> open;
  for (const Expr& f : list) open.push_back(symbolic::expand_lets(f));
  return open;
}

/// Returns the algebroid in its frame. xi[a] are symbols that no model can name.
Algebroid in_frame(const Algebroid& given) {
  const geometry::Integration& known = *given.integration;
  Algebroid framed;
  framed.kind = "action";
  framed.graph = given.graph;
  framed.x = given.x;
  for (std::size_t a = 0; a < given.r(); ++a)
    framed.y.push_back(given.graph->symbol("xi[" + std::to_string(a + 1) + "]"));
  framed.rho = known.rho;
  framed.sigma = known.rho;
  framed.c = known.c;
  framed.integration = known;
  return framed;
}

symbolic::Program program_of(const ActionGroupoid& groupoid, std::string name, std::vector<Expr> variables,
                             const std::vector<Expr>& outputs) {
  symbolic::Program program = program_without_outputs(groupoid.system, std::move(name), std::move(variables));
  program.outputs = opened(outputs);
  return program;
}

std::vector<Expr> stage_variables(const ActionGroupoid& groupoid) {
  std::vector<Expr> variables = groupoid.equations.u;
  variables.insert(variables.end(), groupoid.equations.l.begin(), groupoid.equations.l.end());
  return variables;
}

}  // namespace

ActionGroupoid on_action_groupoid(const System& system) {
  if (system.formulation != mechanics::Formulation::lagrangian)
    throw Refused("a Hamiltonian is given", "this method needs a Lagrangian");
  const Algebroid& e = system.algebroid;
  if (!e.integration)
    throw Refused("no groupoid is known for this " + e.kind + " algebroid",
                  "a Lie algebroid with constant structure functions, or with an injective anchor, is needed");
  if (e.r() > most_velocities)
    throw Refused("methods on groupoids take at most " + std::to_string(most_velocities) +
                      " velocities, as r of them have r^3 structure functions; this system has " +
                      std::to_string(e.r()),
                  "contact-gauss-4 takes more");
  ActionGroupoid groupoid;
  groupoid.frame = e.integration->frame;
  groupoid.factors = e.integration->factors;
  groupoid.affine_action = is_affine(e.integration->rho, e.x);

  System& framed = groupoid.system;
  framed = system;
  framed.algebroid = in_frame(e);
  const auto velocities = multiply(groupoid.frame, framed.algebroid.y);
  const auto moved = [&](const std::vector<Expr>& f) { return symbolic::substitute(opened(f), e.y, velocities); };
  framed.generator = moved({system.generator}).front();
  const auto forces = moved(system.forces);
  framed.forces = multiply(transpose(groupoid.frame), forces);
  framed.constraints.equations = moved(system.constraints.equations);
  framed.symmetries.clear();
  framed.dissipated.clear();
  framed.observables.clear();
  groupoid.equations = mechanics::derive(framed);
  return groupoid;
}

symbolic::Program structure_program(const ActionGroupoid& groupoid) {
  const auto& c = groupoid.system.algebroid.c;
  std::vector<Expr> outputs;
  for (std::size_t k = 0; k < c.rank(); ++k)
    for (std::size_t i = 0; i < c.rank(); ++i)
      for (std::size_t j = 0; j < c.rank(); ++j) outputs.push_back(c(k, i, j));
  return program_of(groupoid, "structure", {}, outputs);
}

symbolic::Program generators_program(const ActionGroupoid& groupoid) {
  const Algebroid& e = groupoid.system.algebroid;
  return program_of(groupoid, "generators", e.x, e.rho.entries);
}

symbolic::Program frame_program(const ActionGroupoid& groupoid) {
  return program_of(groupoid, "frame", groupoid.system.algebroid.x, groupoid.frame.entries);
}

symbolic::Program groupoid_stage_program(const ActionGroupoid& groupoid) {
  const System& system = groupoid.system;
  const mechanics::Equations& q = groupoid.equations;
  std::vector<Expr> outputs = q.p;
  const auto slopes = symbolic::gradient(system.generator, system.algebroid.x);
  for (std::size_t a = 0; a < system.r(); ++a) {
    Expr force = system.forces[a];
    for (std::size_t i = 0; i < system.n(); ++i) force += system.algebroid.rho(i, a) * slopes[i];
    outputs.push_back(force);
  }
  outputs.insert(outputs.end(), {q.L, q.L_z});
  outputs.insert(outputs.end(), q.Phi.begin(), q.Phi.end());
  outputs.insert(outputs.end(), q.Phi_y.entries.begin(), q.Phi_y.entries.end());
  return program_of(groupoid, "groupoid_stage", stage_variables(groupoid), outputs);
}

mechanics::SparseProgram groupoid_stage_jacobian_program(const ActionGroupoid& groupoid) {
  const auto stage = groupoid_stage_program(groupoid);
  const std::vector<Expr> state(groupoid.equations.u.begin(), groupoid.equations.u.end() - 1);
  return derivative_program(program_of(groupoid, "groupoid_stage_jacobian", stage_variables(groupoid), {}),
                            stage.outputs, state);
}

}  // namespace herglotz::discrete
