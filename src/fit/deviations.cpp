#include "deviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "bounded.hpp"
#include "minimise.hpp"
#include "profile.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double infinite = std::numeric_limits<double>::infinity();
/// Excess over the expectation, in standard deviations, that is not taken for chance.
constexpr double significant = 4;
/// Factor of the standard deviations below which an excess that is no chance does not matter.
constexpr double matters = 1.25;
/// Rises of chi squared over one standard deviation that are taken for those of a parabola, which rises by 1.
constexpr double least_rise = 0.5;
constexpr double most_rise = 2;
/// Share of the largest value of a column below which an estimated noise is that of the runs.
constexpr double exact = 1e-8;
/// Runs in which a fit one standard deviation beside the estimate comes to its minimum, if chi squared is a parabola or
/// nearly one. Beside the estimates of chaotic motions searches may go on much longer, and lead nowhere.
constexpr std::size_t most_runs_beside = 40;
/// Share of an unknown below which a change of it is lost in the rounding of runs.
constexpr double rounding = 1e-13;

bool is_parabolic(double rise) {
  return rise > least_rise && rise < most_rise;
}

/// Returns how far chi squared is above its expectation in standard deviations, by the cube root that is nearly normal
/// [WH31].
double excess_of(double chi_squared, double freedom) {
  const double variance = 2 / (9 * freedom);
  return (std::cbrt(chi_squared / freedom) - (1 - variance)) / std::sqrt(variance);
}

}  // namespace

std::vector<std::string> DeviationTest::operator()() {
  reasons_.clear();
  if (find_exact()) return reasons_;
  compare_with_noise();
  compare_neighbours();
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < found_.estimates.size(); ++k)
    if (is_tested(k) && is_inside(k)) places.push_back(k);
  if (places.empty() || is_parabola()) return reasons_;
  find_redundant();
  for (const std::size_t k : places) compare_profile(k);
  return reasons_;
}

bool DeviationTest::find_exact() {
  first_.clear();
  std::size_t series = 0;
  for (const MeasuredRun& run : request_.runs) {
    first_.push_back(series);
    series += run.data.series.size();
  }
  exact_.assign(series, std::nullopt);
  if (request_.noise > 0) return false;
  std::vector<double> largest(residuals_.columns().size(), 0.0);
  for (const auto& place : residuals_.places()) {
    const Series& measured = residuals_.series_at(place);
    if (measured.noise.empty())
      largest[place.column] = std::max(largest[place.column], std::abs(measured.values[place.row]));
  }
  bool all = true;
  for (const auto& place : residuals_.places()) {
    const double limit = exact * largest[place.column];
    if (residuals_.series_at(place).noise.empty() && residuals_.noise(place) <= limit)
      exact_[first_[place.run] + place.series] = limit;
    else
      all = false;
  }
  return all;
}

bool DeviationTest::is_tested(std::size_t place) const {
  const Estimate& estimate = found_.estimates[place];
  if (!(estimate.deviation > rounding * std::abs(estimate.value))) return false;
  const Variable& variable = residuals_.variables()[place];
  const double size = estimate.value == 0 ? 1 : std::abs(estimate.value);
  for (std::size_t s = 0; s < exact_.size(); ++s) {
    const SeriesFit& series = found_.series[s];
    if (!exact_[s] || !variable.is_of(series.run)) continue;
    const std::string name = fmt::format("d.{}.d.{}", series.column, variable.unknown.name);
    for (const analyse::Column& slope : found_.derivatives[series.run])
      if (slope.name == name && std::any_of(slope.values.begin(), slope.values.end(),
                                            [&](double value) { return size * std::abs(value) > *exact_[s]; }))
        return false;
  }
  return true;
}

bool DeviationTest::is_inside(std::size_t place) {
  const Estimate& estimate = found_.estimates[place];
  const Unknown& unknown = residuals_.variables()[place].unknown;
  const bool above = estimate.value - estimate.deviation > unknown.lower;
  if (above && estimate.value + estimate.deviation < unknown.upper) return true;
  reasons_.push_back(
      fmt::format("{} is within one standard deviation of its bound {:.6g}: its standard deviation "
                  "does not describe it; follow its profile",
                  estimate.name, above ? unknown.upper : unknown.lower));
  return false;
}

void DeviationTest::find_redundant() {
  redundant_.clear();
  for (const Combination& combination : found_.combinations)
    if (!combination.determined) redundant_.push_back({0, change_along(combination)});
  // The largest share of each combination, without the unknowns before it.
  for (std::size_t k = 0; k < redundant_.size(); ++k) {
    const VectorXd& change = redundant_[k].change;
    Index pivot = 0;
    change.cwiseQuotient(sizes()).cwiseAbs().maxCoeff(&pivot);
    redundant_[k].place = static_cast<std::size_t>(pivot);
    for (std::size_t j = k + 1; j < redundant_.size(); ++j)
      redundant_[j].change -= redundant_[j].change[pivot] / change[pivot] * change;
  }
}

VectorXd DeviationTest::sizes() const {
  VectorXd size(static_cast<Index>(found_.estimates.size()));
  for (Index k = 0; k < size.size(); ++k) {
    const double value = found_.estimates[static_cast<std::size_t>(k)].value;
    size[k] = value == 0 ? 1 : std::abs(value);
  }
  return size;
}

VectorXd DeviationTest::change_along(const Combination& combination) const {
  return sizes().cwiseProduct(
      Eigen::Map<const VectorXd>(combination.direction.data(), static_cast<Index>(combination.direction.size())));
}

VectorXd DeviationTest::change_with(std::size_t place, double change) const {
  const auto at = static_cast<Index>(place);
  VectorXd others = VectorXd::Zero(free_.size());
  for (const Combination& combination : found_.combinations) {
    if (!combination.determined) continue;
    const VectorXd along = change_along(combination) / combination.singular_value;
    others += along[at] * along;
  }
  others *= change / others[at];
  for (const Redundant& one : redundant_) {
    const auto pivot = static_cast<Index>(one.place);
    others -= others[pivot] / one.change[pivot] * one.change;
  }
  return others;
}

void DeviationTest::compare_with_noise() {
  if (found_.samples <= found_.estimates.size()) return;
  const auto freedom = static_cast<double>(found_.samples - found_.estimates.size());
  const double ratio = found_.chi_squared / freedom;
  if (ratio < matters * matters || excess_of(found_.chi_squared, freedom) < significant) return;
  reasons_.push_back(fmt::format(
      "chi squared is {:.3g} times the degrees of freedom: the model misses something, the noise is larger, "
      "or the search ended in a wrong minimum; for a larger noise the standard deviations are {:.2g} times "
      "as large",
      ratio, std::sqrt(ratio)));
}

void DeviationTest::compare_neighbours() {
  std::vector<double> squares(found_.series.size(), 0.0);
  for (const auto& place : residuals_.places()) {
    const std::size_t at = first_[place.run] + place.series;
    const double e = found_.series[at].residuals[place.row] / residuals_.noise(place);
    squares[at] += e * e;
  }
  for (std::size_t s = 0; s < found_.series.size(); ++s) {
    if (exact_[s]) continue;
    const SeriesFit& series = found_.series[s];
    const auto count = static_cast<double>(series.samples);
    // The correlation of neighbours is normal around 0 with the variance 1/n if there is none [BD91, Sec. 7.2]. Errors
    // each of which keeps the share r of its predecessor make the variance of a mean (1 + r)/(1 - r) times as large
    // [BD91, Sec. 7.1], up to n times, where all are the same. The variance of one error is that of the residuals, from
    // which a given noise may differ.
    const double correlation = 1 - series.durbin_watson / 2;
    if (!(correlation * std::sqrt(count) > significant)) continue;
    const double inflation = std::min((1 + correlation) / (1 - correlation), count);
    const double factor = std::sqrt(inflation * squares[s] / count);
    if (factor < matters) continue;
    reasons_.push_back(fmt::format(
        "residuals of {} follow from their predecessors (Durbin-Watson {:.2f}): the model misses something, "
        "the errors are not independent, or the search ended in a wrong minimum; standard deviations may be "
        "{:.2g} times as large",
        label_of(series.column, series.run, request_.runs.size()), series.durbin_watson, factor));
  }
}

bool DeviationTest::is_parabola() {
  const auto& variables = residuals_.variables();
  const VectorXd values = values_of(variables, free_);
  for (const Combination& combination : found_.combinations) {
    if (!combination.determined) continue;
    const VectorXd change = change_along(combination);
    for (const double sign : {-1.0, 1.0}) {
      VectorXd beside = values;
      for (Index k = 0; k < values.size(); ++k) {
        const auto place = static_cast<std::size_t>(k);
        beside[k] += sign * change[k] / combination.singular_value;
        const Unknown& unknown = variables[place].unknown;
        if (!(beside[k] > unknown.lower && beside[k] < unknown.upper)) return false;
      }
      runs_ += 1;
      if (!is_parabolic(residuals_.chi_squared(beside) - found_.chi_squared)) return false;
    }
  }
  return true;
}

void DeviationTest::compare_profile(std::size_t place) {
  const Estimate& estimate = found_.estimates[place];
  std::array<double, 2> rises{};
  for (std::size_t side = 0; side < rises.size(); ++side) {
    const double value = estimate.value + (side == 0 ? -1 : 1) * estimate.deviation;
    rises[side] = rise_beside(place, value);
    if (rises[side] < -smaller_elsewhere * (1 + found_.chi_squared)) {
      reasons_.push_back(
          fmt::format("at {} = {:.10g} chi squared is smaller by {:.3g} than at the estimate: start the "
                      "fit there",
                      estimate.name, value, -rises[side]));
      return;
    }
  }
  if (is_parabolic(rises[0]) && is_parabolic(rises[1])) return;
  const auto text = [](double rise) {
    if (!std::isfinite(rise)) return std::string("comes to no minimum");
    return rise > smaller_elsewhere ? fmt::format("rises by {:.2g}", rise) : std::string("does not rise");
  };
  reasons_.push_back(
      fmt::format("chi squared is not a parabola over one standard deviation of {}: with the others fitted again it {} "
                  "below the estimate and {} above, instead of by 1; follow the profile of {}",
                  estimate.name, text(rises[0]), text(rises[1]), estimate.name));
}

double DeviationTest::rise_beside(std::size_t place, double value) {
  const auto& variables = residuals_.variables();
  HeldVariables held{{place, value}};
  for (const Redundant& one : redundant_) held.push_back({one.place, found_.estimates[one.place].value});
  // The others are guessed by their linear dependence.
  const VectorXd change = change_with(place, value - found_.estimates[place].value);
  VectorXd guess = free_;
  for (Index k = 0; k < free_.size(); ++k) {
    const auto other = static_cast<std::size_t>(k);
    if (other == place) continue;
    const Unknown& unknown = variables[other].unknown;
    const double guessed = found_.estimates[other].value + change[k];
    if (guessed > unknown.lower && guessed < unknown.upper) guess[k] = free_of(unknown, guessed);
  }
  double least = infinite;
  for (const VectorXd* const from : std::initializer_list<const VectorXd*>{&guess, &free_}) {
    try {
      const FitMinimum minimum =
          minimise(residuals_, std::min(request_.most_iterations, most_runs_beside), *from, held);
      runs_ += minimum.runs + 1;
      if (minimum.converged)
        least = std::min(least, residuals_.chi_squared(values_of(variables, minimum.free, held)) - found_.chi_squared);
    } catch (const Error&) {
      // A run from this guess fails; that from the other one may not.
      continue;
    }
    if (is_parabolic(least)) break;
  }
  return least;
}

}  // namespace herglotz::fit
