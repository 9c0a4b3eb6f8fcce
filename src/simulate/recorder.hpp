#pragma once
/// Samples of a run as the contract's columns; the balance laws are checked on the way.

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

/// Turns one sample after the other of a run into rows of the contract's columns.
class RowMaker {
 public:
  RowMaker(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, kernel::Kernel balance,
           kernel::Kernel observables, RecordedConstraints constraints, std::vector<double> parameters);

  /// Names and roles.
  [[nodiscard]] const std::vector<analyse::Column>& columns() const { return columns_; }
  /// The next sample of a run. False when a redundant constraint has stopped following from the others; broken() says
  /// which.
  bool make(const integrate::Sample& sample);
  /// The row of the last sample, one value for each column.
  [[nodiscard]] const std::vector<double>& row() const { return row_; }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  /// The largest residuals so far.
  void conclude(analyse::RunFacts& facts) const;
  /// Forgets the run; the next one has other parameter values.
  void restart(std::span<const double> parameters);

 private:
  struct LawColumns {
    std::size_t quantity, invariant, residual;
  };
  std::size_t add(std::string name, analyse::Role role);
  void make_laws(const integrate::Sample& sample);
  void make_constraints(const integrate::Sample& sample);

  std::vector<std::string> law_names_;
  kernel::Kernel balance_;
  kernel::Kernel observables_;
  std::vector<double> parameters_;
  std::vector<analyse::Column> columns_;
  std::vector<double> row_;
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
  std::vector<double> u_, balance_values_, constraint_values_, work_;
};

/// Keeps every row.
class Recorder {
 public:
  explicit Recorder(RowMaker rows);

  /// False when a redundant constraint has stopped following from the others; broken() says which.
  bool record(const integrate::Sample& sample);
  [[nodiscard]] const std::string& broken() const { return rows_.broken(); }
  /// The columns so far, and the largest residuals in the facts.
  analyse::Trajectory finish(analyse::RunFacts facts) &&;

 private:
  RowMaker rows_;
  std::vector<analyse::Column> columns_;
};

}  // namespace herglotz::simulate
