#pragma once
/// The weighted residuals of a fit and their Jacobian, as functions of free variables.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "herglotz/fit/fit.hpp"

namespace herglotz::fit {

/// A run with its derivatives at the times of the data.
struct Evaluation {
  analyse::Trajectory run;
  std::vector<analyse::Column> derivatives;
  Eigen::VectorXd residuals;  ///< (measured - fitted) / noise, without missing values, series by series
  Eigen::MatrixXd jacobian;   ///< of the residuals by the unknowns
};

/// Residuals of a request. Values that were measured before the start of the run, or of columns that are not
/// differentiated, are errors.
class Residuals {
 public:
  Residuals(const simulate::Simulator& simulator, const Request& request);

  [[nodiscard]] std::size_t unknowns() const { return request_.unknowns.size(); }
  [[nodiscard]] std::size_t samples() const { return places_.size(); }
  /// Returns the values of the unknowns at the start.
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }
  /// Returns the run with these values of the unknowns. Throws simulate::RunFailed.
  [[nodiscard]] Evaluation at(const Eigen::VectorXd& values) const;
  /// Sets the standard deviation of the values of a series that has none of its own.
  void set_noise(std::size_t series, double noise) { noise_[series] = noise; }
  [[nodiscard]] double noise(std::size_t series) const { return noise_[series]; }
  /// Returns the standard deviation of a value.
  [[nodiscard]] double noise(std::size_t series, std::size_t row) const;
  /// Returns the series and the row of a residual.
  struct Place {
    std::size_t series;
    std::size_t row;
  };
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// Returns the row of a run at a row of the data.
  [[nodiscard]] std::size_t row_of_run(const analyse::Trajectory& run, std::size_t row) const;

 private:
  /// Writes the residuals of a series and their derivatives.
  void fill(std::size_t series, Evaluation& found) const;

  const simulate::Simulator& simulator_;
  mutable simulate::Differentiator differentiator_;
  const Request& request_;
  simulate::SensitivityRequest run_;
  std::vector<bool> parameter_;
  Eigen::VectorXd start_;
  std::vector<double> noise_;
  std::vector<Place> places_;
};

}  // namespace herglotz::fit
