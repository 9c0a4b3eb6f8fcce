#include "block_elimination.hpp"

#include <HSLLoader.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "chain_factors.hpp"
#include "herglotz/error.hpp"

namespace herglotz::optimise {
namespace {

struct State {
  std::vector<int> place;
  std::optional<ChainFactors> factors;
};

/// The functions of MA27 have no argument for a state of their own.
std::unique_ptr<State> state;  // NOLINT

// The length of INFO, entries that IPOPT reads, counted from 0, and values of the first one.
constexpr int info_length = 20;
constexpr int flag = 0;
constexpr int real_words = 4;
constexpr int integer_words = 5;
constexpr int negative_eigenvalues = 14;
constexpr int fails = -1;
constexpr int singular = -5;

void set_defaults(ipfint*, double*) {}

void analyse(ipfint* n, ipfint* count, const ipfint* rows, const ipfint* cols, ipfint*, ipfint*, ipfint*, ipfint*,
             ipfint* steps, ipfint*, ipfint*, double*, ipfint* info, double*) {
  std::fill_n(info, info_length, 0);
  info[real_words] = *count;
  info[integer_words] = 1;
  *steps = 1;
  if (static_cast<std::size_t>(*n) == state->place.size()) {
    Places entries;
    for (ipfint e = 0; e < *count; ++e) {
      entries.row.push_back(rows[e] - 1);
      entries.col.push_back(cols[e] - 1);
    }
    try {
      state->factors.emplace(state->place, entries);
      return;
    } catch (const Refused&) {
      // It is refused below, as a system of another size is; IPOPT then fails.
    }
  }
  info[flag] = fails;
}

void factor(ipfint*, ipfint* count, const ipfint*, const ipfint*, double* values, ipfint*, ipfint*, ipfint*, ipfint*,
            ipfint*, ipfint* largest_front, ipfint*, ipfint*, double* control, ipfint* info) {
  std::fill_n(info, info_length, 0);
  *largest_front = 1;
  state->factors->factor(std::span<const double>(values, static_cast<std::size_t>(*count)), control[0]);
  if (state->factors->is_singular()) info[flag] = singular;
  info[negative_eigenvalues] = static_cast<ipfint>(state->factors->negative());
}

void solve(ipfint* n, double*, ipfint*, ipfint*, ipfint*, double*, ipfint*, double* right, ipfint*, ipfint*, ipfint*,
           double*) {
  state->factors->solve({right, static_cast<std::size_t>(*n)});
}

}  // namespace

BlockElimination::BlockElimination(std::vector<int> place) {
  if (state) throw std::logic_error("block elimination is in use");
  state = std::make_unique<State>(State{std::move(place), std::nullopt});
  LSL_setMA27(analyse, factor, solve, set_defaults);
}

BlockElimination::~BlockElimination() {
  state.reset();
}

}  // namespace herglotz::optimise
