#pragma once
/// The spine: from a System and a start to a verified Trajectory.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/analyse/trajectory.hpp"
#include "herglotz/compile/compile.hpp"
#include "herglotz/discrete/discrete_lagrangian.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/integrate.hpp"
#include "herglotz/mechanics/equations.hpp"
#include "herglotz/simulate/start_expressions.hpp"

namespace herglotz::simulate {

/// The [simulation] table, and `project` and `fixed` of [initial]. Unset values take the documented defaults.
struct Settings {
  std::string method = "auto";
  bool project = false;              ///< move a start that is off the constraints onto them
  std::vector<std::string> fixed{};  ///< base and fibre coordinates that `project` does not change
  double t_end = 10;
  std::optional<double> step;
  std::optional<double> tolerance;
  std::optional<std::size_t> output_every;
  std::optional<double> output_step;
  std::vector<double>
      output_times{};  ///< instead of these two: states at given times, in addition to the start and the end
  /// s(x, z, t) > 0: steps are equal in the time tau with dt = s dtau, and `step` is a step of tau.
  std::optional<symbolic::Expr> time_scale;
  /// Columns of the output, which may include columns that are computed on demand. Empty: all columns that are not.
  std::vector<std::string> columns{};
  std::optional<integrate::GalerkinRule> galerkin{};  ///< [discrete] with rule = "galerkin"
};

/// A system with its start and its settings, as one model file states them.
struct Problem {
  mechanics::System system;
  InitialState initial;
  Settings settings;
  std::string text;                                        ///< the model file, or empty
  std::optional<discrete::DiscreteLagrangian> discrete{};  ///< [discrete]
  InitialState next{};  ///< [initial.next]: the second position of a discrete motion, by base name; may be empty
  /// Expressions of initial values; `initial` has their values at the parameters of the system.
  StartExpressions expressions{};
};

/// A derived and compiled system; build once, run many times with other parameters, starts and methods.
class Simulator {
 public:
  /// Derives and compiles. Constraints that follow from the others are set aside, with multiplier 0 and a note in every
  /// run; this is decided at points around `near`, at the system's parameter values. Throws Refused for
  /// constraints that contradict each other or do not restrict the velocities.
  explicit Simulator(mechanics::System system, const compile::Options& options = {}, const InitialState& near = {},
                     std::optional<discrete::DiscreteLagrangian> discrete = std::nullopt);
  /// Runs the given equations instead of the derived ones; the balance laws stay the laws of the system, so that
  /// equations of another motion fail verification.
  Simulator(mechanics::System system, mechanics::Equations equations, const compile::Options& options = {});
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  [[nodiscard]] const mechanics::System& system() const;
  [[nodiscard]] const mechanics::Equations& equations() const;
  [[nodiscard]] const std::vector<mechanics::BalanceLaw>& laws() const;
  [[nodiscard]] const integrate::Dynamics& dynamics() const;
  /// Returns the dynamics with the kernels that the method reads in addition, which are derived and compiled on the
  /// first call. Throws Refused that names the method and the part of the system that it cannot honour.
  [[nodiscard]] const integrate::Dynamics& dynamics_for(const integrate::MethodInfo& method) const;
  [[nodiscard]] std::vector<double> parameter_values() const;

  /// Fraction done in [0, 1]; returning false stops the run and keeps what it reached.
  using Progress = std::function<bool(double fraction)>;

  /// Runs and verifies. Input errors (unknown name, missing step, ...) throw Refused; a run that fails
  /// throws RunFailed, which carries the trajectory up to the failure. With `next`, the second position by base name, a
  /// method of discrete motions starts from two positions.
  [[nodiscard]] analyse::Trajectory run(const InitialState& initial, const Settings& settings,
                                        const InitialState& parameters = {}, const Progress& progress = {},
                                        const InitialState& next = {}) const;
  /// Returns the state that such a run starts from, by name, with its velocities and without its momenta; a state off
  /// the constraints stays there. Throws as `run` does.
  [[nodiscard]] InitialState start(const InitialState& initial, const Settings& settings,
                                   const InitialState& parameters = {}, const InitialState& next = {}) const;

  /// Returns whether the Lagrangian is singular around `near`, so that motions are kept on its final constraint set.
  [[nodiscard]] bool follows_final_set() const;
  /// Integrates the motion of a singular Lagrangian, with the parameters of the system, from (x, w, z), then nu of a
  /// vakonomic system, and returns the last sample; there are no rows and no notes. Throws Refused for a regular
  /// Lagrangian and for a method that does not follow such motions, Failed if the state is off the final set around
  /// `near` or if the motion ends before settings.t_end.
  [[nodiscard]] integrate::Sample last_sample_on_final_set(double t0, const std::vector<double>& state,
                                                           const integrate::Settings& settings) const;

 private:
  friend class Members;
  friend class Stepper;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Error of a run that could not be finished, with the rows that it reached.
class RunFailed : public Failed {
 public:
  RunFailed(const std::string& problem, const std::string& remedy, analyse::Trajectory reached)
      : Failed(problem, remedy), partial(std::move(reached)) {}
  analyse::Trajectory partial;
};

/// The method that `auto` chooses for a system and settings, and for a discrete Lagrangian if there is one, with the
/// reason in one sentence.
struct Choice {
  std::string method;
  std::string reason;
};
Choice choose_method(const mechanics::System& system, const Settings& settings, bool discrete = false);

/// Runs a problem in one call.
analyse::Trajectory simulate(const Problem& problem, const Simulator::Progress& progress = {});

}  // namespace herglotz::simulate
