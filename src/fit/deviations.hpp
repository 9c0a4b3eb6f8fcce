#pragma once
/// Tests whether the standard deviations of a fit describe its residuals and its sum of squares.

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "problem.hpp"

namespace herglotz::fit {

/// Tests a fit whose estimates, combinations, series and chi squared are known. The standard deviations of least
/// squares are right if the residuals are independent, have the noise that weighs them, and depend linearly on the
/// unknowns over one standard deviation.
class DeviationTest {
 public:
  /// `free` are the free variables of the estimates. All arguments have to outlive the test.
  DeviationTest(const Residuals& residuals, const Request& request, const Eigen::VectorXd& free, const Fit& found)
      : residuals_(residuals), request_(request), free_(free), found_(found) {}

  /// Returns a sentence for each reason why the standard deviations may be too small; none if there is no such reason.
  /// There is none either if every noise was estimated and is below 1e-8 of its column: such residuals are the
  /// rounding and the truncation of the runs, not errors of measurements.
  std::vector<std::string> operator()();
  /// Returns how often all runs were made for the test.
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  [[nodiscard]] bool is_exact() const;
  /// Compares chi squared with the degrees of freedom, where the noise was given.
  void compare_with_noise();
  /// Tests whether the residuals of a series follow from their predecessors.
  void compare_neighbours();
  /// Returns whether chi squared rises by about 1 over one standard deviation along every combination that the data
  /// determine.
  bool is_parabola();
  /// Compares the profile of an unknown with a parabola over one standard deviation.
  void compare_profile(std::size_t place);
  /// Returns the rise of chi squared where an unknown is held and all others are fitted again; infinity if no minimum
  /// is found.
  double rise_beside(std::size_t place, double value);

  const Residuals& residuals_;
  const Request& request_;
  const Eigen::VectorXd& free_;
  const Fit& found_;
  std::vector<std::string> reasons_;
  std::size_t runs_ = 0;
};

}  // namespace herglotz::fit
