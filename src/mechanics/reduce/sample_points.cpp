#include "sample_points.hpp"

#include <algorithm>
#include <cmath>

#include "herglotz/geometry/null_space.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

SamplePoints::SamplePoints(const System& system, const std::map<std::string, double, std::less<>>& near, unsigned seed,
                           bool on_constraints)
    : first_y_(system.n()), r_(system.r()), random_(seed) {
  if (on_constraints && system.constraints.rule == Rule::nonholonomic) {
    std::vector<Expr> slopes;
    for (const Expr& equation : system.constraints.equations) {
      const Expr Phi = symbolic::expand_lets(equation);
      const auto by_y = symbolic::gradient(Phi, system.algebroid.y);
      if (std::all_of(by_y.begin(), by_y.end(), [](const Expr& f) { return f.is_zero(); })) continue;
      constraints_.push_back(Phi);
      slopes.insert(slopes.end(), by_y.begin(), by_y.end());
    }
    constraints_.insert(constraints_.end(), slopes.begin(), slopes.end());
  }
  const auto add = [&](const Expr& symbol, double centre, double width) {
    symbols_.push_back(symbol);
    centre_.push_back(centre);
    width_.push_back(width);
  };
  for (const Expr& x : system.algebroid.x) {
    const auto given = near.find(x.name());
    add(x, given == near.end() ? 0.0 : given->second, 2.5);
  }
  for (const auto* list : {&system.algebroid.y, &system.p})
    for (const Expr& symbol : *list) add(symbol, 0, 1.5);
  add(system.z, 0.3, 1);
  add(system.t, 0.4, 1);
  for (const Parameter& parameter : system.parameters)
    add(parameter.symbol, parameter.value, parameter.value == 0 ? 0.5 : 0.4 * std::abs(parameter.value));
}

std::vector<double> SamplePoints::next(std::span<const Expr> outputs) {
  std::vector<double> point(symbols_.size());
  for (int draw = 0; draw < 400; ++draw) {
    // If few points are in the domain of the outputs, points are drawn closer to the centre.
    const double width = std::ldexp(1.0, -(draw / 50));
    for (std::size_t k = 0; k < point.size(); ++k)
      point[k] = centre_[k] + width * width_[k] * (std::ldexp(static_cast<double>(random_() >> 11U), -52) - 1);
    if (!project(point)) continue;
    auto values = symbolic::evaluate(outputs, symbols_, point);
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) return values;
  }
  return {};
}

bool SamplePoints::project(std::vector<double>& point) const {
  const std::size_t m = constraints_.size() / (r_ + 1);
  for (int iteration = 0; m > 0 && iteration < 12; ++iteration) {
    const auto at = symbolic::evaluate(constraints_, symbols_, point);
    const double* slopes = at.data() + m;
    std::vector<double> gram(m * m, 0.0);
    for (std::size_t A = 0; A < m; ++A)
      for (std::size_t B = 0; B < m; ++B)
        for (std::size_t a = 0; a < r_; ++a) gram[A * m + B] += slopes[A * r_ + a] * slopes[B * r_ + a];
    const auto move = geometry::solve(std::move(gram), {at.begin(), at.begin() + static_cast<std::ptrdiff_t>(m)});
    double largest = 0;
    for (std::size_t A = 0; A < m; ++A) {
      if (!std::isfinite(move[A])) return false;
      largest = std::max(largest, std::abs(at[A]));
      for (std::size_t a = 0; a < r_; ++a) point[first_y_ + a] -= slopes[A * r_ + a] * move[A];
    }
    if (largest < 1e-14) return true;
  }
  return m == 0;
}

bool vanishes(const System& system, const std::map<std::string, double, std::less<>>& near, const Expr& f) {
  const Expr opened = symbolic::expand(symbolic::expand_lets(f));
  if (opened.is_number()) return opened.is_zero();
  std::vector<Expr> outputs{opened};
  if (opened.op() == symbolic::Op::add)
    for (std::size_t k = 0; k < opened.arity(); ++k) outputs.push_back(opened.child(k));
  SamplePoints points(system, near, 11);
  for (int sample = 0; sample < 12; ++sample) {
    const auto values = points.next(outputs);
    if (values.empty()) return false;
    double size = outputs.size() > 1 ? 0 : 1;
    for (std::size_t k = 1; k < values.size(); ++k) size = std::max(size, std::abs(values[k]));
    if (std::abs(values.front()) > 1e-10 * size) return false;
  }
  return true;
}

}  // namespace herglotz::mechanics
