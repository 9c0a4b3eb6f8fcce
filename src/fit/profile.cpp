#include "profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "herglotz/error.hpp"
#include "minimise.hpp"

namespace herglotz::fit {
namespace {

using Eigen::Index;

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Points up to the end of an interval for which the estimate is normal.
constexpr double points_to_end = 4;
/// Points on one side before it is said to have no end; distances grow behind the first ones.
constexpr int most_points = 24;
constexpr double growth = 1.5;
/// Share of its value by which an unknown without a standard deviation is changed first.
constexpr double first_share = 0.02;
/// The root of the rise of chi squared is found to this.
constexpr double accurate = 1e-6;

}  // namespace

std::vector<std::size_t> places_of_profiles(const Request& request, const std::vector<Variable>& variables) {
  std::vector<std::size_t> places;
  for (const auto& name : request.profiles) {
    bool found = false;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (variables[k].unknown.name != name && variables[k].label != name) continue;
      found = true;
      if (std::find(places.begin(), places.end(), k) == places.end()) places.push_back(k);
    }
    if (found) continue;
    std::vector<std::string> known;
    for (const auto& variable : variables) known.push_back(variable.label);
    throw Refused(fmt::format("the profile of {} is asked for, which is not fitted", name),
                  fmt::format("there are {}", fmt::join(known, ", ")), "profiles");
  }
  return places;
}

Profiler::Profiler(const Residuals& residuals, std::size_t most_iterations, Eigen::VectorXd free, double chi_squared)
    : residuals_(residuals), most_iterations_(most_iterations), free_(std::move(free)), chi_squared_(chi_squared) {}

Profile Profiler::operator()(std::size_t place, double deviation) {
  const double estimate = values_of(residuals_.variables(), free_)[static_cast<Index>(place)];
  const double step = deviation > 0 ? deviation * std::sqrt(profile_threshold) / points_to_end
                                    : first_share * (estimate == 0 ? 1 : std::abs(estimate));
  Profile profile{residuals_.variables()[place].label};
  reasons_.clear();
  lowest_.reset();
  add({estimate, 0, {}}, profile);
  profile.lower = end_of_side(place, step, -1, profile);
  profile.upper = end_of_side(place, step, 1, profile);
  if (lowest_)
    reasons_.push_back(fmt::format("at {} = {:.6g} chi squared is smaller by {:.3g}: start the fit there", profile.name,
                                   lowest_->value, -lowest_->rise));
  if (!reasons_.empty()) profile.status = fmt::format("{}", fmt::join(reasons_, "; "));
  return profile;
}

void Profiler::add(const Point& point, Profile& profile) const {
  const auto behind = std::upper_bound(profile.values.begin(), profile.values.end(), point.value);
  profile.rise.insert(profile.rise.begin() + (behind - profile.values.begin()), point.rise);
  profile.values.insert(behind, point.value);
}

std::optional<Profiler::Point> Profiler::at(std::size_t place, double value, const Point& from, Profile& profile) {
  const HeldVariables held{{place, value}};
  try {
    const FitMinimum minimum = minimise(residuals_, most_iterations_, from.free, held);
    runs_ += minimum.runs + 1;
    if (!minimum.converged) {
      reasons_.push_back(fmt::format("at {} = {:.6g} {}", profile.name, value, minimum.status));
      return std::nullopt;
    }
    const auto residuals = residuals_.at(values_of(residuals_.variables(), minimum.free, held)).residuals;
    Point point{value, residuals.squaredNorm() - chi_squared_, minimum.free};
    add(point, profile);
    if (point.rise < -smaller_elsewhere * (1 + chi_squared_) && (!lowest_ || point.rise < lowest_->rise))
      lowest_ = point;
    return point;
  } catch (const Error& error) {
    // A run may fail there, or its start be refused: the fit and the rest of the profile stand.
    reasons_.push_back(fmt::format("at {} = {:.6g} a run fails: {}", profile.name, value, error.problem()));
    return std::nullopt;
  }
}

double Profiler::end_of_side(std::size_t place, double step, double sign, Profile& profile) {
  const Unknown& unknown = residuals_.variables()[place].unknown;
  const double bound = sign < 0 ? unknown.lower : unknown.upper;
  const double estimate = values_of(residuals_.variables(), free_)[static_cast<Index>(place)];
  Point last{estimate, 0, free_};
  double distance = 0;
  for (int k = 0; k < most_points; ++k) {
    distance = k < 2 * points_to_end ? distance + step : distance * growth;
    double value = estimate + sign * distance;
    const bool ends = sign * value >= sign * bound;
    if (ends) value = bound;
    auto point = value == last.value ? std::optional(last) : at(place, value, last, profile);
    if (!point) return sign * unbounded;
    if (point->rise > profile_threshold) return crossing(place, last, std::move(*point), profile);
    if (ends) return bound;
    last = std::move(*point);
  }
  reasons_.push_back(fmt::format("the data do not bound {} on the side of {:.6g}", profile.name, last.value));
  return sign * unbounded;
}

double Profiler::crossing(std::size_t place, Point inside, Point outside, Profile& profile) {
  // The root of the rise is nearly a straight line: false position, where an end that stays counts half.
  const auto excess = [](const Point& point) {
    return std::sqrt(std::max(point.rise, 0.0)) - std::sqrt(profile_threshold);
  };
  double of_inside = excess(inside);
  double of_outside = excess(outside);
  int stayed = 0;
  for (int k = 0; k < most_points; ++k) {
    const double value = outside.value - (outside.value - inside.value) * of_outside / (of_outside - of_inside);
    if (value == inside.value || value == outside.value) return value;
    auto point = at(place, value, inside, profile);
    // The interval reaches to the end at most.
    if (!point) return outside.value;
    const double found = excess(*point);
    if (std::abs(found) < accurate) return value;
    if (found < 0) {
      inside = std::move(*point);
      of_inside = found;
      if (stayed > 0) of_outside /= 2;
      stayed = 1;
    } else {
      outside = std::move(*point);
      of_outside = found;
      if (stayed < 0) of_inside /= 2;
      stayed = -1;
    }
  }
  reasons_.push_back(fmt::format("the end of {} is only known to lie between {:.6g} and {:.6g}", profile.name,
                                 inside.value, outside.value));
  return outside.value;
}

}  // namespace herglotz::fit
