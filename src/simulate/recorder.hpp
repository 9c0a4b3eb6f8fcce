#pragma once
/// Turns samples of a run into the contract's columns, checking the balance laws as it goes.

#include <span>
#include <vector>

#include "herglotz/analyse/balance.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

class Recorder {
 public:
  Recorder(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, kernel::Kernel balance,
           kernel::Kernel observables, std::vector<double> parameters);

  void record(const integrate::Sample& sample);
  /// The columns so far, and the largest residuals in the facts.
  analyse::Trajectory finish(analyse::RunFacts facts) &&;

 private:
  struct LawColumns {
    std::size_t quantity, invariant, residual;
  };
  std::size_t add(std::string name, analyse::Role role);

  std::vector<mechanics::BalanceLaw> laws_;
  kernel::Kernel balance_;
  kernel::Kernel observables_;
  std::vector<double> parameters_;
  std::vector<analyse::Column> columns_;
  std::size_t state_size_ = 0;
  std::size_t factor_ = 0;
  std::vector<LawColumns> law_columns_;
  std::size_t first_observable_ = 0;
  std::vector<analyse::BalanceLedger> ledgers_;
  std::vector<double> u_, balance_values_, observable_values_, work_;
};

}  // namespace herglotz::simulate
