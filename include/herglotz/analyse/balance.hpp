#pragma once
/// Residuals of a balance law along a run. Theory, Sec. 3; docs/verification.md.

#include <limits>
#include <optional>
#include <vector>

#include "herglotz/analyse/ledger_step.hpp"

namespace herglotz::analyse {

/// The terms of one law at a sample of a run.
struct LawSample {
  double t = 0;
  double quantity = 0;     ///< Q
  double scale = 0;        ///< the largest |term| of Q
  double budget = 0;       ///< g
  double log_factor = 0;   ///< log(lambda)
  double rate_terms = 0;   ///< the sum of the |terms| of dQ/dt, which may cancel
  double value_terms = 0;  ///< the sum of the |terms| of which Q is computed from the state, which may cancel
};

/// Factor of a run from sample to sample.
class FactorSteps {
 public:
  /// Returns the step to the next sample of the run.
  FactorStep<double> next(double t, double log_factor);

 private:
  bool started_ = false;
  double t_ = 0;           // at the previous sample
  double log_factor_ = 0;  // at the previous sample
};

/// The largest residual of a run, each relative to the largest |term| of its law up to its sample or after it.
///
/// A defect d at a sample is d lambda / lambda' at a later one. Terms of later samples so count as they are where
/// lambda grows, and divided by what a defect has grown by where lambda falls: with the yardsticks Y of the samples so
/// far,
///   |d_i| / max over j >= i of Y_j exp(-(G_j - G_i)),  G = int max(0, -d log(lambda)).
/// A sample is kept while it may still have the largest residual: while its yardstick and its defect are above those of
/// all later samples, and its residual is above those of all earlier ones. Other samples are joined to kept ones or
/// forgotten.
class LargestResidual {
 public:
  /// Samples with one largest term, in the units of the last sample.
  struct Kept {
    double residual = 0;   ///< the largest of them
    double yardstick = 0;  ///< if it is 0, the residual is the defect itself
  };

  /// Enters the next sample: its residual relative to `yardstick`, the largest term so far, and `decay`, which is
  /// lambda at the sample before, divided by lambda.
  void enter(double residual, double yardstick, double decay);
  /// Returns the last of those that are kept. A next sample with a positive yardstick changes nothing if neither its
  /// residual nor its yardstick is above these and its decay is at most 1.
  [[nodiscard]] Kept last() const { return kept_.empty() ? Kept{} : kept_.back(); }
  /// Returns the one before, which bounds what may stand in the place of the last one; without one no number does.
  [[nodiscard]] Kept before_last() const {
    return kept_.size() > 1 ? kept_[kept_.size() - 2] : Kept{0, std::numeric_limits<double>::infinity()};
  }
  /// Replaces the last one, if there is one.
  void replace_last(const Kept& by) {
    if (!kept_.empty()) kept_.back() = by;
  }
  /// Returns the largest |residual| of the samples so far; NaN after one that was not a finite number.
  [[nodiscard]] double value() const;

 private:
  std::vector<Kept> kept_;  // yardsticks and defects fall, residuals rise; without a yardstick they may do otherwise
  bool unknown_ = false;
};

/// Ledger of one law dQ/dt = L_z Q + source along a run, integrated with the factor lambda = exp(-int L_z):
///   lambda Q - Q(0) - int lambda source = 0.
/// With the budget g (dg/dt = L_z g + source, g(0) = Q(0)) the left side is lambda (Q - g). Residuals are relative to
/// the largest |term| so far: the terms of Q, Q(0) and the integral, each times lambda. Everything is carried divided
/// by lambda, so that neither a large nor a small factor overflows.
///
/// Rounding perturbs dQ/dt by eps times its terms, and the factor carries the perturbation on; Q itself is computed
/// from terms:
///   lambda delta = 8 eps (int lambda |terms of dQ/dt| + lambda |terms of Q|)
/// bounds the part of the left side that is round-off. When delta exceeds 1e-9 of the largest term, Q has decayed to
/// round-off; from then on only the excess over delta counts.
class BalanceLedger {
 public:
  /// Returns the relative residual at a sample; samples come in the order of the run.
  double residual(const LawSample& sample);
  /// Does so with the step of the factor from the sample before, which the ledgers of a run share.
  double residual(const LawSample& sample, const FactorStep<double>& step);
  /// Returns the largest |residual| of the samples so far, each relative to the largest |term| of all of them; NaN
  /// after a residual that was not a finite number.
  [[nodiscard]] double largest() const { return largest_.value(); }
  /// Returns the time from which the quantity has been at round-off up to the last sample, or std::nullopt.
  [[nodiscard]] std::optional<double> at_round_off() const { return at_round_off_; }

 private:
  bool started_ = false;
  FactorSteps own_;  // of a ledger that shares no steps
  LedgerState<double> state_{};
  LargestResidual largest_;
  std::optional<double> at_round_off_;
};

}  // namespace herglotz::analyse
