#include "certificate/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace herglotz::solve {

Values end_point(const Path& path) {
  Values point = path.intervals.front().v0;
  const Values& last = path.intervals.back().v1;
  point.insert(point.end(), last.begin(), last.end());
  point.push_back(path.end() - path.start());
  return point;
}

double cost_of(const Setup& setup, const Path& path) {
  Values ends(setup.ends.functions());
  setup.ends.values(end_point(path), ends);
  return path.intervals.back().v1[setup.form.cost()] + ends[0];
}

double cost_in_model(const Setup& setup, const Path& path) {
  const auto common = [&](double t) { return setup.independent.at(t * setup.units.time) / setup.units.cost(); };
  return setup.units.cost() * cost_of(setup, add_to_cost(path, common));
}

double with_rounding(double error, double cost) {
  return std::max(error, std::numeric_limits<double>::epsilon() * std::abs(cost));
}

std::string_view improves(const Setup& setup) {
  return setup.sign < 0 ? "rises" : "falls";
}

double price_share(const Setup& setup, const Path& path) {
  double sum = 0;
  for (const double P : path.intervals.back().P1) sum += P * P;
  return std::abs(path.intervals.back().P1[setup.form.cost()]) / std::sqrt(sum);
}

double scaled_price_share(const Setup& setup, const Path& path) {
  constexpr double hardly = 1e-11;
  Values low = path.intervals.front().v0;
  Values high = low;
  for (const Interval& interval : path.intervals) {
    for (std::size_t a = 0; a < low.size(); ++a) {
      low[a] = std::min(low[a], interval.v1[a]);
      high[a] = std::max(high[a], interval.v1[a]);
    }
  }
  double largest = 0;
  for (std::size_t a = 0; a < low.size(); ++a) largest = std::max(largest, high[a] - low[a]);
  const Values& P = path.intervals.back().P1;
  const auto scaled = [&](std::size_t a) {
    const double change = high[a] - low[a];
    return P[a] * (change > hardly * largest ? change : largest);
  };
  double sum = 0;
  for (std::size_t a = 0; a < P.size(); ++a) sum += scaled(a) * scaled(a);
  return sum > 0 ? std::abs(scaled(setup.form.cost())) / std::sqrt(sum) : 1;
}

bool has_no_price(const Setup& setup, const Path& path) {
  constexpr double loosest = 1e-6;  // looser tolerances do not decide
  return std::max(price_share(setup, path), scaled_price_share(setup, path)) <
         std::sqrt(std::min(setup.problem.settings.tolerance, loosest));
}

}  // namespace herglotz::solve
