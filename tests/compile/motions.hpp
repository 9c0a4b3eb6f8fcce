#pragma once
/// Motions with every operation, as expressions and in extended precision, and their solutions.

#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "herglotz/kernel/loop_entries.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile::test {

using symbolic::Expr;

/// y' = f(y, t; p), once for expressions and once for long doubles.
struct Motion {
  std::string name;
  std::size_t size = 0;
  std::function<std::vector<Expr>(const std::vector<Expr>& y, Expr t, Expr p)> f;
  std::function<std::vector<long double>(const std::vector<long double>& y, long double t, long double p)> number;
  friend std::ostream& operator<<(std::ostream& out, const Motion& motion) { return out << motion.name; }
};

template <typename F>
Motion motion(std::string name, std::size_t size, F f) {
  return {std::move(name), size, f, f};
}

constexpr double parameter = 0.7;

/// Every operation that a Taylor polynomial has a recurrence for, on motions that stay in its domain.
inline std::vector<Motion> motions() {
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
  using symbolic::acos, symbolic::asin, symbolic::atan, symbolic::atan2, symbolic::cos, symbolic::cosh, symbolic::exp,
      symbolic::log, symbolic::pow, symbolic::sin, symbolic::sinh, symbolic::sqrt, symbolic::tan, symbolic::tanh;
  return {
      motion("polynomial", 2,
             [](auto& y, auto t, auto p) {
               return std::vector{y[0] * (1.0 - y[0]) + t * y[1], p * y[0] * y[0] * y[0] - t * t - y[1]};
             }),
      motion("sin_cos", 2, [](auto& y, auto t, auto p) { return std::vector{cos(p * y[1] + t), sin(y[0] * y[1])}; }),
      motion("exp_log", 2,
             [](auto& y, auto t, auto p) { return std::vector{exp(-y[0] * y[1]) + 0.0 * t, p * log(2.0 + y[0] * t)}; }),
      motion("sqrt", 2,
             [](auto& y, auto t, auto p) { return std::vector{sqrt(1.0 + y[0] + t), p / sqrt(y[0] + y[1])}; }),
      motion("division", 2,
             [](auto& y, auto t, auto p) { return std::vector{y[1] / (p + y[0]), 1.0 / y[0] - t / 3.0}; }),
      motion("pow_constant", 2,
             [](auto& y, auto t, auto p) { return std::vector{pow(y[0] + t, 1.7), pow(y[1], p) - pow(y[0], -3)}; }),
      motion(
          "pow_varying", 2,
          [](auto& y, auto t, auto p) { return std::vector{pow(y[0], sin(y[1])), pow(p + t, y[0]) - pow(p, y[1])}; }),
      motion("tan_atan", 2,
             [](auto& y, auto t, auto p) { return std::vector{tan(sin(y[1]) / 2.0), atan(p * y[0] * t) - y[1]}; }),
      motion("asin_acos", 2,
             [](auto& y, auto t, auto p) { return std::vector{asin(sin(y[1]) * p), acos(cos(t + y[0]) / 2.0)}; }),
      motion("atan2", 2,
             [](auto& y, auto t, auto p) {
               return std::vector{atan2(y[1], 1.0 + t) - atan2(p, y[0]), atan2(y[0] * t, y[1])};
             }),
      motion("sinh_cosh_tanh", 2,
             [](auto& y, auto t, auto p) { return std::vector{sinh(p - y[0]) + cosh(t), tanh(y[0] - y[1] * t)}; }),
      motion("one_entry_of_its_own", 1, [](auto& y, auto t, auto p) { return std::vector{p * y[0] * cos(8.0 * t)}; }),
      motion("every_entry_the_same", 3,
             [](auto& y, auto t, auto p) {
               return std::vector{y[2] * y[2] * p, y[2] * y[2] * p, sin(y[0]) * sin(y[0]) - y[1] * t};
             }),
  };
}

/// A chain of more entries than single runs have written out, each in the field of the one before it.
inline Motion long_chain() {
  return motion("long_chain", 70, [](auto& y, auto t, auto p) {
    auto rates = y;
    for (std::size_t i = 0; i < y.size(); ++i)
      rates[i] = p * (y[(i + 69) % 70] - y[i]) - y[i] * t / (1.0 + y[i] * y[i]);
    return rates;
  });
}

inline symbolic::Program program_of(const Motion& motion) {
  auto graph = std::make_shared<symbolic::Graph>();
  symbolic::Program program{motion.name, graph, {}, {graph->symbol("p")}, {}};
  for (std::size_t i = 0; i < motion.size; ++i) program.variables.push_back(graph->symbol("y" + std::to_string(i)));
  const auto y = program.variables;
  program.variables.push_back(graph->symbol("t"));
  program.outputs = motion.f(y, program.variables.back(), program.parameters.front());
  return program;
}

inline kernel::StateLayout state_of(std::size_t size) {
  return {{0, size, size, size, size}, false, 0, 0};
}

constexpr double t0 = 0.1;

inline std::vector<double> start_of(const Motion& motion, std::size_t k) {
  std::vector<double> y;
  for (std::size_t i = 0; i < motion.size; ++i)
    y.push_back(0.9 + 0.05 * static_cast<double>(k) - 0.2 * static_cast<double>(i));
  return y;
}
inline double end_of(std::size_t k) {
  return 0.9 + 0.03 * static_cast<double>(k % 5);
}

/// The classical method of order four in extended precision, with steps so small that its error is one part in 10^14.
inline std::vector<long double> solution(const Motion& motion, const std::vector<double>& start, double from,
                                         double to) {
  constexpr int steps = 4000;
  std::vector<long double> y(start.begin(), start.end());
  const long double h = (static_cast<long double>(to) - from) / steps;
  const auto moved = [&](const std::vector<long double>& slope, long double by) {
    auto stage = y;
    for (std::size_t i = 0; i < y.size(); ++i) stage[i] += by * slope[i];
    return stage;
  };
  for (int step = 0; step < steps; ++step) {
    const long double t = from + step * h;
    const auto a = motion.number(y, t, parameter);
    const auto b = motion.number(moved(a, h / 2), t + h / 2, parameter);
    const auto c = motion.number(moved(b, h / 2), t + h / 2, parameter);
    const auto d = motion.number(moved(c, h), t + h, parameter);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

/// A loop around y0' .. = outputs of (y, t).
struct Source {
  std::shared_ptr<symbolic::Graph> graph = std::make_shared<symbolic::Graph>();
  symbolic::Program program{"motion", graph, {graph->symbol("y"), graph->symbol("t")}, {}, {}};
  Expr y = program.variables[0];
  Expr t = program.variables[1];

  symbolic::Program with(std::vector<Expr> outputs) {
    program.outputs = std::move(outputs);
    return program;
  }
};

}  // namespace herglotz::compile::test
