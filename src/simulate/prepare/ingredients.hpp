#pragma once
/// Kernels that only some methods read, derived and compiled when such a method is asked for.

#include <map>

#include "herglotz/compile/device.hpp"
#include "herglotz/integrate/device_runs.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// Explicit step as programs. They are derived once, and compiled for single runs and for lanes, because a second
/// derivation could order the terms in another way.
struct ExplicitForm {
  std::size_t constants = 0;
  std::vector<std::size_t> driven;
  symbolic::Program prepare;
  symbolic::Program step;
  symbolic::Program momentum;
  symbolic::Program velocity;
  symbolic::Program sources;
};
/// Discrete Lagrangian as programs, which are derived once as well.
struct DiscreteForm {
  symbolic::Program map;
  mechanics::SparseProgram jacobian;
};
/// Forms that have been derived so far.
struct DerivedForms {
  std::map<integrate::Ingredient, ExplicitForm> steps;
  std::optional<DiscreteForm> discrete;
  std::optional<mechanics::MotionProgram> motion;
};

/// Inputs from which ingredients are made.
struct Recipe {
  const mechanics::System& system;        ///< with its independent constraints only
  const mechanics::Equations& equations;  ///< equations of `system`
  const std::optional<discrete::DiscreteLagrangian>& discrete;
  const compile::Options& options;
  const std::vector<mechanics::BalanceLaw>& laws;
  DerivedForms& forms;
  /// Entries of (x, w, z) that steps of one size compute; `{}` stands for all of them, the integrating factor and the
  /// budgets.
  std::vector<bool> wanted{};
};

/// Throws Refused that names the method and the constraints if the method does not honour them.
void require_constraints(const integrate::MethodInfo& method, const mechanics::System& system);
/// Adds the ingredients that the method needs. Throws Refused that names the method and the part of the
/// system that it cannot honour: a force, an algebroid, a Lagrangian of another form.
void supply(const integrate::MethodInfo& method, const Recipe& recipe, integrate::Dynamics& dynamics);

// The functions below supply one ingredient each. They throw Refused with the reason alone.

void supply_splitting(const Recipe& recipe, integrate::Dynamics& dynamics);
/// Leaves dynamics.verlet empty if the step is not explicit.
void supply_verlet(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_discrete_lagrangian(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_groupoid(const Recipe& recipe, integrate::Dynamics& dynamics);
/// Leaves the loop empty if the motion is not given by straight-line code, or if there is no machine code.
void supply_adaptive_motion(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_taylor_motion(const Recipe& recipe, integrate::Dynamics& dynamics);
/// Supplies the loop for steps of one size by the Runge-Kutta method of the given order; otherwise behaves like
/// supply_adaptive_motion.
void supply_stepped_motion(const Recipe& recipe, int order, integrate::Dynamics& dynamics);
/// Throws Refused if a device does not follow members with this method, dynamics and settings; `plain` tells whether a
/// start is the state itself and nothing is watched along a run.
void require_for_device(const compile::Device& device, const integrate::MethodInfo& method,
                        const integrate::Dynamics& dynamics, const integrate::Settings& settings, bool plain);
/// Returns the same motion for a device. Throws Refused if straight-line code does not give it, or if the device does
/// not take it.
integrate::DeviceMotion device_motion(const Recipe& recipe, const integrate::MethodInfo& method,
                                      const compile::Device& device, const integrate::Dynamics& dynamics);
void supply_energy(const Recipe& recipe, integrate::Dynamics& dynamics);

}  // namespace herglotz::simulate
