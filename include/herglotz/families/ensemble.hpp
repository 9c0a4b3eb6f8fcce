#pragma once
/// Runs of a model with an index for all members of a sweep.

#include <functional>
#include <memory>

#include "herglotz/ensemble/ensemble.hpp"
#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// Returns what a sweep of the model can name, as a problem without a motion: parameters, the action, observables, and
/// the settings and the text of the model.
simulate::Problem named_in_sweeps(const Model& model);

/// An ensemble of runs of a model with an index, which follows the interface of ensemble::Ensemble: each member runs as
/// `run` or `run_flat` runs it, with the same bits for any number of threads. Scalar parameters and the action may be
/// swept.
class FieldEnsemble {
 public:
  /// Reads the model; every thread has its own.
  using Read = std::function<Model()>;

  /// Checks the plan, whose problem is that of `named_in_sweeps`. Throws Refused for what cannot be swept or kept.
  FieldEnsemble(Read read, ensemble::Plan plan, const ensemble::Parallelism& options = {});
  ~FieldEnsemble();
  FieldEnsemble(FieldEnsemble&&) noexcept;
  FieldEnsemble& operator=(FieldEnsemble&&) noexcept;

  [[nodiscard]] const ensemble::Plan& plan() const;
  [[nodiscard]] const ensemble::Layout& layout() const;

  /// Runs the wanted blocks as ensemble::Ensemble::run does.
  bool run(const std::function<bool(std::size_t block)>& wanted, const std::function<void(ensemble::Block&&)>& sink,
           const std::function<bool(const ensemble::MemberCounts&)>& progress = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::families
