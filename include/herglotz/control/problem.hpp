#pragma once
/// Problems of boundary values and of optimal control with a Herglotz cost. Theory: docs/solve.md.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/control/solution.hpp"
#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/mechanics/system.hpp"

namespace herglotz::control {

using symbolic::Expr;

/// Kind of a problem; it follows from the tables that a model has.
enum class Kind {
  two_point,  ///< ends of a motion of Herglotz' principle: its action at the end is stationary [LLMR21]
  kinematic,  ///< dx/dt = rho f(x, u, z, t) [GG08, Eqs. 5.6-5.8]
  mechanical  ///< a system with controls in its forces [CM04]
};

/// lower <= u <= upper, each a function of parameters; without a value there is no bound.
struct Bounds {
  std::optional<Expr> lower;
  std::optional<Expr> upper;
};

/// Minimise (or maximise) zeta(T) + terminal with d zeta/dt = running and zeta(0) = 0.
struct Cost {
  Expr action;    ///< zeta
  Expr running;   ///< ell(x, y, z, u, zeta, t)
  Expr terminal;  ///< a function of the states, which stand for their final values, and of Boundary::duration_symbol
  bool maximise = false;
};

/// Conditions at the ends. Values are functions of parameters; states are named as in the model.
struct Boundary {
  std::optional<Expr> duration;  ///< without a value it is free
  std::optional<Expr> shortest;
  std::optional<Expr> longest;
  Expr duration_symbol;
  std::map<std::string, Expr, std::less<>> initial;  ///< states that are neither here nor free are 0
  std::map<std::string, Expr, std::less<>> final;
  std::vector<std::string> free_initial;
  /// Each = 0: functions of <state>_initial, <state>_final, duration and parameters.
  std::vector<Expr> conditions;
};

/// Start of a solver: functions of s = t/duration, or a path that was found before.
struct Guess {
  Expr s;
  std::map<std::string, Expr, std::less<>> values;
  std::optional<double> duration;
  std::string file{};           ///< file with a path, from [guess]; it is read by `io::read_guess`
  std::vector<double> times{};  ///< times of a path, which increase
  std::map<std::string, std::vector<double>, std::less<>> columns{};  ///< values of the path at these times
  std::optional<Iterate> iterate{};                                   ///< the path with its mesh and multipliers
  bool keeps_mesh = true;  ///< true if the mesh of the iterate is the first mesh
};

struct SolveSettings {
  std::size_t intervals = 40;
  std::optional<std::size_t> max_intervals{};
  std::string method = "auto";
  double tolerance = 1e-8;
  std::vector<double> output_times{};

  /// Returns the number of intervals that a refined mesh may have: what is given, or 2000, or `intervals` if that is
  /// more.
  [[nodiscard]] std::size_t most_intervals() const;
};

/// Problem that one model file states.
struct Problem {
  mechanics::System system;  ///< its generator is 0 if [control] gives the kinematics
  Kind kind = Kind::two_point;
  std::vector<Expr> controls;
  std::vector<Bounds> bounds;    ///< the bounds of each control
  std::vector<Expr> kinematics;  ///< f^a (r) of a kinematic problem
  std::vector<Expr> path;        ///< functions that must be <= 0 all along
  Cost cost;                     ///< for a two-point problem, the action and the Lagrangian
  Boundary boundary;
  Guess guess;
  SolveSettings settings;
  std::optional<discrete::DiscreteLagrangian> discrete{};  ///< made by a rule of [discrete]
  discrete::PositionRule position_rule = discrete::PositionRule::midpoint;
  discrete::ActionRule action_rule = discrete::ActionRule::implicit;
  std::string text;  ///< the model file
};

/// Returns the names that have values at the ends: base, for mechanical problems fibre, and the mechanical action if
/// there is one.
std::vector<std::string> end_names(const Problem& problem);
/// Returns whether the cost of every path is the same, because neither states and controls nor a free duration enter
/// it.
bool has_constant_cost(const Problem& problem);
/// Returns the symbol `<state>_initial` or `<state>_final` of conditions.
std::string initial_name(std::string_view state);
std::string final_name(std::string_view state);

}  // namespace herglotz::control
