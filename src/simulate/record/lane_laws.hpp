#pragma once
/// Balance laws of runs in lanes, each with the bits of its own BalanceLedger. It passes plain numbers, since code for
/// lanes is compiled for other registers.

#include <cstddef>

namespace herglotz::simulate {

/// Columns of one law in a row.
struct LawColumns {
  std::size_t quantity, invariant, residual;
};

/// Numbers of the laws at a sample, for lanes at one time. Entry i of lane l is at [i * lanes + l].
struct LaneLaws {
  std::size_t laws = 0;
  const LawColumns* columns = nullptr;
  std::size_t factor = 0;                ///< column of the integrating factor
  const double* balance = nullptr;       ///< outputs of balance_program
  const double* verification = nullptr;  ///< outputs of verification_program
  const double* log_factor = nullptr;
  const double* budgets = nullptr;
  bool fresh = false;           ///< true if this is the first sample of the runs
  double duration = 0;          ///< time since the sample before
  double* last_log = nullptr;   ///< log_factor at the sample before
  double* ledgers = nullptr;    ///< four numbers of analyse::LedgerState for each law
  double* kept = nullptr;       ///< four numbers for each law: those of LargestResidual::last and of before_last
  unsigned* left = nullptr;     ///< for each law: lanes whose sample LargestResidual::enter has to enter, as bits
  double* decay = nullptr;      ///< lambda at the sample before, divided by lambda
  double* residuals = nullptr;  ///< of each law
  double* row = nullptr;        ///< columns, or null if only the laws are followed
};

/// Enters a sample into the laws for W lanes, and writes their columns. Invariants are lambda Q, also where lambda is 0
/// or infinite.
template <int W>
void enter_laws(const LaneLaws& laws);

}  // namespace herglotz::simulate
