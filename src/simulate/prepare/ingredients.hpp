#pragma once
/// Kernels that only some methods read, derived and compiled when such a method is asked for.

#include <map>

#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// An explicit step as programs: derived once, and compiled for single runs and for lanes. Deriving it again could
/// order its terms in another way.
struct ExplicitForm {
  std::size_t constants = 0;
  std::vector<std::size_t> driven;
  symbolic::Program prepare;
  symbolic::Program step;
  symbolic::Program momentum;
  symbolic::Program velocity;
  symbolic::Program sources;
};
/// A discrete Lagrangian as programs, derived once as well.
struct DiscreteForm {
  symbolic::Program map;
  mechanics::SparseProgram jacobian;
};
/// What was derived for such methods so far.
struct DerivedForms {
  std::map<integrate::Ingredient, ExplicitForm> steps;
  std::optional<DiscreteForm> discrete;
  std::optional<mechanics::MotionProgram> motion;
};

/// What ingredients are made from.
struct Recipe {
  const mechanics::System& system;        ///< with its independent constraints only
  const mechanics::Equations& equations;  ///< of that system
  const std::optional<discrete::DiscreteLagrangian>& discrete;
  const compile::Options& options;
  const std::vector<mechanics::BalanceLaw>& laws;
  DerivedForms& forms;
  /// Which of (x, w, z) are wanted of steps of one size; empty: these, the integrating factor and the budgets.
  std::vector<bool> wanted{};
};

/// Throws std::invalid_argument that names the method and the constraints that it does not honour.
void require_constraints(const integrate::MethodInfo& method, const mechanics::System& system);
/// Adds what the method needs. Throws std::invalid_argument that names the method and what of the system it cannot
/// honour: a force, an algebroid, a Lagrangian of another form.
void supply(const integrate::MethodInfo& method, const Recipe& recipe, integrate::Dynamics& dynamics);

// One for each ingredient; they throw std::invalid_argument with the reason alone.

void supply_splitting(const Recipe& recipe, integrate::Dynamics& dynamics);
/// Leaves dynamics.verlet empty where the step is not explicit.
void supply_verlet(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_discrete_lagrangian(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_groupoid(const Recipe& recipe, integrate::Dynamics& dynamics);
/// Leaves the loop empty where the motion is not given by straight-line code, or there is no machine code.
void supply_adaptive_motion(const Recipe& recipe, integrate::Dynamics& dynamics);
void supply_taylor_motion(const Recipe& recipe, integrate::Dynamics& dynamics);
/// As supply_adaptive_motion, for steps of one size by the method of that order.
void supply_stepped_motion(const Recipe& recipe, int order, integrate::Dynamics& dynamics);
void supply_energy(const Recipe& recipe, integrate::Dynamics& dynamics);

}  // namespace herglotz::simulate
