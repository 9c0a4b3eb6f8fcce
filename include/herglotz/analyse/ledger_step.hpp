#pragma once
/// One sample of a balance ledger, for one run or for runs in lanes. It has no branches, so that loops over lanes
/// become vector code with the same bits.

#include <limits>

#include "herglotz/kernel/exponential.hpp"

namespace herglotz::analyse {

/// Rounding of a computed term of Q or dQ/dt, relative to the term. An operation errs by at most eps/2 of its result,
/// so a term that is the end of 16 operations in a row, the sum over the terms included, errs by at most 16 eps/2.
constexpr double term_rounding = 16 * (std::numeric_limits<double>::epsilon() / 2);

/// Rounding of numbers below the least one that has all its digits: what is smaller is known no better.
constexpr double least_rounding = std::numeric_limits<double>::min();

/// Returns a mask: rounding is more than a noticeable share of the largest term, and is subtracted from the defect.
template <class P>
[[gnu::always_inline]] inline auto has_decayed(const P& yardstick, const P& rounding) {
  constexpr double noticeable = 1e-9;
  return (yardstick > kernel::all<P>(0)) & (rounding > noticeable * yardstick);
}

/// The terms of one law at a sample.
template <class P>
struct LawTerms {
  P quantity;     ///< Q
  P scale;        ///< the largest |term| of Q
  P budget;       ///< g
  P rate_terms;   ///< the sum of the |terms| of dQ/dt, which may cancel
  P value_terms;  ///< the sum of the |terms| of which Q is computed from the state, which may cancel
};

/// The integrating factor from one sample of a run to the next. All laws of the run share it.
template <class P>
struct FactorStep {
  P duration;  ///< |time| from the sample before
  P decay;     ///< lambda at the sample before, divided by lambda
  P share;     ///< mean of lambda over this time, divided by lambda; log(lambda) is taken as linear
  P past;      ///< 1/lambda
};

/// Returns the step to a sample at which log(lambda) is `log_factor`; `growth` is its change.
template <class P>
[[gnu::always_inline]] inline FactorStep<P> factor_step(double duration, const P& growth, const P& log_factor) {
  constexpr double small = 1e-3;
  const P decay = kernel::exponential(-growth);
  const P series = 1 - growth * (0.5 - growth * (1.0 / 6));
  const auto near = kernel::magnitude(growth) < kernel::all<P>(small);
  const P quotient = (1 - decay) / kernel::choose(near, kernel::all<P>(small), growth);
  return {kernel::all<P>(duration < 0 ? -duration : duration), decay, kernel::choose(near, series, quotient),
          kernel::exponential(-log_factor)};
}

/// What a ledger carries from one sample of a run to the next, divided by the current lambda.
template <class P>
struct LedgerState {
  P initial;     ///< Q(0)
  P rate_terms;  ///< at the previous sample
  P yardstick;   ///< largest |term| so far
  P rounding;    ///< part of the rounding that dQ/dt makes
};

/// Enters the next sample of a run; see BalanceLedger. Returns the relative residual. `rounding` is set to the part of
/// the defect that round-off explains.
template <class P>
[[gnu::always_inline]] inline P enter(LedgerState<P>& ledger, const LawTerms<P>& law, const FactorStep<P>& step,
                                      P& rounding) {
  using kernel::choose;
  using kernel::is_finite;
  using kernel::larger;
  using kernel::magnitude;
  const P none = kernel::all<P>(0);

  const P terms = choose(is_finite(law.rate_terms), law.rate_terms, none);
  const P made = term_rounding * step.duration * larger(terms, ledger.rate_terms) * step.share;
  const P kept = choose(ledger.rounding == none, none, ledger.rounding * step.decay);
  ledger.rounding = choose(is_finite(kept + made), kept + made, none);
  ledger.rate_terms = terms;

  const P integral = law.budget - ledger.initial * step.past;
  P yardstick = choose(ledger.yardstick == none, none, ledger.yardstick * step.decay);
  for (const P& term : {law.scale, magnitude(law.quantity), magnitude(law.budget), magnitude(integral)})
    yardstick = choose(is_finite(term), larger(yardstick, term), yardstick);
  ledger.yardstick = yardstick;

  const P computed = choose(is_finite(law.value_terms), term_rounding * law.value_terms, none);
  rounding = ledger.rounding + computed + least_rounding;
  const P defect = law.quantity - law.budget;
  const P excess = kernel::with_sign(larger(magnitude(defect) - rounding, none), defect);
  // A defect that is not a number stays one.
  const auto excused = has_decayed(yardstick, rounding) & (magnitude(defect) >= none);
  const P counted = choose(excused, excess, defect);
  return choose(yardstick > none, counted / yardstick, counted);
}

}  // namespace herglotz::analyse
