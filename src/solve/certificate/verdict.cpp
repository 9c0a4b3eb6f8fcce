#include "certificate/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "certificate/measures.hpp"
#include "herglotz/control/methods.hpp"
#include "junctions.hpp"

namespace herglotz::solve {
namespace {

constexpr double hardly_less = 0.7;  ///< of the least gap so far, which a finer mesh may leave
constexpr int most_in_vain = 2;
constexpr double share_of_products = 0.03;  ///< of the tolerance
constexpr double least_product = 1e-14;     ///< that rounding allows
constexpr double largest_tolerance = 1e-2;  ///< with which a path is a solution
constexpr int highest_order = 6;            ///< of direct methods

/// Returns the order of a method; `auto` and `shooting` begin with the highest.
int order_of(const std::string& method) {
  for (const control::Method& one : control::methods())
    if (one.name == method && one.name.starts_with("direct")) return one.order;
  return highest_order;
}

}  // namespace

std::string why_no_gap(const Setup& setup, bool abnormal) {
  if (setup.by_group) return "steps on groups have stages of another kind";
  if (control::has_constant_cost(setup.problem)) return "no controls change the cost";
  if (abnormal) return "the costates of an abnormal extremal do not know the cost";
  return "";
}

Gaps relative_gaps(const Setup& setup, const Path& path) {
  Gaps gaps = gaps_of(setup, path);
  const double size = size_of_cost(setup, path);
  for (double& gap : gaps.of_intervals) gap /= size;
  gaps.of_cost /= size;
  return gaps;
}

std::string missed_cost(const Setup& setup, const Path& path, double gap) {
  return fmt::format(
      "by the costates that were found, other controls would change the cost {:.6g} by up to {:.2g}, and finer meshes "
      "do not lower that",
      cost_in_model(setup, path), gap * size_of_cost(setup, path) * setup.units.cost());
}

MeshErrors mesh_errors(const Setup& setup, const Path& path, double target, bool has_gap) {
  MeshErrors errors{local_errors(setup, path), 0, 0, activity_changes(setup, path)};
  errors.largest = std::accumulate(errors.of_steps.of_intervals.begin(), errors.of_steps.of_intervals.end(), 0.0);
  if (!has_gap) return errors;
  const Gaps gaps = relative_gaps(setup, path);
  errors.missed = gaps.of_cost;
  errors.largest = std::max(errors.largest, gaps.of_cost);
  for (std::size_t k = 0; k < gaps.of_intervals.size(); ++k)
    if (gaps.of_intervals[k] > target) errors.unseen[k] = true;
  return errors;
}

std::string too_few_intervals(const Setup& setup, std::size_t intervals, double error, std::size_t next) {
  const auto& settings = setup.problem.settings;
  std::string remedy =
      fmt::format("set [mesh] max_intervals to {} or more, which is {} now", next, settings.most_intervals());
  if (error < largest_tolerance) {
    const double digit = std::pow(10, std::floor(std::log10(error)));
    remedy += fmt::format(", or tolerance to {:.2g}, which these intervals hold", std::ceil(error / digit) * digit);
  }
  if (const auto order = order_of(settings.method); order < highest_order)
    remedy += fmt::format(", or method to direct-gauss-6, of order {} instead of {}", highest_order, order);
  return fmt::format("{} intervals do not suffice for the tolerance {:.2g} (estimated error {:.2g}): {}", intervals,
                     settings.tolerance, error, remedy);
}

bool GapProgress::is_in_vain(double gap) {
  if (gap > hardly_less * least_) ++in_vain_;
  least_ = std::min(least_, gap);
  return in_vain_ == most_in_vain;
}

double largest_product(double tolerance, std::size_t stages) {
  return std::max(share_of_products * tolerance / static_cast<double>(stages), least_product);
}

void judge_gap(const Setup& setup, const Path& path, Solution& result) {
  if (setup.is_smooth()) return;
  if (const std::string why = why_no_gap(setup, result.abnormal); !why.empty()) {
    result.notes.push_back("what better controls would save was not estimated: " + why);
    return;
  }
  const double gap = relative_gaps(setup, path).of_cost;
  result.residuals.emplace_back("gap", gap);
  if (result.status != Status::solved || !(gap > setup.problem.settings.tolerance)) return;
  result.status = Status::not_converged;
  result.reason = missed_cost(setup, path, gap);
  result.cost_error = std::numeric_limits<double>::quiet_NaN();
}

void judge_difference(double difference, double tolerance, Solution& result) {
  result.residuals.emplace_back("direct_minus_shooting", difference);
  // The cost is stationary along paths, so that they may differ by the root of its tolerance.
  if (result.status == Status::solved && difference > std::sqrt(tolerance))
    result.notes.push_back(
        fmt::format("the direct solution is {:.2g} away from that of shooting, so that it does not confirm it to the "
                    "tolerance",
                    difference));
}

}  // namespace herglotz::solve
