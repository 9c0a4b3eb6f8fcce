#pragma once
/// The order of a method as the slope of its errors at small steps.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::test {

/// The slope p of log(error) = c + p log(h) + a h^power by least squares, without the last term if the power is 0. That
/// term, which symmetric methods have with the power 2 and others with 1, takes what is left of higher orders at steps
/// whose errors are well above round-off.
inline double slope_at_small_steps(const std::vector<double>& steps, const std::vector<double>& errors, int power) {
  const auto count = static_cast<double>(steps.size());
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> g;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    x.push_back(std::log(steps[k]));
    y.push_back(std::log(errors[k]));
    g.push_back(std::pow(steps[k], power));
  }
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  };
  for (auto* values : {&x, &y, &g}) {
    double mean = 0;
    for (const double value : *values) mean += value / count;
    for (double& value : *values) value -= mean;
  }
  const double along = power > 0 ? dot(x, g) / dot(g, g) : 0;
  for (std::size_t k = 0; power > 0 && k < x.size(); ++k) x[k] -= along * g[k];
  return dot(x, y) / dot(x, x);
}

/// What a ladder of steps found.
struct ObservedOrder {
  double slope = 0;
  std::size_t used = 0;  ///< errors between round-off and the largest that counts
  std::string seen;      ///< steps in the run and log10 of their errors, for people
};

/// Takes more and more steps over t_end until errors are round-off, and fits the last `most` of them that lie in the
/// range in which errors of the order are seen best. `error_of(h)` is the error of a run with that step; infinity if it
/// fails. From order 8 on, errors are fitted without the next term, which is not seen in three decades.
template <class ErrorOf>
ObservedOrder observed_order(const ErrorOf& error_of, double t_end, int order, bool symmetric, std::size_t most) {
  const double round_off = order <= 6 ? 1e-11 : 1.5e-11;
  const double largest = order <= 2 ? 1e-3 : order <= 4 ? 1e-6 : order <= 6 ? 1e-7 : order <= 8 ? 3e-8 : 1e-6;
  const double growth = order <= 2 ? 1.3 : order <= 4 ? 1.2 : 1.1;
  std::vector<double> steps;
  std::vector<double> errors;
  for (double count = 2; count < 3000; count = std::max(count + 1, std::round(count * growth))) {
    if (order <= 4 && errors.size() == most) break;
    const double error = error_of(t_end / count);
    if (error < round_off) break;
    if (error < largest) {
      steps.push_back(t_end / count);
      errors.push_back(error);
    } else if (order <= 4 && error > 30 * largest) {
      count = std::round(1.5 * count);
    }
  }
  const auto surplus = static_cast<std::ptrdiff_t>(errors.size() > most ? errors.size() - most : 0);
  steps.erase(steps.begin(), steps.begin() + surplus);
  errors.erase(errors.begin(), errors.begin() + surplus);
  ObservedOrder found;
  for (std::size_t k = 0; k < steps.size(); ++k)
    found.seen += " " + std::to_string(std::lround(t_end / steps[k])) + ": " + std::to_string(std::log10(errors[k]));
  found.used = errors.size();
  if (found.used >= 4) found.slope = slope_at_small_steps(steps, errors, order >= 8 ? 0 : symmetric ? 2 : 1);
  return found;
}

template <class ErrorOf>
ObservedOrder observed_order(const ErrorOf& error_of, double t_end, int order, bool symmetric = true) {
  return observed_order(error_of, t_end, order, symmetric, order < 8 ? 7 : 10);
}

}  // namespace herglotz::test
