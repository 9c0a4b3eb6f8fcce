#pragma once
/// Steps of an explicit Runge-Kutta method as passes over the sites, one for each stage, or two in a model with edges
/// or pairs: the state of the stage, and the slopes there once the forces of edges and pairs are known. Between them, a
/// model with constraints has one for the accelerations without reactions.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/kernel/explicit_tableau.hpp"
#include "loops/system_state.hpp"

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
  /// stage. They have no sums.
  std::vector<kernel::SiteLoop> free;
  /// Passes of the stages; the sums of each are l, then the sources of the driven laws.
  std::vector<kernel::SiteLoop> stages;
  std::vector<LinkSum> of_stage;
  std::size_t stage_q = 0;              ///< the array of the first coordinates at a stage after the first
  std::vector<ReactionCall> reactions;  ///< of a model with constraints, at each stage
  std::vector<std::size_t> sum_of_law;  ///< of a stage
};

/// Compiles the passes. The last stage adds the step to q and v. Its last sum is the sum of the squares of the weighted
/// errors if `difference` holds their coefficients; otherwise it is the sum of the changes, which is finite if they
/// are.
std::pair<RowPasses, StagePasses> stage_passes(Model& model, const kernel::ExplicitTableau& tableau,
                                               std::span<const double> difference);

/// State of all sites that goes on by steps of a Runge-Kutta method.
class StagedState : public SystemState {
 public:
  StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference = {});

  /// Starts from the values of the parameters and the start of the model.
  void start(Model& model);
  /// Appends the passes of a step of size h from the time t.
  void add_passes(std::vector<Pass>& passes, double t, double h) const;
  /// Tries the step of the action, log(lambda) and the budgets with the sums of its passes.
  void attempt(double t, double h, const double* sums);
  /// Returns the last sum of the last stage from the sums of a step; it is not finite if the step has not succeeded.
  [[nodiscard]] double last_sum(const double* sums) const;
  /// Returns the number of sums of a step.
  [[nodiscard]] std::size_t sums() const { return stages() * stride() + 1 + (constrained() ? 1 + laws() : 0); }
  [[nodiscard]] std::size_t stages() const { return stages_.stages.size(); }

 private:
  StagedState(Model& model, const kernel::ExplicitTableau& tableau, std::span<const double> difference,
              std::pair<RowPasses, StagePasses> passes);
  [[nodiscard]] std::size_t stride() const { return stages_.stages.front().sums(); }

  std::size_t n_;
  kernel::ExplicitTableau tableau_;
  std::vector<double> difference_;
  StagePasses stages_;
  std::unique_ptr<Links> links_;  // of a stage, in a model with edges or pairs
};

}  // namespace herglotz::families
