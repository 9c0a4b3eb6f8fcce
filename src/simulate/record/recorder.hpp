#pragma once
/// Rows of the documented columns, made from the samples of a run, with a check of the balance laws.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/analyse/balance.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "record/lane_laws.hpp"

namespace herglotz::simulate {

/// Constraints of a system, and the independent ones among them, whose multipliers an integrator knows.
struct RecordedConstraints {
  kernel::Kernel values;  ///< every equation as written, then the derivatives of the velocity-free equations
  std::vector<std::size_t> equation;  ///< index of the equation of each multiplier of a sample
  kernel::Kernel of_levels{};         ///< constraints of a singular Lagrangian, used instead
};

/// Kernels that the columns of the balance laws come from.
struct RecordedLaws {
  kernel::Kernel balance;       ///< kernel of balance_program
  kernel::Kernel verification;  ///< kernel of verification_program
};

/// Values of the columns of jumps and of works by name, such as loss.bounce.
using Totals = std::map<std::string, double, std::less<>>;

/// Sums that a run carries from one part between jumps to the next.
struct Carried {
  double log_factor = 0;  ///< log of the integrating factor
  Totals totals{};
  std::vector<double> budgets{};  ///< of the laws, with what jumps did to them; empty at the start of the run
  std::vector<analyse::BalanceLedger> ledgers{};
  analyse::FactorSteps factor{};
};

/// Returns the names of the columns of jumps: loss.<event> of each event that changes the state, and of impacts also
/// friction, contact and work, and drive if the surface is moved. A contact force that is a multiplier of the system
/// has the column of the multiplier, and the work of a friction or of a driven contact of the system that of its
/// budget.
std::vector<std::string> jump_columns(const mechanics::System& system);

/// Maker of rows of the documented columns from the samples of a run, one after the other. Copies share the data that
/// no run changes.
class RowMaker {
 public:
  /// In samples and in the kernel of balance_program the budgets of the works of the system's frictions come after
  /// `laws`, and behind them those of its driven contacts.
  RowMaker(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, RecordedLaws recorded,
           kernel::Kernel observables, RecordedConstraints constraints, std::vector<double> parameters);

  /// Restricts the columns that are computed to `columns`; the other entries of a row are unspecified.
  void keep(std::span<const std::size_t> columns);
  /// Returns whether a row depends on the rows before it.
  [[nodiscard]] bool remembers() const { return keeps_laws_; }
  [[nodiscard]] bool keeps_observables() const {
    return keeps_observables_ && shared_->first_observable < shared_->first_work;
  }
  /// Returns whether rows depend on multipliers or modes of friction.
  [[nodiscard]] bool has_constraints() const {
    return shared_->equations > 0 || shared_->modes > 0 || shared_->constraints.of_levels;
  }
  /// Returns the names and roles of the columns.
  [[nodiscard]] const std::vector<analyse::Column>& columns() const { return shared_->columns; }
  /// Makes the row of the next sample of a run. Returns false if a redundant constraint no longer follows from the
  /// others; broken() says which.
  bool make(const integrate::Sample& sample);
  /// Returns the row of the last sample, one value for each column.
  [[nodiscard]] const std::vector<double>& row() const { return row_; }
  [[nodiscard]] const std::string& broken() const { return broken_; }
  /// Returns the largest residual of each law so far, or nothing if the laws are not kept.
  [[nodiscard]] std::vector<double> largest_residuals() const;
  /// Writes into the facts the largest residuals and invariants so far, the laws that have decayed to round-off, and
  /// notes.
  void conclude(analyse::RunFacts& facts) const;
  /// Sets what a run carries that goes on at a state from an earlier part. Budgets of samples begin with the quantities
  /// there; those of the laws go on from what is carried, as do the works.
  void go_on(const Carried& carried, double t0, std::span<const double> state);
  /// Returns what the last row leaves to the next part; before the first row, what was set.
  [[nodiscard]] Carried carried() const;
  /// Forgets the run; the next one has other parameter values.
  void restart(std::span<const double> parameters);

 private:
  friend class LaneRows;
  /// Columns, their places in a row, and the kernels that they come from.
  struct Shared {
    Shared(const mechanics::System& system, const std::vector<mechanics::BalanceLaw>& laws, RecordedLaws recorded,
           kernel::Kernel observables, RecordedConstraints constraints);
    std::size_t add(std::string name, analyse::Role role);

    kernel::Kernel balance;
    kernel::Kernel verification;
    kernel::Kernel observables;
    RecordedConstraints constraints;
    std::size_t equations;   ///< number of constraint equations
    std::size_t state_size;  ///< size of (x, w, z)
    std::size_t modes;       ///< modes of frictions and forces that hold, behind the multipliers of a sample
    std::vector<analyse::Column> columns;
    std::vector<std::string> law_names;
    std::vector<mechanics::LawKind> law_kinds;
    std::vector<LawColumns> law_columns;
    std::vector<std::string> invariant_names;
    std::size_t first_fibre = 0;
    std::size_t held_fibres = 0;  ///< velocities, if there are constraints
    std::size_t first_multiplier = 0;
    std::size_t first_constraint = 0;
    std::size_t first_observable = 0;
    std::size_t first_work = 0;
    std::size_t first_jump = 0;
    std::size_t factor = 0;
  };
  void make_laws(const integrate::Sample& sample);
  /// Returns the sum of the |terms| whose rounding the energy has while constraints hold the body at rest: the work of
  /// the forces F along the way that they would move it, F_a F_a t^2 / W_aa, as long as no velocity has exceeded the
  /// rounding of F_a t / W_aa. Returns 0 from where the body moves, and where the terms of the energy are larger than a
  /// thousand times this rounding.
  double terms_at_rest(double t, double scale);
  /// Returns the budget of law k with what the parts before left to it, which changes by dg/dt = L_z g.
  [[nodiscard]] double budget(const integrate::Sample& sample, std::size_t k) const;
  void make_constraints(const integrate::Sample& sample);
  void make_level_constraints();

  std::shared_ptr<const Shared> shared_;
  std::vector<double> parameters_;
  std::vector<double> row_;
  analyse::FactorSteps factor_;
  std::vector<analyse::BalanceLedger> ledgers_;
  std::vector<double> budgets_;  // at the last sample
  bool keeps_laws_ = true;
  bool keeps_observables_ = true;
  double largest_constraint_ = 0;
  std::vector<double> largest_invariants_;
  Carried carried_;                   // at the start of the samples
  std::vector<double> beyond_;        // what budgets have there beyond those of samples; empty for none
  double log_factor_ = 0;             // since that start, at the last sample
  bool made_ = false;                 // whether there was a sample since that start
  std::optional<double> rest_since_;  // the start of the run, if it was seen
  bool at_rest_ = true;               // at all samples so far
  std::optional<double> overflowed_;  // the time from which the integrating factor is infinite
  std::string broken_;
  std::vector<bool> independent_;
  std::vector<double> u_, balance_values_, verification_values_, constraint_values_, work_;
};

/// Returns lambda Q from log(lambda) and lambda, which is finite if the product is finite even if lambda is not.
double scaled(double quantity, double log_factor, double factor);

/// Recorder that keeps every row.
class Recorder {
 public:
  explicit Recorder(RowMaker rows);

  /// Records a sample. Returns false if a redundant constraint no longer follows from the others; broken() says which.
  bool record(const integrate::Sample& sample);
  [[nodiscard]] const std::string& broken() const { return rows_.broken(); }
  /// Returns RowMaker::carried().
  [[nodiscard]] Carried carried() const { return rows_.carried(); }
  /// Returns the columns so far with the facts, to which the largest residuals are added.
  analyse::Trajectory finish(analyse::RunFacts facts) &&;

 private:
  RowMaker rows_;
  std::vector<analyse::Column> columns_;
};

}  // namespace herglotz::simulate
