#pragma once
/// The state of all sites with the numbers of the whole, from the start of a motion to its rows.

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loops/links/links.hpp"
#include "loops/motion.hpp"
#include "loops/observed_values.hpp"
#include "loops/pass_builder.hpp"
#include "loops/reactions/reactions.hpp"
#include "loops/whole.hpp"

namespace herglotz::families {

/// Places of the arrays that rows are found with, one for each base family. q and v are changing arrays, the others
/// extra ones; a row copies q and v to the first extra arrays.
struct RowArrays {
  std::size_t q = 0;
  std::size_t v = 0;
  std::size_t changing = 0;  ///< number of arrays
  std::size_t extra = 0;     ///< number of arrays
  std::size_t acceleration = 0;
  std::size_t forces = 0;           ///< of edges, pairs and constraints, in a model that has such
  std::size_t inverse_inertia = 0;  ///< in a model with constraints, as the next one
  std::size_t reaction_size = 0;
};

/// The passes of a row, and what they share with the passes of steps.
struct RowPasses {
  RowArrays arrays;
  SiteState::Shape shape;
  std::vector<std::size_t> fixed;  ///< families that passes only read
  /// Pass that copies q and v into the first extra arrays. Its sums are, for each law: quantity, size, |terms of rate|.
  kernel::SiteLoop look;
  std::vector<LinkSum> of_look;
  std::vector<bool> driven;  ///< which laws have a source, the energy first
  /// In a model with constraints, the pass of the accelerations without reactions and of the inverse inertias, and the
  /// reactions there.
  kernel::SiteLoop free;
  ReactionCall reactions;
};

/// Builder of the passes of a row, and of others on the same arrays.
class RowBuilder {
 public:
  /// Finds the laws, and compiles the pass of free accelerations of a model with constraints. `equations` have
  /// Borders::kept. Throws Refused as `require_reactions` does.
  RowBuilder(Model& model, const RowArrays& arrays, const Equations& equations);

  PassBuilder pass(const char* name);
  kernel::SiteLoop finished(PassBuilder& build);
  /// Returns the pass of the accelerations without reactions and of the inverse inertias at the state in these arrays.
  kernel::SiteLoop free(const char* name, const ReactionCall& at);
  [[nodiscard]] const std::vector<Law>& laws() const { return laws_; }
  [[nodiscard]] const std::vector<bool>& driven() const { return passes_.driven; }
  /// Returns whether edges, pairs or constraints exert forces.
  [[nodiscard]] bool linked() const { return has_graph_sums(model_) || constrained(); }
  [[nodiscard]] bool constrained() const { return !model_.constraints.empty(); }

  /// Compiles the pass of a row, and returns all.
  RowPasses build();

 private:
  std::vector<Law> laws_with_reactions(PassBuilder& build);

  Model& model_;
  const Equations& equations_;
  std::vector<Law> laws_;
  RowPasses passes_;
};

/// Returns the call with forces of 0 on each base family if there are no links.
LinkCall with_forces(LinkCall call, std::size_t families);

/// State of all sites, with the action, log(lambda) and the budgets.
class SystemState {
 public:
  SystemState(Model& model, RowPasses passes);

  /// Starts from the values of the parameters and the start of the model, once `set_links` has taken the values of the
  /// families.
  void start(Model& model, const std::function<void(const SiteValues&)>& set_links);
  [[nodiscard]] SiteState& sites() { return *sites_; }
  [[nodiscard]] const SiteState& sites() const { return *sites_; }
  [[nodiscard]] const Whole& whole() const { return whole_; }
  Whole& whole() { return whole_; }
  [[nodiscard]] const RowPasses& passes() const { return passes_; }
  [[nodiscard]] std::size_t laws() const { return passes_.driven.size(); }
  [[nodiscard]] bool constrained() const { return reactions_ != nullptr; }
  /// Returns the call of the reactions in these arrays at the time t.
  [[nodiscard]] ReactionCall call(const ReactionCall& at, double t) const;
  /// Returns the scalars of a pass: the given ones, then the parameters.
  [[nodiscard]] std::vector<double> scalars(std::initializer_list<double> own) const;

  [[nodiscard]] Observed observe(double t, const Motion::Take& take);
  /// Keeps a copy of the present state, to which `go_back` returns.
  void keep();
  void go_back();
  /// Returns sentences on the start and the constraints; see Reactions::settle.
  [[nodiscard]] const std::vector<std::string>& start_notes() const { return start_notes_; }
  /// Returns the sentence that says why there was no step, if the reason is a constraint.
  [[nodiscard]] std::string failure() const { return reactions_ ? reactions_->failure() : std::string(); }

 private:
  /// Checks that the start satisfies the constraints, or moves it onto them.
  void settle(const Model& model);

  std::size_t n_;
  std::vector<double> parameters_;
  ObservedValues observables_;
  RowPasses passes_;
  SiteFormulas formulas_;
  Whole whole_;
  std::unique_ptr<SiteState> sites_;
  std::unique_ptr<Links> links_;  // of a row, in a model with edges or pairs
  std::unique_ptr<Reactions> reactions_;
  std::vector<std::string> start_notes_;
};

}  // namespace herglotz::families
