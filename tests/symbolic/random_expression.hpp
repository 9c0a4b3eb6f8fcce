#pragma once
/// Seeded random expressions and points, for properties that hold for every expression.

#include <array>
#include <random>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Expressions in a, b, theta, x1 that are defined at every point with values in [0.3, 1.7].
class RandomExpression {
 public:
  RandomExpression(Graph& graph, std::uint64_t seed) : graph_(graph), random_(seed) {
    for (const char* name : {"a", "b", "theta", "x1"}) symbols.push_back(graph.symbol(name));
  }

  std::vector<Expr> symbols;

  Expr operator()(int levels) {
    if (levels == 0) return leaf();
    const Expr f = (*this)(levels - 1);
    switch (below(16)) {
      case 0:
        return f + (*this)(levels - 1);
      case 1:
        return f - (*this)(levels - 1);
      case 2:
        return f * (*this)(levels - 1);
      case 3:
        return f / (2.5 + sin((*this)(levels - 1)));
      case 4:
        return pow(f, static_cast<std::int64_t>(below(3)) + 1);
      case 5:
        return sqrt(1.0 + f * f);
      case 6:
        return sin(f) + cos((*this)(levels - 1));
      case 7:
        return sin(f) * cos((*this)(levels - 1));
      case 8:
        return exp(sin(f)) * exp(-cos((*this)(levels - 1)));
      case 9:
        return pow(2.0 + cos(f), (*this)(0));
      case 10:
        return log(2.0 + cos(f)) - abs((*this)(levels - 1));
      case 11:
        return atan2(f, 2.0 + sin((*this)(levels - 1)));
      case 12:
        return select(f, (*this)(0), (*this)(levels - 1), -f);
      case 13:
        return f + floor(2.0 * (*this)(0)) / (3.5 + sign(f - (*this)(0)));
      case 14:
        return -tanh(f) / (*this)(0);
      default:
        return pow(sin(f), std::int64_t{2}) + pow(cos(f), std::int64_t{2}) - (*this)(levels - 1);
    }
  }

  std::vector<double> point() {
    std::uniform_real_distribution<double> uniform(0.3, 1.7);
    std::vector<double> values;
    for (std::size_t i = 0; i < symbols.size(); ++i) values.push_back(uniform(random_));
    return values;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  Expr leaf() {
    const std::size_t kind = below(6);
    if (kind < 4) return symbols[kind];
    const auto numerator = static_cast<std::int64_t>(below(9)) + 1;
    if (kind == 4) return graph_.number(*Rational::make(numerator, static_cast<std::int64_t>(below(5)) + 1));
    return graph_.real(0.1 * static_cast<double>(numerator) + 0.012345678901234567);
  }

  Graph& graph_;
  std::mt19937_64 random_;
};

}  // namespace herglotz::symbolic
