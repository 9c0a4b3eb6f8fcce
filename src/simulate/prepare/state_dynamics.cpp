#include "herglotz/simulate/state_dynamics.hpp"

#include <algorithm>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/mechanics/derivation.hpp"
#include "herglotz/mechanics/derive/simple_motion.hpp"

namespace herglotz::simulate {
namespace {

using integrate::Requirement;

/// Returns the motion of the entries at these places alone.
symbolic::Program motion_of(const mechanics::MotionProgram& whole, const std::vector<std::size_t>& kept) {
  symbolic::Program part = whole.program;
  part.variables.clear();
  part.outputs.clear();
  for (const std::size_t e : kept) {
    part.variables.push_back(whole.program.variables[e]);
    part.outputs.push_back(whole.program.outputs[e]);
  }
  part.variables.push_back(whole.program.variables.back());
  part.outputs.insert(part.outputs.end(), whole.program.outputs.end() - static_cast<std::ptrdiff_t>(whole.checks),
                      whole.program.outputs.end());
  return part;
}

}  // namespace

integrate::Dynamics state_dynamics(const Simulator& simulator, const integrate::MethodInfo& method) {
  integrate::Dynamics dynamics = simulator.dynamics_for(method);
  const bool steps = method.needs == Requirement::stepped_motion && dynamics.motion.steps;
  const bool taylor = method.needs == Requirement::taylor_motion && dynamics.motion.adaptive;
  if (dynamics.m > 0 || simulator.follows_final_set() || !(steps || taylor)) return dynamics;

  mechanics::begin_derivation(simulator.system(), simulator.equations(), simulator.laws());
  const auto motion = mechanics::simplified(mechanics::motion_program(simulator.system(), simulator.equations(), {}));
  std::vector<bool> wanted(motion.program.variables.size() - 1);
  std::fill_n(wanted.begin(), dynamics.n + dynamics.r, true);
  const auto kept = mechanics::needed_entries(motion, std::move(wanted));
  const auto part = motion_of(motion, kept);

  const std::size_t states = dynamics.n + dynamics.r;
  const kernel::StateLayout entries{{0, dynamics.n, states, kept.size(), kept.size()}, false, 0, motion.checks};
  dynamics.motion = {entries, {}, kept, {}, {}};
  if (steps)
    dynamics.motion.steps = compile::compile_runge_kutta(part, entries, integrate::runge_kutta_tableau(method.order));
  else
    dynamics.motion.adaptive = compile::compile_taylor(part, entries);
  return dynamics;
}

}  // namespace herglotz::simulate
