#pragma once
/// Steps of an explicit Runge-Kutta method as passes over the sites, one for each stage, or two in a model with edges
/// or pairs: the state of the stage, and the slopes there once the forces of edges and pairs are known. Between them, a
/// model with constraints has one for the accelerations without reactions.

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "herglotz/kernel/explicit_tableau.hpp"
#include "loops/links/links.hpp"
#include "loops/motion.hpp"
#include "loops/observed_values.hpp"
#include "loops/reactions/reactions.hpp"
#include "loops/whole.hpp"

namespace herglotz::families {

/// The compiled passes, and the sums over edges and pairs. The changing arrays are q and v, the low-order parts of
/// their sums, and for a pair of methods the weights of the errors of q and v. The extra arrays are the coordinates at
/// one stage, the velocities at the stages after the first, the accelerations at all stages, the forces of edges, pairs
/// and constraints, and with constraints the inverse inertias.
struct StagePasses {
  /// In a model with edges, pairs or constraints, the passes of the state of the stages after the first. They have no
  /// sums.
  std::vector<kernel::SiteLoop> states;
  /// In a model with constraints, the passes of the accelerations without reactions and of the inverse inertias at each
  /// stage, and at the state itself. They have no sums.
  std::vector<kernel::SiteLoop> free;
  kernel::SiteLoop free_look;
  /// Passes of the stages; the sums of each are l, then the sources of the driven laws.
  std::vector<kernel::SiteLoop> stages;
  /// Pass that copies q and v into the first extra arrays. Its sums are, for each law: quantity, size, |terms of rate|.
  kernel::SiteLoop look;
  SiteState::Shape shape;
  std::vector<std::size_t> fixed;  ///< families that passes only read
  std::vector<bool> driven;        ///< which laws have a source, the energy first
  std::vector<LinkSum> of_stage;
  std::vector<LinkSum> of_look;
  std::size_t stage_q = 0;              ///< the array of the first coordinates at a stage after the first
  std::size_t forces = 0;               ///< the array of the first forces of edges, pairs and constraints
  std::vector<ReactionCall> reactions;  ///< of a model with constraints, at each stage
  ReactionCall reactions_of_look;       ///< and at the state itself
  std::vector<std::size_t> sum_of_law;  ///< of a stage
};

/// Compiles the passes. The last stage adds the step to q and v. Its last sum is the sum of the squares of the weighted
/// errors if `difference` holds their coefficients; otherwise it is the sum of the changes, which is finite if they
/// are.
StagePasses stage_passes(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference);

/// State of all sites, with the action, log(lambda) and the budgets.
class StagedState {
 public:
  StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference = {});

  /// Starts from the values of the parameters and the start of the model.
  void start(Model& model);
  [[nodiscard]] SiteState& sites() { return *sites_; }
  [[nodiscard]] const SiteState& sites() const { return *sites_; }
  [[nodiscard]] const Whole& whole() const { return whole_; }
  Whole& whole() { return whole_; }
  /// Appends the passes of a step of size h from the time t.
  void add_passes(std::vector<Pass>& passes, double t, double h) const;
  /// Tries the step of the action, log(lambda) and the budgets with the sums of its passes.
  void attempt(double t, double h, const double* sums);
  /// Returns the last sum of the last stage from the sums of a step; it is not finite if the step has not succeeded.
  [[nodiscard]] double last_sum(const double* sums) const;
  /// Returns the number of sums of a step.
  [[nodiscard]] std::size_t sums() const { return stages() * stride() + 1 + (reactions_ ? 1 + laws() : 0); }
  [[nodiscard]] std::size_t stages() const { return passes_.stages.size(); }
  [[nodiscard]] Observed observe(double t, const Motion::Take& take);
  /// Keeps a copy of the present state, to which `go_back` returns.
  void keep();
  void go_back();
  /// Returns sentences on the start and the constraints; see Reactions::settle.
  [[nodiscard]] const std::vector<std::string>& start_notes() const { return start_notes_; }
  /// Returns the sentence that says why there was no step, if the reason is a constraint.
  [[nodiscard]] std::string failure() const { return reactions_ ? reactions_->failure() : std::string(); }

 private:
  [[nodiscard]] std::size_t laws() const { return passes_.driven.size(); }
  [[nodiscard]] ReactionCall call(const ReactionCall& at, double t) const;
  /// Checks that the start satisfies the constraints, or moves it onto them.
  void settle(const Model& model);
  [[nodiscard]] std::size_t stride() const { return passes_.stages.front().sums(); }
  [[nodiscard]] std::vector<double> scalars(std::initializer_list<double> own) const;

  std::size_t n_;
  kernel::ExplicitTableau tableau_;
  std::vector<double> difference_;
  std::vector<double> parameters_;
  ObservedValues observables_;
  StagePasses passes_;
  SiteFormulas formulas_;
  Whole whole_;
  std::unique_ptr<SiteState> sites_;
  std::unique_ptr<Links> links_;       // of a stage, in a model with edges or pairs
  std::unique_ptr<Links> look_links_;  // of a row
  std::unique_ptr<Reactions> reactions_;
  std::vector<std::string> start_notes_;
};

}  // namespace herglotz::families
