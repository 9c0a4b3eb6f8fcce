#pragma once
/// The weighted residuals of a fit and their Jacobian.

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/fit/fit.hpp"

namespace herglotz::fit {

/// The runs with their derivatives at the times of the data.
struct EvaluatedRuns {
  std::vector<analyse::Trajectory> runs;
  std::vector<std::vector<analyse::Column>> derivatives;
  Eigen::VectorXd residuals;  ///< (measured - fitted) / noise, without missing values, run by run, series by series
  Eigen::MatrixXd jacobian;   ///< of the residuals by the variables
};

/// A run with its derivatives by the names of its request.
struct DifferentiatedRun {
  analyse::Trajectory run;
  std::vector<analyse::Column> derivatives;
};

/// Returns the derivatives of a column by a name, a value for each row. Throws Refused for a column that is not
/// differentiated.
const std::vector<double>& slopes_of(const std::vector<analyse::Column>& derivatives, const std::string& column,
                                     const std::string& name);

/// Returns whether a name is that of a parameter.
bool is_parameter(const mechanics::System& system, const std::string& name);

/// An unknown of all runs, or that of one of them.
struct Variable {
  Unknown unknown;
  std::optional<std::size_t> run;
  std::string label;
  double start = 0;

  [[nodiscard]] bool is_of(std::size_t r) const { return !run || *run == r; }
};

/// Residuals of a request. Values that were measured before the start of the run, or of columns that are not
/// differentiated, are errors.
class Residuals {
 public:
  Residuals(const simulate::Simulator& simulator, const Request& request);

  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  [[nodiscard]] std::size_t samples() const { return places_.size(); }
  /// Returns the runs with these values of the variables. Throws simulate::RunFailed.
  [[nodiscard]] EvaluatedRuns at(const Eigen::VectorXd& values) const;
  /// Returns the residuals and their Jacobian of a trial, without the runs if they are known. Throws as at() does.
  [[nodiscard]] EvaluatedRuns trial(const Eigen::VectorXd& values) const;
  /// Returns what the request knows of a key, with `count` residuals, or else what `find` finds, which it knows then.
  /// What `find` throws as a failure it throws again.
  [[nodiscard]] Evaluation recalled(const std::vector<double>& key, std::size_t count,
                                    const std::function<Evaluation()>& find) const;
  /// Tells chi squared of a trial; infinity if a run failed.
  void say_tried(double chi_squared) const;
  /// Returns the sum of squared residuals, without derivatives; infinity if a run fails.
  [[nodiscard]] double chi_squared(const Eigen::VectorXd& values) const;
  /// Returns the names of the columns that were measured.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Sets the standard deviation of those values of a column that have none of their own.
  void set_noise(std::size_t column, double noise) { noise_[column] = noise; }
  [[nodiscard]] double noise(std::size_t column) const { return noise_[column]; }
  /// Place of the value of a residual.
  struct Place {
    std::size_t run;
    std::size_t series;  ///< of the run
    std::size_t row;
    std::size_t column;  ///< of columns()
  };
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] const Series& series_at(const Place& place) const {
    return request_.runs[place.run].data.series[place.series];
  }
  /// Returns the standard deviation of a value.
  [[nodiscard]] double noise(const Place& place) const;
  /// Returns whether estimates depend on the noise of columns: not if it is one factor of all residuals.
  [[nodiscard]] bool weights_matter() const;
  /// Returns the row of a run at a time of the data.
  static std::size_t row_at(const analyse::Trajectory& run, double time);
  /// Returns the run with these values of the variables as it is asked for.
  [[nodiscard]] simulate::SensitivityRequest request_of(std::size_t run, const Eigen::VectorXd& values) const;
  /// Returns the run of a request and its derivatives. Throws simulate::RunFailed if it does not reach its end.
  [[nodiscard]] DifferentiatedRun differentiated(const simulate::SensitivityRequest& request) const;
  /// Returns (measured - fitted) / noise.
  [[nodiscard]] double residual(const Place& place, double fitted) const {
    return (series_at(place).values[place.row] - fitted) / noise(place);
  }

 private:
  /// Adds the variables of an unknown.
  void add(const Unknown& unknown);
  /// Adds the series of a run and the places of their values.
  void add(const Data& data, std::size_t run);
  /// Writes the residuals of a series, whose first place is given, and their derivatives. Returns the place behind
  /// them.
  std::size_t fill(std::size_t first, EvaluatedRuns& found) const;
  /// Returns the run of a request, which reaches the end that is asked for: the last time of its data. A run that takes
  /// more than a hundred times as many steps as the first one fails, since a search may try values at which a motion is
  /// so fast that it would never end.
  [[nodiscard]] analyse::Trajectory follow(const simulate::SensitivityRequest& request) const;
  /// Throws Refused if an unknown of all runs starts at different values in them.
  void require_one_start(const std::string& name) const;

  const simulate::Simulator& simulator_;
  mutable simulate::Differentiator differentiator_;
  mutable std::optional<std::size_t> patience_{};  ///< how often the first run was asked between its rows
  const Request& request_;
  std::vector<simulate::SensitivityRequest> runs_;
  std::vector<Variable> variables_;
  std::vector<std::string> columns_;
  std::vector<double> noise_;  ///< by column
  std::vector<Place> places_;
};

}  // namespace herglotz::fit
