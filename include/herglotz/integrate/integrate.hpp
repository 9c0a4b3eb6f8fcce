#pragma once
/// Integration from an initial state to samples of the motion, by any registered method.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "herglotz/integrate/dynamics.hpp"
#include "herglotz/integrate/events.hpp"
#include "herglotz/integrate/galerkin_rule.hpp"

namespace herglotz::integrate {

/// Part of a system that a method reads in addition to its equations of motion.
enum class Requirement {
  none,
  velocities,           ///< fibre coordinates that are the velocities of the base
  splitting,            ///< exact flows of the parts of H = T(p) + V(q) + f(z)
  verlet,               ///< an explicit step if the system allows one
  discrete_lagrangian,  ///< the discrete Lagrangian of the problem
  groupoid,             ///< an action groupoid that the algebroid integrates to
  taylor_motion,        ///< the motion compiled together with its Taylor polynomials
  adaptive_motion,      ///< the motion compiled together with the steps, if that is possible
  stepped_motion,       ///< the motion compiled together with steps of one size by the method of this order
  energy                ///< the energy law and the structure (rho, sigma, c)
};

/// The kernels in lanes that runs of a method read in addition to the kernels that `needs` stands for.
enum class LaneKernels {
  none,
  motion,           ///< the rates of the state and the balance laws, unless there is a compiled loop
  implicit_motion,  ///< the rates of the state with their Jacobian, and the balance laws
  stages,           ///< stage, stage_jacobian, balance and projection, unless its step is explicit
  balance           ///< the balance laws, and the positions of holonomic constraints
};

/// Description of a method and of the properties that it keeps; `herglotz methods` prints it and the tests read it.
struct MethodInfo {
  std::string name;
  int order = 0;
  bool adaptive = false;
  std::vector<std::string> algebroids;   ///< kinds it accepts; {"any"} for all
  std::vector<std::string> constraints;  ///< rules it honours; empty: unconstrained systems only
  std::vector<std::string> preserves;
  std::string summary;  ///< one line for people
  Requirement needs = Requirement::none;
  LaneKernels lane_kernels = LaneKernels::none;
};

/// Returns every registered method, in the order of the documentation.
const std::vector<MethodInfo>& methods();
/// Returns the method of that name, or nullptr.
const MethodInfo* find_method(std::string_view name);

/// One state of the motion with the values that the balance laws need. For each law, budget solves dg/dt = L_z g +
/// source with g(0) = Q(0), by the method's own quadrature: the law holds if Q(u) = g.
struct Sample {
  double t = 0;
  std::vector<double> state;        ///< (x, w, z), then nu if multipliers are differential
  std::vector<double> multipliers;  ///< l (m) at this state: lambda, or nu again
  double log_factor = 0;            ///< log of the integrating factor, -int_0^t L_z
  std::vector<double> budget;       ///< one per law
};

/// Times at which samples are emitted. The start and the end are always emitted.
struct Schedule {
  std::size_t every = 0;        ///< accepted steps between samples, or 0
  double interval = 0;          ///< time between samples, or 0
  std::vector<double> times{};  ///< in the order of the run, strictly between its start and its end; not with interval
};

/// A time at which the equations of motion are not smooth. Steps end there.
struct Break {
  double t = 0;
  bool jump = false;  ///< the rates of the motion jump; what holds at t itself belongs to the time after it

  friend bool operator==(const Break&, const Break&) = default;
};

struct Settings {
  std::string method = "reference";
  double t_end = 0;          ///< may lie before t0: the motion is then followed backwards
  double step = 0;           ///< for fixed-step methods, with the sign of t_end - t0
  double tolerance = 1e-10;  ///< relative, for adaptive methods
  Schedule schedule{};
  std::size_t max_steps = 1'000'000'000;
  std::optional<GalerkinRule> galerkin{};  ///< the rule of discrete-galerkin
  std::function<bool()> proceed{};         ///< asked every few thousand steps; false cancels the run; may be empty
  std::vector<Break> breaks{};             ///< in ascending order
};

/// Returns the order of a method with these settings; the order of Taylor polynomials grows with the accuracy.
int order_of(const MethodInfo& method, const Settings& settings);

/// Returns the times of all samples of such a run, including its start and its end. Throws Refused for an
/// adaptive method with samples every few steps.
std::vector<double> sample_times(const Settings& settings, bool adaptive, double t0);

enum class Status {
  success,
  cancelled,
  singular_hessian,
  singular_constraints,  ///< Phi_w W^-1 Phi_y^T is singular although W is not
  off_constraints,       ///< the start does not satisfy the constraints
  not_converged,
  not_finite,
  step_too_small,
  too_many_steps
};

/// Why something did not succeed, in the two parts that an Error has.
struct Reason {
  std::string problem;  ///< what happened, or what is wrong; empty if nothing is
  std::string remedy;   ///< what would be right; empty if `problem` says it, or nothing is known

  Reason() = default;  // NOLINTBEGIN(google-explicit-constructor): a text is a reason without a remedy
  Reason(const char* what) : problem(what) {}
  Reason(std::string what, std::string instead = {}) : problem(std::move(what)), remedy(std::move(instead)) {}
  // NOLINTEND(google-explicit-constructor)
  [[nodiscard]] bool empty() const { return problem.empty(); }
  /// Returns both parts in one line: "<problem>; <remedy>".
  [[nodiscard]] std::string text() const { return remedy.empty() ? problem : problem + "; " + remedy; }
};

/// End of a run. Every status but success and cancelled comes with a reason: what happened, when and at which state.
/// With these two, a reason says what kept the steps of an explicit adaptive method short if it was a decay long over.
struct Outcome {
  Status status = Status::success;
  Reason reason;
  double t = 0;
  std::vector<double> state;
  std::size_t steps = 0;
  std::size_t rejected_steps = 0;
  std::size_t newton_iterations = 0;
  std::optional<std::size_t> stopped_by;  ///< the crossing that ended the run, with status success
};

/// Receives each sample; returning false stops the run with Status::cancelled.
using Sink = std::function<bool(const Sample&)>;

/// Runs settings.method from (t0, state), which must satisfy the constraints to 1e-10 (Status::off_constraints
/// otherwise); smaller defects are removed as round-off. Throws Refused for an unknown method, a missing
/// step, or sizes that do not fit; every failure on the way is reported in the outcome, after the samples before it. A
/// crossing that stops the run is its last sample.
Outcome integrate(const Dynamics& dynamics, std::span<const double> parameters, double t0,
                  std::span<const double> state, const Settings& settings, const Sink& sink, const Watch& watch = {});

/// A state moved onto the constraints, or the reason why that failed.
struct Projection {
  Status status = Status::success;
  Reason reason;
  std::vector<double> state;
  /// The largest |phi| or |Phi| before the projection, relative to the larger of 1 and the size |Phi_w||w| of its
  /// terms.
  double defect = 0;
};

/// Returns the nearest state on the constraints. Positions move by rho W^-1 Phi_y^T k, then velocities by W^-1 Phi_y^T
/// k, minimal in the metric W; z stays unless a velocity-free constraint uses it, and nu and t stay. Newton's method
/// goes on to round-off.
Projection project(const Dynamics& dynamics, std::span<const double> parameters, double t,
                   std::span<const double> state);

}  // namespace herglotz::integrate
