#pragma once
/// Tests whether the standard deviations of a fit describe its residuals and its sum of squares.

#include <Eigen/Core>
#include <cstddef>
#include <optional>
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

  /// Returns a sentence for each reason why the standard deviations may be wrong; none if there is no such reason.
  /// Residuals of a column whose noise was estimated and is below 1e-8 of its values are the rounding and the
  /// truncation of the runs, not errors of measurements: neither they nor the unknowns on which such a column depends
  /// are tested.
  std::vector<std::string> operator()();
  /// Returns how often all runs were made for the test.
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  /// Finds the series whose residuals are those of the runs. Returns whether all are.
  bool find_exact();
  /// Returns whether the standard deviation of an unknown is that of measurements.
  [[nodiscard]] bool is_tested(std::size_t place) const;
  /// Returns whether the bounds of an unknown are farther from its estimate than its standard deviation, else gives the
  /// reason. Along combinations of unknowns the steps of each are shorter, and may stay inside.
  bool is_inside(std::size_t place);
  /// Compares chi squared with the degrees of freedom, where the noise was given.
  void compare_with_noise();
  /// Tests whether the residuals of a series follow from their predecessors [BD91].
  void compare_neighbours();
  /// Returns whether chi squared rises by about 1 over one standard deviation along every combination that the data
  /// determine.
  bool is_parabola();
  /// Finds unknowns without which the data determine all others: chi squared has no other minimum where they are held,
  /// and a search does not wander along what changes nothing.
  void find_redundant();
  /// Returns the sizes by which changes of the estimates are measured.
  [[nodiscard]] Eigen::VectorXd sizes() const;
  /// Returns the changes of the unknowns along a combination of their shares.
  [[nodiscard]] Eigen::VectorXd change_along(const Combination& combination) const;
  /// Returns the changes of all unknowns by which chi squared rises least if it is a parabola, where one of them is
  /// changed and the redundant ones are held.
  [[nodiscard]] Eigen::VectorXd change_with(std::size_t place, double change) const;
  /// Compares the profile of an unknown with a parabola over one standard deviation.
  void compare_profile(std::size_t place);
  /// Returns the rise of chi squared where an unknown is held and all others are fitted again; infinity if no minimum
  /// is found.
  double rise_beside(std::size_t place, double value);

  /// An unknown that is held while others are fitted again, and changes of all unknowns that move it and change nothing
  /// else; they move none of the redundant unknowns before it.
  struct Redundant {
    std::size_t place = 0;
    Eigen::VectorXd change;
  };

  const Residuals& residuals_;
  const Request& request_;
  const Eigen::VectorXd& free_;
  const Fit& found_;
  std::vector<std::size_t> first_;            ///< the first series of each run
  std::vector<std::optional<double>> exact_;  ///< change of an exact series that is not seen; nothing for others
  std::vector<Redundant> redundant_;
  std::vector<std::string> reasons_;
  std::size_t runs_ = 0;
};

}  // namespace herglotz::fit
