#pragma once
/// Parameters and initial values of a system from measurements, by weighted least squares.

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "herglotz/simulate/sensitivity.hpp"

namespace herglotz::fit {

/// Measurements of one column of a run. A value that is missing is NaN.
struct Series {
  std::string column;
  std::vector<double> values;
  std::vector<double> noise{};  ///< standard deviation of each value; empty: Request::noise
};

/// Measurements at ascending times, which need not be evenly spaced.
struct Data {
  std::vector<double> t;
  std::vector<Series> series;
};

/// Throws Refused for fewer than two times, times that do not ascend, no column or two of one name, columns of another
/// length than the times, values whose squares have no sum, values without their noise, and noise that is not positive.
/// `name` is what the data are called in messages, in the plural.
void require_data(const Data& data, const std::string& name = "the data");

/// A run that was measured.
struct MeasuredRun {
  Data data;
  simulate::SensitivityRequest run;  ///< the run to begin with; its rows and its end become those of the data
};

/// Parameter or initial value to be found, with its bounds.
struct Unknown {
  std::string name;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool own = false;  ///< whether each run has a value of its own
};

/// Results of the runs of a trial, or of a shot.
struct Evaluation {
  std::vector<double> residuals;  ///< (measured - fitted) / noise; of a shot, the state at its end behind them
  std::vector<double> jacobian;   ///< of the residuals by the unknowns, column by column; of a shot, its derivatives
  std::string failure;            ///< why a run failed; the others are empty then
  double patience = -1;           ///< how often the first run asked whether to go on between its rows; -1: not known
};

/// Trials that are known, from which a fit that was ended goes on to the same result, bit for bit.
class Evaluations {
 public:
  Evaluations() = default;
  Evaluations(const Evaluations&) = delete;
  Evaluations& operator=(const Evaluations&) = delete;
  virtual ~Evaluations() = default;
  /// Returns what was found for a key, the numbers on which a trial depends, or a null pointer.
  [[nodiscard]] virtual const Evaluation* find(const std::vector<double>& key) const = 0;
  virtual void add(const std::vector<double>& key, const Evaluation& found) = 0;
};

struct Request {
  std::vector<MeasuredRun> runs;
  std::vector<Unknown> unknowns;
  std::vector<std::string> profiles{};  ///< unknowns whose profile likelihood is followed; each run's own ones too
  double noise = 0;  ///< standard deviation of the values; 0: estimated from the residuals of each column in all runs
  /// How many fits to first parts of the data come before: with n, to the first 1/2^n of the times of each run, then
  /// to twice as many, and so on, each from the estimates of the one before. Parts with less than three values for each
  /// unknown are left out, and so are the estimates of parts that do not determine the unknowns, or that fit the next
  /// part worse than the estimates before. A long run depends on its unknowns so sharply that chi squared has many
  /// minima; that of a short part is wide, and leads to the right one of the next part.
  std::size_t parts = 0;
  /// Multiple shooting: with n, each run is first cut into n shots, which begin at states of their own and are made one
  /// motion while the unknowns are found. No shot is so long that it depends sharply on them, and each begins on its
  /// data. The estimates are then those of a fit to whole runs from there. Not together with parts.
  std::size_t shots = 0;
  std::size_t most_iterations = 200;
  std::size_t most_weighings = 60;  ///< how often columns are weighted by their residuals until their noise settles
  /// Trials whose results are known. The fit adds its own. All must be trials of this request. May be null.
  Evaluations* known = nullptr;
  /// Called with chi squared of each trial, if it is not empty; infinity where a run failed.
  std::function<void(double chi_squared)> tried{};
};

/// The largest Request::parts.
inline constexpr std::size_t most_parts = 30;
/// The largest Request::shots.
inline constexpr std::size_t most_shots = 10'000;

/// Returns what a name of one of several runs is called: "q[2]" for the second of them; "q" if there is one run.
std::string label_of(const std::string& name, std::size_t run, std::size_t runs);

/// An unknown, with its standard deviation (NaN if the data do not determine it).
struct Estimate {
  std::string name;  ///< of a value that one of several runs has of its own: label_of
  double start = 0;
  double value = 0;
  double deviation = 0;
};

/// Residuals of a series, and tests for structure that the model does not explain.
struct SeriesFit {
  std::string column;
  std::size_t run = 0;
  std::vector<double> fitted;     ///< at the times of the data
  std::vector<double> residuals;  ///< measured minus fitted; NaN where a value is missing
  /// Standard deviation: the root mean square of those that were given, or estimated; NaN without a value.
  double noise = 0;
  std::size_t samples = 0;
  double durbin_watson = 0;  ///< near 2 for residuals that do not follow from their predecessors
  double runs = 0;           ///< excess of runs of one sign over that expected, in standard deviations
};

/// A combination of the unknowns, each relative to its size, and the singular value of the weighted residuals along it.
struct Combination {
  double singular_value = 0;
  std::vector<double> direction;
  bool determined = true;  ///< whether the singular value is above 1e-7 of the largest
};

/// The profile likelihood of an unknown: chi squared with this unknown held at values beside its estimate, and all
/// others fitted again, with the noise of the fit. What it exceeds its minimum by is twice the loss of log likelihood,
/// and where that is profile_threshold lie the ends of an interval of confidence of 95 % [Wil38, RKM09].
struct Profile {
  std::string name;              ///< as that of the estimate
  double lower = 0;              ///< minus infinity if there is no end on this side
  double upper = 0;              ///< infinity likewise
  std::vector<double> values{};  ///< ascending, the estimate among them
  std::vector<double> rise{};    ///< of chi squared above that of the fit, for each value
  /// "complete", or a sentence: why a side has no end, or that chi squared is smaller elsewhere than at the estimate.
  std::string status = "complete";
};

/// The 95 % quantile of chi squared with one degree of freedom.
inline constexpr double profile_threshold = 3.841458820694124;

struct Fit {
  std::vector<Estimate> estimates;
  std::vector<double> covariance;         ///< of the unknowns, row by row
  std::vector<Combination> combinations;  ///< from the best determined one
  std::vector<SeriesFit> series;          ///< run by run
  std::size_t samples = 0;
  double chi_squared = 0;      ///< sum of squared residuals over their variances
  double log_likelihood = 0;   ///< of independent normal errors
  std::size_t iterations = 0;  ///< how often all runs were made
  bool converged = false;
  std::string status;                     ///< "complete", or the sentence that says why it is not converged
  std::vector<analyse::Trajectory> runs;  ///< with the estimates
  std::vector<std::vector<analyse::Column>> derivatives;  ///< of each run, by the unknowns that it has
  std::vector<Profile> profiles{};
  /// Sentences that say why the standard deviations may be wrong: chi squared is far above the degrees of freedom,
  /// residuals follow from their predecessors, a bound is nearer than one of them, or chi squared with all other
  /// unknowns fitted again does not rise by about 1 over one standard deviation, as it does if the runs depend linearly
  /// on the unknowns over that distance. Of fits that did not converge there is at most the sentence that says why
  /// multiple shooting led nowhere.
  std::vector<std::string> warnings{};

  [[nodiscard]] bool identifiable() const;
};

/// Fits the unknowns by the method of Levenberg and Marquardt, with derivatives from simulate::differentiate. Bounds
/// are kept by transformed unknowns. Without a given noise the columns are weighted by the spread of their own
/// residuals. Throws Refused for data that name no column of the run, do not ascend, or are fewer than
/// the unknowns, for a start outside the bounds, for a profile of what is not fitted, and for an unknown of all runs
/// that starts at different values, for more than most_parts parts or most_shots shots, and for shots of a model
/// with constraints, invariants, friction, impacts or resets, of a singular Lagrangian and of a discrete motion;
/// simulate::RunFailed if the first run of a search fails.
Fit fit(const simulate::Simulator& simulator, const Request& request);

}  // namespace herglotz::fit
