// This file is compiled once for each width of registers, which CMake defines.
// It holds the balance laws of runs in the registers of W lanes.

#include "record/lane_laws.hpp"

#include "herglotz/analyse/ledger_step.hpp"
#include "herglotz/integrate/kernel_outputs.hpp"

namespace herglotz::simulate {
namespace {

/// Returns the lanes in which the mask is not set, as bits.
template <int W, class M>
unsigned unset(const M& mask) {
  unsigned lanes = 0;
  for (int l = 0; l < W; ++l) lanes |= mask[l] == 0 ? 1U << static_cast<unsigned>(l) : 0U;
  return lanes;
}

/// Enters a sample into the largest residuals of W lanes where it changes nothing but the last of those that are kept,
/// with the operations of LargestResidual::enter. Returns the other lanes, as bits. `kept` are four rows of LaneLaws.
template <int W, class P>
unsigned enter_largest(double* kept, const P& residual, const P& yardstick, const P& decay) {
  using kernel::choose;
  const auto row = [&](int i) { return kernel::load<P>(kept + i * W); };
  const P next = kernel::magnitude(residual);
  const P last = row(0);
  const P last_yardstick = row(1);
  const auto falls = decay <= kernel::all<P>(1);
  const auto measured = yardstick > kernel::all<P>(0);
  if (unset<W>(falls & measured & (next <= last) & (yardstick <= last_yardstick)) == 0) return 0;

  const P before = row(2);
  const P before_yardstick = row(3);
  const P grown = choose(falls, last_yardstick, last_yardstick * decay);
  const auto joins = grown <= yardstick;
  const P joined = choose(joins, kernel::larger(next, last * (grown / yardstick)), next);
  const auto changes = joins | (joined > last);
  const auto replaces = joins | (last * grown <= joined * yardstick);
  const auto no_more =
      (before_yardstick > yardstick) & (joined > before) & ~(before * before_yardstick <= joined * yardstick);
  // What grows where the factor falls are all that are kept.
  const auto all_grow = falls | ((decay > kernel::all<P>(1)) & ~kernel::is_finite(before_yardstick));
  const auto usual = measured & (last_yardstick > kernel::all<P>(0)) & kernel::is_finite(residual) & all_grow &
                     (~changes | (replaces & no_more));
  kernel::store(kept, choose(usual & changes, joined, last));
  kernel::store(kept + W, choose(usual, choose(changes, yardstick, grown), last_yardstick));
  return unset<W>(usual);
}

}  // namespace

template <int W>
void enter_laws(const LaneLaws& laws) {
  using P = kernel::NumbersOf<W>;
  const auto at = [](const double* rows, std::size_t row) { return kernel::load<P>(rows + row * W); };
  const P log_factor = at(laws.log_factor, 0);
  const P growth = laws.fresh ? kernel::all<P>(0) : log_factor - at(laws.last_log, 0);
  const auto step = analyse::factor_step(laws.fresh ? 0 : laws.duration, growth, log_factor);
  kernel::store(laws.last_log, log_factor);
  kernel::store(laws.decay, step.decay);
  P factor{};
  if (laws.row != nullptr) kernel::store(laws.row + laws.factor * W, factor = kernel::exponential(log_factor));
  for (std::size_t k = 0; k < laws.laws; ++k) {
    const analyse::LawTerms<P> terms{at(laws.balance, integrate::BalanceOutputs::quantity(k)),
                                     at(laws.balance, integrate::BalanceOutputs::scale(k)), at(laws.budgets, k),
                                     at(laws.verification, k), at(laws.verification, laws.laws + k)};
    double* ledger = laws.ledgers + 4 * k * W;
    analyse::LedgerState<P> state{terms.budget, kernel::all<P>(0), kernel::all<P>(0), kernel::all<P>(0)};
    if (!laws.fresh) state = {at(ledger, 0), at(ledger, 1), at(ledger, 2), at(ledger, 3)};
    P rounding;
    const P residual = analyse::enter(state, terms, step, rounding);
    kernel::store(ledger, state.initial);
    kernel::store(ledger + W, state.rate_terms);
    kernel::store(ledger + 2 * W, state.yardstick);
    kernel::store(ledger + 3 * W, state.rounding);
    kernel::store(laws.residuals + k * W, residual);
    laws.left[k] = enter_largest<W>(laws.kept + 4 * k * W, residual, state.yardstick, step.decay);
    if (laws.row == nullptr) continue;
    kernel::store(laws.row + laws.columns[k].quantity * W, terms.quantity);
    kernel::store(laws.row + laws.columns[k].invariant * W, factor * terms.quantity);
    kernel::store(laws.row + laws.columns[k].residual * W, residual);
  }
}

template void enter_laws<HERGLOTZ_WIDTH>(const LaneLaws& laws);

}  // namespace herglotz::simulate
