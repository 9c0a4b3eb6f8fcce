#pragma once
/// Turns samples of a run into the contract's columns, checking the balance laws as it goes.

#include <span>
#include <vector>

#include "herglotz/analyse/balance.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The constraints of a system and the independent ones among them, whose multipliers an integrator knows.
struct RecordedConstraints {
  kernel::Kernel values;              ///< every equation as written, then the derivatives of the velocity-free ones
  std::vector<std::size_t> equation;  ///< of the system, for each multiplier of a sample; the others follow from them
};

class Recorder {
 public:
  Recorder(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, kernel::Kernel balance,
           kernel::Kernel observables, RecordedConstraints constraints, std::vector<double> parameters);

  /// False when a redundant constraint has stopped following from the others; broken() says which.
  bool record(const integrate::Sample& sample);
  [[nodiscard]] const std::string& broken() const { return broken_; }
  /// The columns so far, and the largest residuals in the facts.
  analyse::Trajectory finish(analyse::RunFacts facts) &&;

 private:
  struct LawColumns {
    std::size_t quantity, invariant, residual;
  };
  std::size_t add(std::string name, analyse::Role role);
  void record_laws(const integrate::Sample& sample);
  void record_constraints(const integrate::Sample& sample);

  std::vector<mechanics::BalanceLaw> laws_;
  kernel::Kernel balance_;
  kernel::Kernel observables_;
  std::vector<double> parameters_;
  std::vector<analyse::Column> columns_;
  RecordedConstraints constraints_;
  std::size_t equations_ = 0;   ///< constraint equations
  std::size_t state_size_ = 0;  ///< of (x, w, z)
  std::size_t first_multiplier_ = 0;
  std::size_t first_constraint_ = 0;
  std::size_t factor_ = 0;
  std::vector<LawColumns> law_columns_;
  std::size_t first_observable_ = 0;
  std::vector<analyse::BalanceLedger> ledgers_;
  double largest_constraint_ = 0;
  std::string broken_;
  std::vector<double> u_, balance_values_, observable_values_, constraint_values_, work_;
};

}  // namespace herglotz::simulate
