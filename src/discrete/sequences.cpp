#include "herglotz/discrete/sequences.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "herglotz/error.hpp"

namespace herglotz::discrete {
namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

double action_variation(std::span<const LegendreTransforms> steps, const Components& dq) {
  const bool fits = dq.size() == steps.size() + 1 && std::all_of(dq.begin(), dq.end(), [&](const auto& one) {
                      return steps.empty() || one.size() == steps.front().p0.size();
                    });
  if (!fits)
    throw Refused(
        "a variation of another shape than its sequence of " + std::to_string(steps.size() + 1) + " positions",
        "give a value for each coordinate of each position");
  double change = 0;
  for (std::size_t k = 0; k < steps.size(); ++k)
    change = steps[k].sigma * (change - product(steps[k].p0, dq[k])) + product(steps[k].p1, dq[k + 1]);
  return change;
}

Components herglotz_rows(std::span<const LegendreTransforms> steps) {
  Components rows;
  for (std::size_t k = 1; k < steps.size(); ++k) {
    std::vector<double> row;
    for (std::size_t i = 0; i < steps[k].p0.size(); ++i)
      row.push_back(steps[k].sigma * (steps[k - 1].p1[i] - steps[k].p0[i]));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace herglotz::discrete
