#include "check/point_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::simulate {

PointEvaluator::PointEvaluator(const Problem& problem, const mechanics::Equations& equations) : symbols_(equations.u) {
  symbols_.insert(symbols_.end(), equations.l.begin(), equations.l.end());
  start_.assign(symbols_.size(), 0.0);
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const auto given = problem.initial.find(symbols_[i].name());
    if (given != problem.initial.end()) start_[i] = given->second;
  }
  for (const auto& parameter : problem.system.parameters) {
    symbols_.push_back(parameter.symbol);
    parameters_.push_back(parameter.value);
  }
}

std::vector<std::vector<double>> PointEvaluator::around(std::size_t count) const {
  std::mt19937_64 random(20);
  std::vector<std::vector<double>> points;
  for (std::size_t k = 0; k < count; ++k) {
    auto point = start_;
    for (double& value : point) {
      const double uniform = std::ldexp(static_cast<double>(random() >> 11U), -52) - 1;
      value += 0.5 * (1 + std::abs(value)) * uniform;
    }
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<double> PointEvaluator::operator()(std::span<const symbolic::Expr> f, std::span<const double> v) const {
  std::vector<double> values(v.begin(), v.end());
  values.insert(values.end(), parameters_.begin(), parameters_.end());
  return symbolic::evaluate(f, symbols_, values);
}

double largest_relative(symbolic::Expr f, std::vector<symbolic::Expr> terms, const PointEvaluator& values) {
  if (f.is_zero()) return 0;
  terms.insert(terms.begin(), f);
  double defect = 0;
  double size = 0;
  for (const auto& point : values.around(sample_points)) {
    const auto v = values(terms, point);
    if (!std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); })) continue;
    defect = std::max(defect, std::abs(v[0]));
    for (std::size_t i = 1; i < v.size(); ++i) size = std::max(size, std::abs(v[i]));
  }
  return size > 0 ? defect / size : defect;
}

bool vanishes(symbolic::Expr f) {
  constexpr std::size_t longest = 2000;
  return f.is_zero() || (symbolic::printed_size(f) <= longest &&
                         symbolic::simplify(symbolic::expand(symbolic::expand_lets(f))).is_zero());
}

}  // namespace herglotz::simulate
