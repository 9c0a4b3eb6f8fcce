#pragma once
/// A run's output: named columns, and the facts that make it reproducible.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace herglotz::analyse {

/// Role of a column, so that reports need not guess it from the name.
enum class Role {
  time,
  base,
  fibre,
  action,
  multiplier,
  energy,
  factor,
  invariant,
  residual,
  momentum,
  constraint,
  observable
};

struct Column {
  std::string name;
  Role role = Role::observable;
  std::vector<double> values;
};

/// Facts of the run; written as attributes and shown in the report.
struct RunFacts {
  std::string model_name;
  std::string title;
  std::string reference;
  std::string model_text;  ///< the model file, verbatim (empty for systems built in code)
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, double>> initial;
  std::string method;
  std::string gauge;          ///< gauge conditions of a singular Lagrangian, or the rule that chose its arbitrary rates
  std::string method_reason;  ///< the reason why `auto` chose it; empty if the user chose it
  int order = 0;
  double step = 0;                  ///< 0 for adaptive methods
  double tolerance = 0;             ///< 0 for fixed-step methods
  double t_end = 0;                 ///< the end that was asked for
  std::string status = "complete";  ///< "complete", or the sentence that says why the run stopped early
  bool complete = true;
  std::string version;
  double wall_seconds = 0;
  std::size_t steps = 0;
  std::size_t rejected_steps = 0;
  std::size_t newton_iterations = 0;
  double largest_energy_residual = 0;
  std::vector<std::pair<std::string, double>> largest_momentum_residuals;
  std::vector<std::pair<std::string, double>> largest_dissipated_residuals;
  /// The laws whose quantity has decayed to round-off, and the time from which it has been there.
  std::vector<std::pair<std::string, double>> at_round_off;
  std::vector<std::pair<std::string, double>> largest_invariants;  ///< |value| of each declared invariant
  double largest_constraint_residual = 0;  ///< over the equations and the derivatives of velocity-free equations
  std::vector<std::string> notes;          ///< sentences a user should read: a projected start, a redundant constraint
  std::string equations_latex;             ///< the derived equations, for the report
};

/// The states at which a watched function crossed zero, with the columns of the trajectory.
struct Crossings {
  std::string name;
  std::vector<Column> columns;

  [[nodiscard]] std::size_t count() const { return columns.empty() ? 0 : columns.front().values.size(); }
};

/// Columns in the order of docs/trajectory-columns.md, all of one length.
struct Trajectory {
  std::vector<Column> columns;
  RunFacts facts;
  std::vector<Crossings> events{};  ///< one for each event of the system, in the order of the system

  [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
  /// Returns the column of that name, or nullptr if no column has that name.
  [[nodiscard]] const Column* find(std::string_view name) const;
  /// Returns the values of the column of that name. Throws OutOfRange, with the nearest names, if no column has
  /// it.
  [[nodiscard]] const std::vector<double>& operator[](std::string_view name) const;
};

}  // namespace herglotz::analyse
