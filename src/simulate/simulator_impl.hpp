#pragma once
/// What a simulator holds: the system, its equations, and everything compiled from them.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "casimirs.hpp"
#include "herglotz/integrate/final_set.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "herglotz/simulate/singular.hpp"
#include "prepare/ingredients.hpp"
#include "record/recorder.hpp"
#include "scaled_time.hpp"
#include "start.hpp"

namespace herglotz::simulate {

struct Simulator::Impl {
  mechanics::System system;
  std::vector<std::size_t> independent;         ///< constraint equations that the others do not imply
  mechanics::System reduced;                    ///< with these only
  InitialState near;                            ///< the start around which constraints were judged
  mechanics::Equations equations;               ///< of a singular Lagrangian those of the motion on its final set
  std::optional<mechanics::Equations> derived;  ///< of a singular Lagrangian: what `equations` came from
  std::optional<SingularMotion> singular;
  std::vector<mechanics::BalanceLaw> laws;
  integrate::Dynamics dynamics;
  /// What kernels of `dynamics` are compiled from. Lanes compile the same programs again.
  struct Programs {
    symbolic::Program motion;    ///< of dynamics.flow, or dynamics.mass
    symbolic::Program jacobian;  ///< of the same
    symbolic::Program balance;
    symbolic::Program stage;
    symbolic::Program stage_jacobian;
    symbolic::Program projection;
    symbolic::Program position;
  };
  Programs programs;
  kernel::Kernel hessian;
  kernel::Kernel observables;
  kernel::Kernel verification;
  kernel::Kernel constraints;
  kernel::Kernel level_constraints;  ///< of a singular Lagrangian
  integrate::FinalSet final_set;     ///< the same
  kernel::Kernel events;
  kernel::Kernel invariants;                         ///< of invariants_program; empty if the system declares none
  std::vector<geometry::QuadraticCasimir> casimirs;  ///< those that no invariant or constraint covers
  std::optional<discrete::DiscreteLagrangian> discrete;
  compile::Options options;
  mutable std::mutex mutex;  ///< guards what follows, and the graph while it grows
  /// By what the method needs, and its order where that makes a difference.
  mutable std::map<std::pair<integrate::Ingredient, int>, std::unique_ptr<const integrate::Dynamics>> supplied_dynamics;
  mutable DerivedForms derived_forms;
  /// A system with the columns on demand as observables, and their kernel, by the names of these columns.
  mutable std::map<std::vector<std::string>, std::pair<mechanics::System, kernel::Kernel>> on_demand;
  /// The values of the parameters that promises depend on, and what was found at them: empty if all holds.
  mutable std::optional<std::pair<std::vector<double>, std::string>> judged_promises;
  mutable std::shared_ptr<const ScaledTime> scaled_time;  ///< of the last time scale asked for

  Impl(mechanics::System given, const std::optional<mechanics::Equations>& supplied,
       const compile::Options& compile_options, const InitialState& near,
       std::optional<discrete::DiscreteLagrangian> given_discrete);

  [[nodiscard]] const integrate::Dynamics& dynamics_for(const integrate::MethodInfo& method) const;
  [[nodiscard]] std::shared_ptr<const ScaledTime> in_scaled_time(const symbolic::Expr& s) const;
  void compile_all();
  /// What a method reads with kernels of so many lanes, for integrate_lanes(); empty ones where it has no use for them.
  /// `wanted`: of Recipe.
  [[nodiscard]] integrate::Dynamics wide(const integrate::MethodInfo& method, int lanes,
                                         const std::vector<bool>& wanted) const;
  /// The kernels of stages in lanes.
  void compile_stages(const compile::Options& how, integrate::Dynamics& result) const;
  /// Compiles the rates of the state, their Jacobian if it is asked for, and the balance laws.
  void compile_rates(const compile::Options& how, bool with_jacobian, integrate::Dynamics& result) const;
  /// Compiles the balance laws, and the positions of holonomic constraints.
  void compile_balance(const compile::Options& how, integrate::Dynamics& result) const;
  /// The initial values without nu of redundant constraints, which must be zero.
  [[nodiscard]] InitialState without_redundant(const InitialState& initial) const;
  [[nodiscard]] std::vector<std::size_t> redundant() const;
  /// Samples of runs with these parameter values into rows, with those of `columns` that are computed on demand.
  [[nodiscard]] RowMaker row_maker(std::vector<double> parameters, const std::vector<std::string>& columns = {}) const;
  /// How many columns the rows of a run have.
  [[nodiscard]] std::size_t columns() const { return row_maker({}).columns().size(); }
  [[nodiscard]] std::string place(const Start& start) const;
  /// Nothing when the accelerations and multipliers are determined at the start, else the sentence that says why not.
  [[nodiscard]] std::string irregularity(const Start& start, const std::vector<double>& parameters) const;

  /// "nu1 = -1" if the multipliers of a vakonomic start, and not its velocities, make the Hessian of L - nu Phi
  /// singular there; else empty.
  [[nodiscard]] std::string singular_multipliers(const Start& start, const std::vector<double>& parameters) const;

  /// What the first step of a run is taken with.
  struct FirstStep {
    std::string method;
    const integrate::Dynamics& dynamics;
    double h = 0;
  };

  /// Finds the velocities that momenta or a second position stand for, and notes them; else a sentence that says why
  /// there are none.
  [[nodiscard]] std::string begin(Start& start, const InitialState& initial, const InitialState& next,
                                  const FirstStep& step, const std::vector<double>& parameters,
                                  std::vector<std::string>& notes) const;
  [[nodiscard]] std::string note_of(const Start& start, const InitialState& next) const;
  /// Throws std::invalid_argument, with the table to be mended first, if an axiom fails that the kind of the algebroid
  /// promises, or if the start is off an invariant that `project` may not or cannot move it onto. A move is noted.
  void require_truth(Start& start, const std::vector<double>& parameters, const Settings& settings,
                     std::vector<std::string>& notes) const;
  /// Puts the motion on the final set in place of the equations of a singular Lagrangian.
  void follow_final_set();
  void compile_final_set();
  /// Constraints of a singular Lagrangian depend on the start and the parameters: a simulator for others.
  [[nodiscard]] Simulator elsewhere(const InitialState& initial, const InitialState& parameters) const;
  [[nodiscard]] bool follows_final_set() const { return derived.has_value(); }
  /// A singular Lagrangian is followed by one method only; throws std::invalid_argument that names it.
  void require_singular_method(const integrate::MethodInfo& method) const;
  /// The same as `settle` for the final set of a singular Lagrangian.
  [[nodiscard]] std::string settle_on_final_set(Start& start, const std::vector<double>& parameters,
                                                const Settings& settings, std::vector<std::string>& notes) const;
  /// Moves the start onto the constraints where that is asked for, and notes the change; else a sentence where it is
  /// off them.
  [[nodiscard]] std::string settle(Start& start, const std::vector<double>& parameters, const Settings& settings,
                                   std::vector<std::string>& notes) const;
};

}  // namespace herglotz::simulate
