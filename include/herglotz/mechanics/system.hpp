#pragma once
/// A mechanical system: an algebroid, a Herglotz Lagrangian (or contact Hamiltonian), forces and rules. Theory, Sec. 1.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::mechanics {

using symbolic::Expr;

enum class Formulation { lagrangian, hamiltonian };
enum class Rule { none, nonholonomic, vakonomic };

/// A named constant of the model; a symbol of the graph, so that it can be changed without deriving again.
struct Parameter {
  Expr symbol;
  double value = 0;
};

/// A section s = s^a(x) e_a whose momentum J_s = p_a s^a is followed along a run.
struct Symmetry {
  std::string name;
  std::vector<Expr> section;  ///< r components
};

/// A function f(x, p, z, t) that the motion is said to dissipate: df/dt = L_z f. [ASC25, Ex. 4.7; ASMLL20, Sec. 2].
struct Dissipated {
  std::string name;
  Expr value;  ///< in x, the momentum symbols p, z, t and parameters
};

/// A named output; may use x, w, z, t, parameters, the momenta p and the energy symbol.
struct Observable {
  std::string name;
  Expr value;
};

/// Direction of a crossing in time, not in the order of a run.
enum class Direction { any, rising, falling };

/// A function of the state whose zeros are located along a run; it may use the symbols that an observable may use.
struct Event {
  std::string name;
  Expr value;
  Direction direction = Direction::any;
  bool stop = false;  ///< the run ends at the first zero
};

/// A function of base and time that every motion keeps, whatever its Lagrangian, and that is zero at the start: a
/// Casimir of the anchor such as the norm of a quaternion.
struct Invariant {
  std::string name;
  Expr value;
};

/// Constraints and the rule by which they act; set them with `constrain`.
struct Constraints {
  Rule rule = Rule::none;
  std::vector<Expr> equations;    ///< each is = 0; one without velocities (momenta) is holonomic
  std::vector<Expr> multipliers;  ///< lambda<k> (nonholonomic) or nu<k> (vakonomic), one symbol per equation
};

/// Treatment of rates that a singular Lagrangian leaves undetermined.
struct Gauge {
  std::vector<Expr> conditions;  ///< functions of base, velocities and time, each = 0; one for each arbitrary rate
  bool refuse = false;           ///< without conditions: refuse the motion, instead of choosing the smallest rates
};

/// Everything that defines the motion, and nothing that belongs to one run.
struct System {
  std::string name;
  std::string title;
  std::string reference;
  geometry::Algebroid algebroid;
  Expr z;               ///< the action variable
  Expr t;               ///< time
  std::vector<Expr> p;  ///< momentum symbols p_<fibre> (r): state of a Hamiltonian model, else for observables
  Expr energy;          ///< the symbol `energy` for observables
  Formulation formulation = Formulation::lagrangian;
  Expr generator;            ///< L(x, y, z, t), or H(x, p, z, t)
  std::vector<Expr> forces;  ///< F_a(x, y, z, t) (r)
  std::vector<Parameter> parameters;
  std::vector<Expr> definitions;  ///< let nodes, in the order of the model file
  std::vector<Symmetry> symmetries;
  std::vector<Dissipated> dissipated{};
  std::vector<Observable> observables;
  std::vector<Invariant> invariants;
  std::vector<Event> events;
  Constraints constraints;
  std::map<std::string, std::string, std::less<>> latex;  ///< how names are typeset, if the model says so
  Gauge gauge{};

  [[nodiscard]] symbolic::Graph& graph() const { return *algebroid.graph; }
  [[nodiscard]] std::size_t n() const { return algebroid.n(); }
  [[nodiscard]] std::size_t r() const { return algebroid.r(); }
  /// Returns the fibre part of the state: y for a Lagrangian, p for a Hamiltonian.
  [[nodiscard]] const std::vector<Expr>& w() const { return formulation == Formulation::lagrangian ? algebroid.y : p; }
};

/// Returns a system on the given algebroid with standard names (action "z", time "t", p_<fibre>, energy) and zero
/// forces; the caller sets the generator. Throws Refused if a name is used twice.
System make_system(geometry::Algebroid algebroid, std::string_view action = "z", std::string_view time = "t");

/// Puts the equations, each = 0, on the system, with multipliers named lambda1.. or nu1.. . Throws
/// Refused if a multiplier's name is taken.
void constrain(System& system, Rule rule, std::vector<Expr> equations);
/// Returns the system with only the constraint equations `kept`, in that order. Multipliers keep their names; the
/// multipliers of removed equations are zero in observables.
System with_constraints(const System& system, const std::vector<std::size_t>& kept);

}  // namespace herglotz::mechanics
