#pragma once
/// State of a simulator: the system, its equations, and everything compiled from them.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "casimirs.hpp"
#include "fixed_projection.hpp"
#include "herglotz/error.hpp"
#include "herglotz/integrate/final_set.hpp"
#include "herglotz/mechanics/events/switches.hpp"
#include "herglotz/mechanics/singular_flow.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/simulate/singular.hpp"
#include "herglotz/simulate/volume.hpp"
#include "hybrid/follow_over_impacts.hpp"
#include "prepare/kernel_batch.hpp"
#include "prepare/requirements.hpp"
#include "record/lane_rows.hpp"
#include "record/recorder.hpp"
#include "scaled_time.hpp"
#include "start.hpp"
#include "switches/pulses.hpp"
#include "switches/switched_motion.hpp"

namespace herglotz::simulate {

struct Simulator::Impl {
  mechanics::System system;
  std::vector<std::size_t> independent;  ///< indices of constraint equations that the others do not imply
  mechanics::System reduced;             ///< the system with its independent constraints only
  mechanics::System recorded_system;     ///< the system with the columns of its frictions
  InitialState near;                     ///< the start around which constraints were judged
  mechanics::Equations equations;        ///< equations of `reduced`
  std::optional<SingularMotion> singular;
  std::optional<mechanics::SingularFlow> flow;  ///< for a singular Lagrangian, its motion on the final set
  std::vector<std::string> names;               ///< names of the entries of a start
  std::vector<mechanics::BalanceLaw> laws;
  std::vector<mechanics::BalanceLaw>
      followed_laws;  ///< the laws, then the budgets of the works of frictions, then those of driven contacts
  integrate::Dynamics dynamics;
  /// Programs from which the kernels of `dynamics` are compiled. Lanes compile the same programs again.
  struct Programs {
    symbolic::Program motion;                ///< program of dynamics.flow, or of dynamics.mass
    mechanics::SparseProgram flow_jacobian;  ///< empty if `motion` is that of dynamics.mass
    symbolic::Program balance;
    symbolic::Program verification;
    symbolic::Program observables;
    symbolic::Program stage;
    mechanics::SparseProgram stage_jacobian;
    symbolic::Program projection;
    symbolic::Program position;
  };
  Programs programs;
  kernel::Kernel hessian;
  kernel::Kernel observables;
  kernel::Kernel verification;
  kernel::Kernel constraints;
  kernel::Kernel level_constraints;  ///< for a singular Lagrangian
  integrate::FinalSet final_set;     ///< for a singular Lagrangian
  kernel::Kernel balance;            ///< balance laws as functions of the recorded state
  kernel::Kernel events;
  kernel::Kernel gap_sizes;   ///< kernel of gap_sizes_program; empty without impacts
  kernel::Kernel sections;    ///< sections of the symmetries, one after the other; empty without impacts or symmetries
  kernel::Kernel invariants;  ///< kernel of invariants_program; empty if the system declares none
  std::vector<geometry::QuadraticCasimir> casimirs;  ///< Casimirs that no invariant or constraint covers
  std::optional<discrete::DiscreteLagrangian> discrete;
  Pulses pulses;
  std::optional<mechanics::SwitchedSystem> switches;  ///< the system with its comparisons held, if there are any
  compile::Options options;
  bool piece;  ///< of a motion between switches, whose rows another one makes: nothing is compiled for these
  mutable std::mutex mutex;          ///< guards the members below, and the graph while it grows
  mutable std::mutex singular_runs;  ///< held by a run of a singular Lagrangian, which may derive a motion of its own
  /// Dynamics by the requirement of the method, and by its order if the dynamics depends on it.
  mutable std::map<std::pair<integrate::Requirement, int>, std::unique_ptr<const integrate::Dynamics>> built_dynamics;
  mutable DerivedForms derived_forms;
  /// Law of motion between switches with its code.
  struct SmoothLaw {
    mechanics::SwitchedSystem switched;
    std::unique_ptr<const Impl> compiled;
  };
  mutable std::map<mechanics::Holds, SmoothLaw> between_switches;  ///< by the switches that hold the motion
  /// A system with columns on demand as observables, and its observables.
  struct OnDemand {
    mechanics::System system;
    symbolic::Program program;
    kernel::Kernel kernel;
  };
  mutable std::map<std::vector<std::string>, OnDemand> on_demand;  ///< by the names of these columns
  mutable std::optional<VolumeKernels> volume_kernels;
  /// Values of the parameters that promises depend on, and the sentence found at them; it is empty if all promises
  /// hold.
  mutable std::optional<std::pair<std::vector<double>, std::optional<Refused>>> judged_promises;
  /// Simulators of the motions with rest contact, by the impacts in contact.
  mutable std::map<std::vector<std::size_t>, std::unique_ptr<const Simulator>> in_contact;
  mutable std::optional<FixedProjectionKernels> fixed_projection;  ///< for starts that are moved with some values held
  mutable std::shared_ptr<const ScaledTime> scaled_time;           ///< for the last time scale asked for
  mutable std::unique_ptr<const Impl> under_contact_forces;        ///< for methods whose steps go over impacts

  Impl(mechanics::System given, const std::optional<mechanics::Equations>& supplied,
       const compile::Options& compile_options, const InitialState& near,
       std::optional<discrete::DiscreteLagrangian> given_discrete,
       const std::optional<std::vector<mechanics::FrictionWork>>& works_between_switches = std::nullopt);

  [[nodiscard]] const integrate::Dynamics& dynamics_for(const integrate::MethodInfo& method) const;
  /// Returns the motion with rest contact at some impacts, which are indices of events in the order of
  /// Motion::contacts: their gaps are constraints whose multipliers are the contact forces, and friction acts on their
  /// slips. What the motion does at switches is added to `passages`. Throws Refused as dynamics_for() does, and for
  /// friction on two slips.
  [[nodiscard]] Motion motion_in_contact(const std::vector<std::size_t>& contacts, const integrate::MethodInfo& method,
                                         const std::vector<double>& parameters, const std::vector<std::string>& columns,
                                         std::vector<Passage>& passages) const;
  /// Returns the system under contact forces that the method finds. Throws Refused as dynamics_for() does.
  [[nodiscard]] ForcedMotion forced_motion(const integrate::MethodInfo& method, std::vector<double> parameters) const;
  /// Returns whether there are switches at which steps of the method end.
  [[nodiscard]] bool locates_switches(const integrate::MethodInfo& method) const;
  /// Throws Refused if the system has friction that runs with these settings from t0 do not follow.
  void require_friction(const integrate::MethodInfo& method, const Settings& settings, double t0) const;
  /// Throws Refused if a force of friction is negative at the start, or the static one is below the kinetic one.
  void require_friction_at(const Start& start, const std::vector<double>& parameters) const;
  /// Returns the law of the motion that some switches hold; none if `holds` is empty. If such a motion is refused,
  /// `why_not` says why.
  [[nodiscard]] PieceLaw law_between_switches(const mechanics::Holds& holds, const integrate::MethodInfo& method,
                                              integrate::Reason& why_not) const;
  [[nodiscard]] std::shared_ptr<const ScaledTime> in_scaled_time(const symbolic::Expr& s) const;
  void compile_all();
  /// Adds what rows, and tests of starts and impacts, are made from.
  void add_records(KernelBatch& batch);
  /// Returns a force or power without the multipliers of redundant constraints, which are zero.
  [[nodiscard]] symbolic::Expr without_redundant_multipliers(const symbolic::Expr& force) const;
  /// Returns the works with such forces.
  [[nodiscard]] std::vector<mechanics::FrictionWork> without_redundant_multipliers(
      std::vector<mechanics::FrictionWork> works) const;
  /// Compiles the sections of the symmetries.
  void compile_sections();
  /// Returns the dynamics of a method with kernels of `lanes` lanes, for integrate_lanes(). Kernels that the method
  /// does not use are empty. `wanted` is BuildContext::wanted.
  [[nodiscard]] integrate::Dynamics wide(const integrate::MethodInfo& method, int lanes,
                                         const std::vector<bool>& wanted) const;
  /// Returns the motion with the steps of a Runge-Kutta method for a device. Throws Refused if the device does not take
  /// it.
  [[nodiscard]] integrate::DeviceMotion on_device(const compile::Device& device, const integrate::MethodInfo& method,
                                                  const std::vector<bool>& wanted) const;
  /// Compiles the kernels of stages in lanes.
  void compile_stages(const compile::Options& how, integrate::Dynamics& result) const;
  /// Compiles the rates of the state, the Jacobian of a flow if `with_jacobian` is true, and the balance laws.
  void compile_rates(const compile::Options& how, bool with_jacobian, integrate::Dynamics& result) const;
  /// Compiles the balance laws, and the positions of holonomic constraints.
  void compile_balance(const compile::Options& how, integrate::Dynamics& result) const;
  /// Returns the initial values without the multipliers nu of redundant constraints, which must be zero.
  [[nodiscard]] InitialState without_redundant(const InitialState& initial) const;
  [[nodiscard]] std::vector<std::size_t> redundant() const;
  /// Returns a maker of rows for runs with these parameter values. The rows include the columns on demand that
  /// `columns` names.
  [[nodiscard]] RowMaker row_maker(std::vector<double> parameters, const std::vector<std::string>& columns = {}) const;
  /// Returns kernels of `lanes` lanes for the columns that this maker of rows with columns on demand keeps.
  [[nodiscard]] LaneRows::Kernels wide_rows(const RowMaker& rows, int lanes,
                                            const std::vector<std::string>& columns) const;
  /// Returns the kernels of the volume law, which are derived and compiled when they are first asked for. Throws
  /// Refused as mechanics::volume_rate does.
  [[nodiscard]] const VolumeKernels& volumes() const;
  /// Returns the number of columns in the rows of a run.
  [[nodiscard]] std::size_t columns() const { return row_maker({}).columns().size(); }
  [[nodiscard]] std::string place(const Start& start) const;
  /// Returns the reason why the accelerations and multipliers are not determined at the start, or an empty one.
  [[nodiscard]] integrate::Reason why_singular(const Start& start, const std::vector<double>& parameters) const;

  /// Returns a text such as "nu1 = -1" if the multipliers of a vakonomic start, and not its velocities, make the
  /// Hessian of L - nu Phi singular there; else an empty string.
  [[nodiscard]] std::string singular_multipliers(const Start& start, const std::vector<double>& parameters) const;

  /// Method, dynamics and step of the first step of a run.
  struct FirstStep {
    std::string method;
    const integrate::Dynamics& dynamics;
    double h = 0;
  };

  /// Finds the velocities that belong to given momenta or to a second position, and notes them. Returns the reason why
  /// there are no such velocities, or an empty one.
  [[nodiscard]] integrate::Reason begin(Start& start, const InitialState& initial, const InitialState& next,
                                        const FirstStep& step, const std::vector<double>& parameters,
                                        std::vector<std::string>& notes) const;
  [[nodiscard]] std::string note_of(const Start& start, const InitialState& next) const;
  /// Throws Refused, with the table to change, if an axiom fails that the kind
  /// of the algebroid promises, or if the start is off an invariant and `project` is false or cannot move it there. A
  /// move is noted.
  void require_truth(Start& start, const std::vector<double>& parameters, const Settings& settings,
                     std::vector<std::string>& notes) const;
  /// Finds the motion of a singular Lagrangian on its final set.
  void follow_final_set();
  void compile_final_set();
  [[nodiscard]] const mechanics::System& followed_system() const { return flow ? flow->system : reduced; }
  [[nodiscard]] const mechanics::Equations& followed_equations() const { return flow ? flow->equations : equations; }
  /// Returns whether methods follow states of another shape than starts and samples have: multipliers of a singular
  /// Lagrangian are base coordinates to them.
  [[nodiscard]] bool reshapes() const { return flow && equations.m() > 0; }
  [[nodiscard]] std::vector<double> values_of(const Start& start) const;
  /// Returns the state that methods follow from a start with these multipliers lambda.
  [[nodiscard]] std::vector<double> state_to_follow(const Start& start, const std::vector<double>& lambda) const;
  /// Returns a sample of the followed motion as a sample of the system.
  [[nodiscard]] integrate::Sample sample_of(const integrate::Sample& followed) const;
  /// Integrates the motion from a start; samples and crossings are those of the system.
  [[nodiscard]] integrate::Outcome follow(const integrate::Dynamics& by, const std::vector<double>& parameters,
                                          const Start& start, const std::vector<double>& lambda,
                                          const integrate::Settings& settings, const integrate::Sink& sink,
                                          const integrate::Watch& watch) const;
  /// Returns a simulator for another start and other parameters, on which the constraints of a singular Lagrangian
  /// depend.
  [[nodiscard]] Simulator elsewhere(const InitialState& initial, const InitialState& parameters) const;
  /// Returns whether these are the start and the parameters around which the constraints of a singular Lagrangian were
  /// found.
  [[nodiscard]] bool is_near(const InitialState& initial, const InitialState& parameters) const;
  /// Returns whether the constraints at a start and with other parameters are the ones that were compiled.
  [[nodiscard]] bool has_same_final_set(const InitialState& initial, const InitialState& parameters) const;
  [[nodiscard]] bool follows_final_set() const { return flow.has_value(); }
  /// Throws Refused for a singular Lagrangian if the method does not follow motions on a final set.
  void require_singular_method(const integrate::MethodInfo& method) const;
  /// Moves the start onto the final set of a singular Lagrangian, and finds the multipliers lambda there, which no
  /// start gives; otherwise behaves like `settle`.
  [[nodiscard]] integrate::Reason settle_on_final_set(Start& start, std::vector<double>& lambda,
                                                      const std::vector<double>& parameters, const Settings& settings,
                                                      std::vector<std::string>& notes) const;
  /// Moves the start onto the constraints if the settings ask for it, and notes the change. Returns the reason
  /// why the start is off the constraints, or an empty one.
  [[nodiscard]] integrate::Reason settle(Start& start, const std::vector<double>& parameters, const Settings& settings,
                                         std::vector<std::string>& notes) const;
};

}  // namespace herglotz::simulate
