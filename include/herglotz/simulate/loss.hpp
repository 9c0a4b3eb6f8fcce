#pragma once
/// Functions of a computed run, such as the misfit to data, with their derivatives by its columns.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/simulate/sensitivity.hpp"

namespace herglotz::simulate {

/// Value of a loss, and its derivatives by the numbers of the run.
struct LossValue {
  double value = 0;
  Cotangents cotangents;
};

/// Expression in the columns of a run, in its time, in the parameters of the system and in `duration`, the time from
/// the first row to the last one. Columns whose names have points, such as momentum.s, are written by these names, and
/// those of the elements of a model with an index that is written out as q[0].
class Loss {
 public:
  /// Reads an expression. Throws Refused, with the place in the expression, for a text that is none, and for a name
  /// that is none of these.
  Loss(const mechanics::System& system, const analyse::Trajectory& run, std::string_view text);
  ~Loss();
  Loss(Loss&&) noexcept;
  Loss& operator=(Loss&&) noexcept;

  /// Returns the expression at the last row.
  [[nodiscard]] LossValue at_end(const analyse::Trajectory& run) const;
  /// Returns the sum of the expression over the rows at given times. Throws Refused for a time without a row.
  [[nodiscard]] LossValue sum(const analyse::Trajectory& run, std::span<const double> times) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace herglotz::simulate
