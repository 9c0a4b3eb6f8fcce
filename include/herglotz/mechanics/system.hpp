#pragma once
/// A mechanical system: an algebroid, a Herglotz Lagrangian (or contact Hamiltonian), forces and rules. Theory, Sec. 1.

#include <functional>
#include <map>
#include <optional>
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

/// New value of an entry of the state at an event, in the symbols that an observable may use, at the state before it.
struct Reset {
  std::string entry;  ///< name of a base coordinate, a fibre coordinate (momentum) or the action
  Expr value;
};

/// Impact against a unilateral constraint gap(x, t) >= 0, whose gap is the function of the event. The impulse acts
/// along the differential of the gap, and along that of the slip within Coulomb's cone; `add_impact` finds these.
struct Impact {
  Expr restitution;                     ///< Newton's coefficient: minus the rate of the gap afterwards over that before
  Expr friction;                        ///< Coulomb's coefficient
  std::vector<Expr> slip{};             ///< velocities of the point of contact along the surface: none, one or two
  Expr gap_by_time{};                   ///< d gap/dt at rest
  std::vector<Expr> gap_by_velocity{};  ///< rho^i_a d gap/dx^i (r)
  std::vector<std::vector<Expr>> slip_by_velocity{};  ///< d slip/dy (r) of each slip
};

/// A function of the state whose zeros are located along a run; it may use the symbols that an observable may use. The
/// event may change the state: by resets, which happen all at once, or by an impact.
struct Event {
  std::string name;
  Expr value;
  Direction direction = Direction::any;
  bool stop = false;  ///< the run ends at the first zero
  std::vector<Reset> resets{};
  std::optional<Impact> impact{};
};

/// A function of base and time that every motion keeps, whatever its Lagrangian, and that is zero at the start: a
/// Casimir of the anchor such as the norm of a quaternion.
struct Invariant {
  std::string name;
  Expr value;
};

/// Coulomb friction on a velocity; `add_friction` puts it on a system.
struct Friction {
  std::string name;
  Expr on;                        ///< the velocity u(x, y, t), linear in y; the friction acts along du/dy
  Expr normal;                    ///< the normal force N(x, y, z, t), which is not negative
  Expr held;                      ///< largest force while it sticks: static coefficient times N
  Expr slid;                      ///< force while it slips: kinetic coefficient times N
  std::vector<Expr> direction{};  ///< du/dy (r), of base and time
  Expr force{};                   ///< the force along du/dy
  bool followed = false;          ///< whether `force` has the parameters of a mode
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
  std::vector<Friction> frictions{};
  std::vector<Expr> smooth_forces{};  ///< forces without friction (r); empty without friction
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
