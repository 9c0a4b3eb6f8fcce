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
struct DiscretePrograms {
  symbolic::Program map;
  mechanics::SparseProgram jacobian;
};
/// Forms that have been derived so far.
struct DerivedForms {
  std::map<integrate::Requirement, ExplicitForm> steps;
  std::optional<DiscretePrograms> discrete;
  std::optional<mechanics::MotionProgram> motion;
  std::optional<mechanics::MotionProgram> simple_motion;  ///< with simplified rates
  std::optional<mechanics::SparseProgram> mass_jacobian;
  bool straight = true;  ///< whether straight-line code gives the rates, so that they have no mass form
};

/// Inputs from which the kernels of a requirement are built.
struct BuildContext {
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
/// Returns whether the method reads the Jacobian of the rates: it is adaptive, and solves for its stages.
bool reads_rates_jacobian(const integrate::MethodInfo& method);
/// Builds the kernels that the method needs. Throws Refused that names the method and the part of the
/// system that it cannot honour: a force, an algebroid, a Lagrangian of another form.
void build_kernels(const integrate::MethodInfo& method, const BuildContext& context, integrate::Dynamics& dynamics);

// The functions below build the kernels of one requirement each. They throw Refused with the reason alone.

void build_splitting_kernels(const BuildContext& context, integrate::Dynamics& dynamics);
/// Leaves dynamics.verlet empty if the step is not explicit.
void build_verlet_kernels(const BuildContext& context, integrate::Dynamics& dynamics);
void build_discrete_kernels(const BuildContext& context, integrate::Dynamics& dynamics);
void build_groupoid_kernels(const BuildContext& context, integrate::Dynamics& dynamics);
/// Leaves the loop empty if the motion is not given by straight-line code, or if there is no machine code.
void build_adaptive_loop(const BuildContext& context, integrate::Dynamics& dynamics);
void build_taylor_loop(const BuildContext& context, integrate::Dynamics& dynamics);
/// Builds the loop for steps of one size by the Runge-Kutta method of the given order; otherwise behaves like
/// build_adaptive_loop.
void build_stepped_loop(const BuildContext& context, int order, integrate::Dynamics& dynamics);
/// Throws Refused if a device does not follow members with this method, dynamics and settings; `plain` tells whether a
/// start is the state itself and nothing is watched along a run.
void require_for_device(const compile::Device& device, const integrate::MethodInfo& method,
                        const integrate::Dynamics& dynamics, const integrate::Settings& settings, bool plain);
/// Returns the same motion for a device. Throws Refused if straight-line code does not give it, or if the device does
/// not take it.
integrate::DeviceMotion device_motion(const BuildContext& context, const integrate::MethodInfo& method,
                                      const compile::Device& device, const integrate::Dynamics& dynamics);
/// Builds the Jacobian of the mass form, if the rates have one.
void build_rates_jacobian(const BuildContext& context, integrate::Dynamics& dynamics);
void build_energy_kernels(const BuildContext& context, integrate::Dynamics& dynamics);

}  // namespace herglotz::simulate
