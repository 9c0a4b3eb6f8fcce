#pragma once
/// Profile likelihoods of a fit.

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "problem.hpp"

namespace herglotz::fit {

/// Share of chi squared and 1 by which chi squared has to be smaller elsewhere; less is round-off.
constexpr double smaller_elsewhere = 1e-4;

/// Returns the variables whose profiles are asked for. Throws Refused for a name that is not fitted.
std::vector<std::size_t> places_of_profiles(const Request& request, const std::vector<Variable>& variables);

/// Follows profiles from a minimum, whose free variables and chi squared are given.
class Profiler {
 public:
  Profiler(const Residuals& residuals, std::size_t most_iterations, Eigen::VectorXd free, double chi_squared);

  /// Returns the profile of a variable. Its first steps are shares of the standard deviation of the estimate.
  Profile operator()(std::size_t place, double deviation);
  /// Returns how often derivatives of all runs were taken.
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  struct Point {
    double value = 0;
    double rise = 0;
    Eigen::VectorXd free;
  };

  /// Fits the others from the free variables of a point. Returns nothing, with the reason in `reasons_`, if that
  /// fails.
  std::optional<Point> at(std::size_t place, double value, const Point& from, Profile& profile);
  /// Goes from the estimate to one side. Returns where chi squared passes the threshold; infinity if it does not.
  double end_of_side(std::size_t place, double step, double sign, Profile& profile);
  /// Returns the value between two points at which chi squared passes the threshold.
  double crossing(std::size_t place, Point inside, Point outside, Profile& profile);
  void add(const Point& point, Profile& profile) const;

  const Residuals& residuals_;
  std::size_t most_iterations_;
  Eigen::VectorXd free_;
  double chi_squared_;
  std::size_t runs_ = 0;
  /// Notes on the profile that is followed: why ends are missing, and the point whose chi squared is below that of the
  /// fit the most.
  std::vector<std::string> reasons_;
  std::optional<Point> lowest_;
};

}  // namespace herglotz::fit
