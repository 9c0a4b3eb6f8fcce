#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/events/jumps.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/print.hpp"
#include "hybrid/course.hpp"

namespace herglotz::simulate {
namespace {

using symbolic::Expr;

/// Returns by how much a gap jumps wherever its only `floor` does, as text; empty if that is not a constant. A gap g(x,
/// k) with k = floor(u) jumps by its slope dg/dk if that depends on nothing that moves.
std::string constant_jump(const mechanics::System& system, const Expr& gap) {
  symbolic::Graph& graph = system.graph();
  const Expr opened = symbolic::expand_lets(gap);
  std::vector<Expr> floors;
  for (const symbolic::NodeId id : graph.reachable(std::vector<Expr>{opened}))
    if (graph.op(id) == symbolic::Op::floor) floors.emplace_back(graph, id);
  if (floors.size() != 1) return {};
  const Expr whole = graph.symbol("floor");
  const Expr slope = symbolic::derivative(symbolic::substitute(opened, floors, std::vector<Expr>{whole}), whole);
  const auto moves = [&](const Expr& x) { return symbolic::depends_on(slope, x); };
  if (slope.is_zero() || moves(whole) || moves(system.t)) return {};
  if (std::ranges::any_of(system.algebroid.x, moves)) return {};
  return symbolic::print(slope);
}

}  // namespace

void require_jumps(const mechanics::System& system, const mechanics::Equations& equations, const Settings& settings,
                   double t0) {
  const auto first = std::find_if(system.events.begin(), system.events.end(), mechanics::changes_state);
  if (first == system.events.end()) return;
  const auto refuse = [](const mechanics::Event& event, const std::string& problem, const std::string& remedy) {
    const std::string table = event.impact ? "[impacts]" : "[events]";
    throw Refused(fmt::format("{} '{}' changes the state, and {}", table, event.name, problem), remedy, table);
  };
  const auto depends = [&](const symbolic::Expr& value) {
    return std::any_of(system.w().begin(), system.w().end(),
                       [&](const symbolic::Expr& w) { return symbolic::depends_on(value, w); });
  };
  if (settings.t_end < t0) refuse(*first, "a run backwards cannot undo that", "choose a t_end after the start");
  if (settings.time_scale) refuse(*first, "a scaled time is not followed through it", "remove time_scale");
  for (const auto& event : system.events) {
    if (!event.impact) continue;
    if (system.formulation == mechanics::Formulation::hamiltonian)
      refuse(event, "impacts need velocities", "give a Lagrangian");
    if (system.constraints.rule == mechanics::Rule::vakonomic)
      refuse(event, "vakonomic constraints have no impacts", "choose rule = \"nonholonomic\"");
    if (std::any_of(equations.W.entries.begin(), equations.W.entries.end(), depends))
      refuse(event, "the mass matrix depends on velocities",
             "impacts are for kinetic energies quadratic in velocities");
    if (const std::string jump = constant_jump(system, event.value); !jump.empty())
      refuse(event, fmt::format("its gap jumps by {} at every step of floor", jump),
             "a gap is a distance, and continuous: give each tooth or step a contact of its own");
    for (const auto& direction : event.impact->slip_by_velocity)
      if (std::any_of(direction.begin(), direction.end(), depends))
        refuse(event, "its slip is not linear in the velocities", "write a linear one");
  }
}

}  // namespace herglotz::simulate
