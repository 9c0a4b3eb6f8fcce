#pragma once
/// The steps of a run made again.

#include <optional>
#include <span>
#include <vector>

#include "sensitivity/pieces/differentiated_run.hpp"

namespace herglotz::simulate {

/// Returns whether states inside the steps of the run's method are on a polynomial. It is fixed with the steps.
bool has_polynomial(const DifferentiatedRun& of);

/// Returns whether the steps of the run end at fixed times, where the start of a step moves; otherwise their sizes are
/// fixed.
bool ends_at_fixed_times(const DifferentiatedRun& of);

/// Returns the settings with which a run repeats its steps from a time. Its rows are fixed times, but for those that
/// move with the ends of its pieces.
integrate::Settings settings_of_repetition(const DifferentiatedRun& of, double t0, const std::vector<double>& moving);

/// Times of the steps of a run around the points of its inputs at which rates jump: the step before such a point ends
/// so shortly before it that no stage reads what holds behind it, and the next one begins at the point. See
/// integrate::Settings::breaks.
class StepTimes {
 public:
  StepTimes() = default;
  StepTimes(const integrate::Settings& settings, double t0);

  /// Returns the time at which the step after a sample begins.
  [[nodiscard]] double departure(double t) const;
  /// Returns the time at which the step to a sample ends; that of a step from `from` which has ended already is `from`.
  [[nodiscard]] double arrival(double from, double t) const;
  /// Returns whether two times are those of one point.
  [[nodiscard]] bool meet(double a, double b) const;

 private:
  [[nodiscard]] const integrate::Break* point_at(double t) const;

  std::vector<integrate::Break> points_;  // at which rates jump
  double direction_ = 1;
  double margin_ = 0;
};

/// Returns the largest difference of a state that was reached again, by steps from the state `from`, from that of the
/// run, relative to what round-off explains.
double deviation(const DifferentiatedRun& of, std::span<const double> state, std::span<const double> again,
                 std::span<const double> from);
/// Throws RunFailed if a state that was reached again is not that of the run at this time.
void require_repeated(const DifferentiatedRun& of, double t, std::span<const double> state,
                      std::span<const double> again, std::span<const double> from);

}  // namespace herglotz::simulate
