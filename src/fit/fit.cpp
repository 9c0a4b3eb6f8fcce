#include "herglotz/fit/fit.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "bounded.hpp"
#include "deviations.hpp"
#include "herglotz/error.hpp"
#include "herglotz/linear/svd.hpp"
#include "minimise.hpp"
#include "problem.hpp"
#include "profile.hpp"
#include "residual_tests.hpp"
#include "shooting.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
/// Share of the largest singular value below which a combination of unknowns is not determined.
constexpr double determined = 1e-7;
/// Returns the root mean square of the residuals of each column in its units, with the degrees of freedom shared in
/// proportion to the samples.
std::vector<double> noise_of(const Residuals& residuals, const EvaluatedRuns& at) {
  std::vector<double> squares(residuals.columns().size(), 0.0);
  std::vector<double> count(squares.size(), 0.0);
  for (std::size_t i = 0; i < residuals.samples(); ++i) {
    const auto& place = residuals.places()[i];
    if (!residuals.series_at(place).noise.empty()) continue;
    const double e = at.residuals[static_cast<Index>(i)] * residuals.noise(place);
    squares[place.column] += e * e;
    count[place.column] += 1;
  }
  const double all = static_cast<double>(residuals.samples());
  const double share = 1 - static_cast<double>(residuals.variables().size()) / all;
  std::vector<double> noise(squares.size(), 0.0);
  for (std::size_t c = 0; c < noise.size(); ++c)
    if (count[c] > 0 && share > 0) noise[c] = std::sqrt(squares[c] / (count[c] * share));
  return noise;
}

/// Returns the rounding of the largest value of each column: its noise is at least this, also where a model meets the
/// data exactly. 0 for columns all of whose values have noise of their own.
std::vector<double> rounding_of(const Residuals& residuals) {
  std::vector<double> rounding(residuals.columns().size(), 0.0);
  for (const auto& place : residuals.places()) {
    const Series& series = residuals.series_at(place);
    if (series.noise.empty() && std::isfinite(series.values[place.row]))
      rounding[place.column] = std::max(rounding[place.column], std::abs(series.values[place.row]));
  }
  for (double& value : rounding) value *= std::numeric_limits<double>::epsilon();
  return rounding;
}

/// Replaces the noise of columns by what is left of them. Returns whether a noise changed much.
bool weigh_again(Residuals& residuals, const EvaluatedRuns& at) {
  bool changed = false;
  auto noise = noise_of(residuals, at);
  const auto rounding = rounding_of(residuals);
  for (std::size_t c = 0; c < noise.size(); ++c) {
    noise[c] = std::max(noise[c], rounding[c]);
    if (!(noise[c] > 0)) continue;
    changed = changed || std::abs(noise[c] / residuals.noise(c) - 1) > 1e-6;
    residuals.set_noise(c, noise[c]);
  }
  return changed;
}

/// Returns the sizes by which changes of unknowns are measured.
Vector sizes_of(const Vector& values) {
  Vector size = values.cwiseAbs();
  for (Index k = 0; k < size.size(); ++k)
    if (size[k] == 0) size[k] = 1;
  return size;
}

/// Returns whether the data determine the combination of unknowns of a singular value, of all of them.
bool is_determined(const Vector& singular, Index k) {
  return singular[k] > determined * singular[0];
}

/// Combinations of unknowns, each relative to its size, and the singular values of the residuals along them. Those that
/// the data determine come first.
struct Directions {
  Vector singular;
  Matrix V;
  Index known = 0;
};

/// Returns the combinations of a Jacobian that is scaled by the sizes of unknowns.
Directions directions_of(const Matrix& jacobian) {
  const linear::Svd svd(jacobian);
  Directions found{svd.values(), svd.V()};
  const Index n = found.singular.size();
  while (found.known < n && is_determined(found.singular, found.known)) ++found.known;
  if (found.known == n || found.known == 0) return found;
  // Late rows of a chaotic motion are so large that the others are nothing beside them, and yet determine what these do
  // not: errors of a row are a share of that row. A combination is not determined if it is nothing in every row.
  constexpr double smallest_row = 1e-5;     // beside the largest; errors of smaller rows are a share of this
  constexpr double nothing_in_rows = 1e-6;  // of the largest singular value of rows of equal size
  const Vector sizes = jacobian.rowwise().norm();
  const linear::Svd rows(sizes.cwiseMax(smallest_row * sizes.maxCoeff()).cwiseInverse().asDiagonal() * jacobian);
  Index known = found.known;
  while (known < n && rows.values()[known] > nothing_in_rows * rows.values()[0]) ++known;
  if (known == found.known) return found;
  found.known = known;
  const Matrix kept = rows.V().leftCols(known);
  const linear::Svd among(jacobian * kept);
  found.V << kept * among.V(), rows.V().rightCols(n - known);
  found.singular << among.values(), (jacobian * rows.V().rightCols(n - known)).colwise().norm().transpose();
  return found;
}

/// Returns the largest change of the residuals that round-off of the runs explains: derivatives of columns that do not
/// depend on an unknown change them by this much over the size of the unknown, and not by 0.
double rounding_of_residuals(const Residuals& residuals) {
  constexpr double rounding = 1e-12;  // of the columns
  double squares = 0;
  for (const auto& place : residuals.places()) {
    const double value = residuals.series_at(place).values[place.row] / residuals.noise(place);
    squares += value * value;
  }
  return rounding * std::sqrt(squares);
}

/// Writes the covariance, and the combinations of unknowns that the data determine.
void judge(const Residuals& residuals, const EvaluatedRuns& at, const Vector& values, Fit& found) {
  const Index n = values.size();
  const Vector size = sizes_of(values);
  Directions directions = directions_of(at.jacobian * size.asDiagonal());
  // An estimate near 0 may have a size of its own far below that of its start.
  Vector change = size;
  for (Index k = 0; k < n; ++k)
    change[k] = std::max(size[k], std::abs(residuals.variables()[static_cast<std::size_t>(k)].start));
  const double rounding = rounding_of_residuals(residuals);
  const auto is_rounding = [&](Index k) {
    const double larger = (change.array() / size.array() * directions.V.col(k).array()).matrix().norm();
    return directions.singular[k] * larger <= rounding;
  };
  while (directions.known > 0 && is_rounding(directions.known - 1)) --directions.known;
  const Vector& singular = directions.singular;
  Matrix covariance = Matrix::Zero(n, n);
  Vector lost = Vector::Zero(n);  // the share of each unknown in combinations that are not determined
  for (Index k = 0; k < n; ++k) {
    const Vector direction = directions.V.col(k);
    const bool known = k < directions.known;
    found.combinations.push_back({singular[k], {direction.data(), direction.data() + n}, known});
    const Vector scaled = size.asDiagonal() * direction;
    if (known)
      covariance += scaled * scaled.transpose() / (singular[k] * singular[k]);
    else
      lost = lost.cwiseMax(direction.cwiseAbs());
  }
  for (Index k = 0; k < n; ++k) {
    if (lost[k] > 1e-6) {
      covariance.row(k).setConstant(nothing);
      covariance.col(k).setConstant(nothing);
    }
    found.estimates[static_cast<std::size_t>(k)].deviation = std::sqrt(covariance(k, k));
  }
  found.covariance.assign(covariance.data(), covariance.data() + covariance.size());
}

/// Returns the root mean square of numbers: the number itself, to the bit, if all are equal.
class RootMeanSquare {
 public:
  void add(double value) {
    if (count_ == 0) first_ = value;
    const double ratio = value / first_;
    squares_ += ratio * ratio;
    count_ += 1;
  }
  /// NaN without numbers.
  [[nodiscard]] double value() const { return count_ > 0 ? first_ * std::sqrt(squares_ / count_) : nothing; }

 private:
  double first_ = 0;
  double squares_ = 0;
  double count_ = 0;
};

/// Writes what is left of each series, chi squared, and the likelihood.
void describe(const Residuals& residuals, const Request& request, const EvaluatedRuns& at, Fit& found) {
  std::vector<std::size_t> first;  // the first series of each run
  for (std::size_t r = 0; r < request.runs.size(); ++r) {
    first.push_back(found.series.size());
    const Data& data = request.runs[r].data;
    for (const Series& measured : data.series) {
      SeriesFit series{measured.column, r, {}, std::vector<double>(data.t.size(), nothing)};
      const auto& fitted = at.runs[r][series.column];
      for (const double t : data.t) series.fitted.push_back(fitted[Residuals::row_at(at.runs[r], t)]);
      found.series.push_back(std::move(series));
    }
  }
  std::vector<std::vector<double>> standardised(found.series.size());
  std::vector<RootMeanSquare> noises(found.series.size());
  for (std::size_t i = 0; i < residuals.samples(); ++i) {
    const auto& place = residuals.places()[i];
    const std::size_t s = first[place.run] + place.series;
    const double e = at.residuals[static_cast<Index>(i)];
    const double noise = residuals.noise(place);
    found.series[s].residuals[place.row] = e * noise;
    standardised[s].push_back(e);
    noises[s].add(noise);
    found.log_likelihood -= 0.5 * (e * e + std::log(2 * std::numbers::pi)) + std::log(noise);
  }
  for (std::size_t s = 0; s < standardised.size(); ++s) {
    found.series[s].samples = standardised[s].size();
    found.series[s].noise = noises[s].value();
    found.series[s].durbin_watson = durbin_watson(standardised[s]);
    found.series[s].runs = excess_of_runs(standardised[s]);
  }
  found.samples = residuals.samples();
  found.chi_squared = at.residuals.squaredNorm();
}

/// Returns the request with the first 1/2^halvings of the times of each run, or `std::nullopt` if these are too few for
/// the number of variables.
std::optional<Request> first_part(const Request& request, std::size_t halvings, std::size_t variables) {
  constexpr std::size_t least = 3;  // values for each variable
  Request part = request;
  std::size_t values = 0;
  for (MeasuredRun& run : part.runs) {
    Data& data = run.data;
    const std::size_t times = std::max<std::size_t>(2, data.t.size() >> halvings);
    data.t.resize(times);
    std::size_t own = 0;
    for (Series& series : data.series) {
      series.values.resize(times);
      if (!series.noise.empty()) series.noise.resize(times);
      own += static_cast<std::size_t>(
          std::count_if(series.values.begin(), series.values.end(), [](double value) { return !std::isnan(value); }));
    }
    if (own == 0) return std::nullopt;
    values += own;
  }
  if (values < least * variables) return std::nullopt;
  return part;
}

/// Returns the free variables that fit a part of the data, or `free` if the search does not converge or the part does
/// not determine them all: where a combination of them has no effect on the part, and where one falls to nothing beside
/// what it was, a size from which no later search would rise.
Vector estimates_of(const Residuals& part, std::size_t most_iterations, const Vector& free, Fit& found) {
  const FitMinimum minimum = minimise(part, most_iterations, free);
  found.iterations += minimum.runs;
  if (!minimum.converged) return free;
  const Vector before = values_of(part.variables(), free);
  const Vector values = values_of(part.variables(), minimum.free);
  for (Index k = 0; k < values.size(); ++k)
    if (std::abs(values[k]) < determined * std::abs(before[k])) return free;
  found.iterations += 1;
  const Vector singular = linear::singular_values(part.at(values).jacobian * sizes_of(values).asDiagonal());
  return is_determined(singular, values.size() - 1) ? minimum.free : free;
}

/// Returns the free variables to which fits to ever longer first parts of the data lead. Those of a part are taken if
/// they fit the next part, or the whole, no worse than those before.
Vector follow_parts(const simulate::Simulator& simulator, const Request& request, const Residuals& whole, Vector free,
                    Fit& found) {
  Vector proposed = free;
  const auto better = [&](const Residuals& longer) {
    if (proposed == free) return free;
    found.iterations += 2;
    const auto chi_squared = [&](const Vector& at) { return longer.chi_squared(values_of(longer.variables(), at)); };
    return chi_squared(proposed) <= chi_squared(free) ? proposed : free;
  };
  for (std::size_t halvings = request.parts; halvings > 0; --halvings) {
    const auto part = first_part(request, halvings, static_cast<std::size_t>(free.size()));
    if (!part) continue;
    const Residuals residuals(simulator, *part);
    free = better(residuals);
    proposed = estimates_of(residuals, request.most_iterations, free, found);
  }
  return better(whole);
}

/// Returns the largest number of shots of which each has three times of data.
std::size_t most_shots_of(const Request& request) {
  std::size_t most = most_shots;
  for (const MeasuredRun& run : request.runs) most = std::min(most, (run.data.t.size() - 1) / 3);
  return most;
}

/// Returns the free variables to which multiple shooting leads, with twice as many shots until it is solved, if whole
/// runs fit the data there no worse than before. Else adds the reason to `warnings`.
Vector follow_shots(const simulate::Simulator& simulator, const Request& request, const Residuals& residuals,
                    const Vector& free, Fit& found, std::vector<std::string>& warnings) {
  const auto& variables = residuals.variables();
  std::size_t count = request.shots;
  const auto shoot_with = [&] {
    const Shots shots(simulator, request, residuals, count);
    ShootingResult result = shoot(shots, residuals, values_of(variables, free), request.most_iterations);
    found.iterations += result.runs;
    return result;
  };
  ShootingResult end = shoot_with();
  for (; !end.solved && 2 * count <= most_shots_of(request); end = shoot_with()) count *= 2;
  if (!end.solved) {
    warnings.push_back(fmt::format("multiple shooting with {} shots led nowhere ({}), and the fit began at the start",
                                   count, end.reason));
    return free;
  }
  found.iterations += 2;
  // By how much chi squared of the whole run may exceed that of shots which continue each other to rounding.
  constexpr double forgetful = 10;
  const double before = residuals.chi_squared(values_of(variables, free));
  const double after = residuals.chi_squared(end.values);
  if (!(after <= forgetful * end.chi_squared))
    warnings.push_back(
        fmt::format("{} shots fit the data with chi squared {:.4g}, and the whole run from their start "
                    "with {:.4g}: the motion forgets its start within the data; fit a shorter part",
                    count, end.chi_squared, after));
  if (!(after <= before)) return free;
  Vector reached(free.size());
  for (Index k = 0; k < free.size(); ++k)
    reached[k] = free_of(variables[static_cast<std::size_t>(k)].unknown, end.values[k]);
  return reached;
}

}  // namespace

bool Fit::identifiable() const {
  return std::all_of(combinations.begin(), combinations.end(), [](const Combination& c) { return c.determined; });
}

Fit fit(const simulate::Simulator& simulator, const Request& request) {
  if (request.parts > most_parts)
    throw Refused(fmt::format("{} parts of the data are too many", request.parts),
                  fmt::format("halve the data up to {} times", most_parts));
  if (request.shots > most_shots)
    throw Refused(fmt::format("{} shots are too many", request.shots),
                  fmt::format("cut runs into up to {} shots", most_shots));
  if (request.shots > 0 && request.parts > 0)
    throw Refused("parts and shots are two ways to the same end", "give one of them");
  Residuals residuals(simulator, request);
  const auto& variables = residuals.variables();
  Vector free(static_cast<Index>(variables.size()));
  for (Index k = 0; k < free.size(); ++k) {
    const Variable& variable = variables[static_cast<std::size_t>(k)];
    free[k] = free_of(variable.unknown, variable.start);
  }
  const auto profiled = places_of_profiles(request, variables);
  Fit found;
  std::vector<std::string> warnings;
  free = request.shots > 0 ? follow_shots(simulator, request, residuals, free, found, warnings)
                           : follow_parts(simulator, request, residuals, std::move(free), found);
  for (std::size_t round = 1;; ++round) {
    const FitMinimum minimum = minimise(residuals, request.most_iterations, free);
    free = minimum.free;
    found.iterations += minimum.runs;
    found.converged = minimum.converged;
    found.status = minimum.status;
    const Vector values = values_of(variables, free);
    EvaluatedRuns at = residuals.at(values);
    const bool changed = request.noise == 0 && weigh_again(residuals, at) && residuals.weights_matter();
    if (changed && found.converged) {
      if (round < request.most_weighings) continue;
      found.converged = false;
      found.status = fmt::format("the estimates of the noise did not settle in {} weighings; give the noise", round);
    }
    at = residuals.at(values);
    for (std::size_t k = 0; k < variables.size(); ++k)
      found.estimates.push_back({variables[k].label, variables[k].start, values[static_cast<Index>(k)], 0});
    judge(residuals, at, values, found);
    describe(residuals, request, at, found);
    found.runs = std::move(at.runs);
    found.derivatives = std::move(at.derivatives);
    break;
  }
  found.warnings = std::move(warnings);
  if (!found.converged) return found;
  DeviationTest test(residuals, request, free, found);
  for (std::string& warning : test()) found.warnings.push_back(std::move(warning));
  found.iterations += test.runs();
  for (const std::size_t k : profiled) {
    Profiler profiler(residuals, request.most_iterations, free, found.chi_squared);
    found.profiles.push_back(profiler(k, found.estimates[k].deviation));
    found.iterations += profiler.runs();
  }
  return found;
}

}  // namespace herglotz::fit
