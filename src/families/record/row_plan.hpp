#pragma once
/// The rows that the settings of a model ask for.

#include <cstddef>
#include <string>
#include <vector>

#include "herglotz/families/model.hpp"

namespace herglotz::families {

/// The rows of a run, and what a reader should know of them.
struct RowPlan {
  std::size_t whole = 0;
  double last = 0;        ///< size of one shorter step at the end, or 0
  std::size_t every = 0;  ///< steps between rows, or 0 for rows at equal distances in time
  double interval = 0;
  std::string note{};
  double step = 0;

  /// Returns the times of the rows of a run that is not ended early, which has steps of one size or an interval.
  [[nodiscard]] std::vector<double> times(double t0, double t_end) const;
};

/// Returns the value of a setting. Throws Refused unless it is positive and finite.
double positive(const char* name, double value);

/// Returns the rows of a run with steps of one size, each of `numbers` numbers. Throws Refused.
RowPlan plan_of(const Model& model, double numbers);
/// Returns the rows of a run with steps that follow from their errors. Throws Refused.
RowPlan adaptive_plan_of(const Model& model, double numbers);

}  // namespace herglotz::families
