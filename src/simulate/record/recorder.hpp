#pragma once
/// Samples of a run as the documented columns; the balance laws are checked on the way.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/analyse/balance.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::simulate {

/// The constraints of a system and the independent ones among them, whose multipliers an integrator knows.
struct RecordedConstraints {
  kernel::Kernel values;              ///< every equation as written, then the derivatives of the velocity-free ones
  std::vector<std::size_t> equation;  ///< of the system, for each multiplier of a sample; the others follow from them
  kernel::Kernel of_levels{};         ///< instead: the constraints of a singular Lagrangian
};

/// The kernels that the columns of the balance laws come from.
struct RecordedLaws {
  kernel::Kernel balance;       ///< balance_program
  kernel::Kernel verification;  ///< verification_program
};

/// Turns one sample after the other of a run into rows of the documented columns. Copies share what no run changes.
class RowMaker {
 public:
  RowMaker(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, RecordedLaws recorded,
           kernel::Kernel observables, RecordedConstraints constraints, std::vector<double> parameters);

  /// Of the columns only these are made from now on; others have any value.
  void keep(std::span<const std::size_t> columns);
  /// Whether a row depends on those before it.
  [[nodiscard]] bool remembers() const { return keeps_laws_; }
  /// Names and roles.
  [[nodiscard]] const std::vector<analyse::Column>& columns() const { return shared_->columns; }
  /// The next sample of a run. False when a redundant constraint has stopped following from the others; broken() says
  /// which.
  bool make(const integrate::Sample& sample);
  /// The row of the last sample, one value for each column.
  [[nodiscard]] const std::vector<double>& row() const { return row_; }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  /// The largest residuals and invariants so far, what has decayed to round-off, and notes.
  void conclude(analyse::RunFacts& facts) const;
  /// Forgets the run; the next one has other parameter values.
  void restart(std::span<const double> parameters);

 private:
  struct LawColumns {
    std::size_t quantity, invariant, residual;
  };
  /// The columns, where they are in a row, and the kernels that they come from.
  struct Shared {
    Shared(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, RecordedLaws recorded,
           kernel::Kernel observables, RecordedConstraints constraints);
    std::size_t add(std::string name, analyse::Role role);

    kernel::Kernel balance;
    kernel::Kernel verification;
    kernel::Kernel observables;
    RecordedConstraints constraints;
    std::size_t equations;   ///< constraint equations
    std::size_t state_size;  ///< of (x, w, z)
    std::vector<analyse::Column> columns;
    std::vector<std::string> law_names;
    std::vector<LawColumns> law_columns;
    std::vector<std::string> invariant_names;
    std::size_t first_multiplier = 0;
    std::size_t first_constraint = 0;
    std::size_t first_observable = 0;
    std::size_t factor = 0;
  };
  void make_laws(const integrate::Sample& sample);
  void make_constraints(const integrate::Sample& sample);
  void make_level_constraints();

  std::shared_ptr<const Shared> shared_;
  std::vector<double> parameters_;
  std::vector<double> row_;
  std::vector<analyse::BalanceLedger> ledgers_;
  bool keeps_laws_ = true;
  bool keeps_observables_ = true;
  double largest_constraint_ = 0;
  std::vector<double> largest_invariants_;
  std::optional<double> overflowed_;  // the time from which the integrating factor is infinite
  std::string broken_;
  std::vector<bool> independent_;
  std::vector<double> u_, balance_values_, verification_values_, constraint_values_, work_;
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
