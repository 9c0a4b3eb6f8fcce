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

}  // namespace

template <int W>
void enter_laws(const LaneLaws& laws) {
  using P = kernel::NumbersOf<W>;
  const auto at = [](const double* rows, std::size_t row) { return kernel::load<P>(rows + row * W); };
  const P log_factor = at(laws.log_factor, 0);
  const P growth = laws.fresh ? kernel::all<P>(0) : log_factor - at(laws.last_log, 0);
  const auto step = analyse::factor_step(laws.fresh ? 0 : laws.duration, growth, log_factor);
  const P factor = kernel::exponential(log_factor);
  kernel::store(laws.last_log, log_factor);
  kernel::store(laws.row + laws.factor * W, factor);
  kernel::store(laws.decay, step.decay);
  const auto falls = step.decay <= kernel::all<P>(1);
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
    kernel::store(laws.row + laws.columns[k].quantity * W, terms.quantity);
    kernel::store(laws.row + laws.columns[k].invariant * W, factor * terms.quantity);
    kernel::store(laws.row + laws.columns[k].residual * W, residual);
    laws.moved[k] =
        unset<W>(falls & (state.yardstick > kernel::all<P>(0)) & (kernel::magnitude(residual) <= at(laws.tops, 2 * k)) &
                 (state.yardstick <= at(laws.tops, 2 * k + 1)));
  }
}

template void enter_laws<HERGLOTZ_WIDTH>(const LaneLaws& laws);

}  // namespace herglotz::simulate
