#pragma once
/// Random programs over every operation of the expression graph.

#include <array>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "herglotz/symbolic/program.hpp"

namespace herglotz::compile::test {

/// `size` operations over four variables and two parameters, every Op drawn with about the same frequency.
inline symbolic::Program random_program(std::uint64_t seed, std::size_t size, std::size_t outputs) {
  using symbolic::Expr;
  using symbolic::Op;
  using symbolic::Rational;
  std::mt19937_64 random(seed);
  auto graph = std::make_shared<symbolic::Graph>();
  symbolic::Program program{"random", graph, {}, {}, {}};
  for (const auto* name : {"a", "b", "c", "d"}) program.variables.push_back(graph->symbol(name));
  for (const auto* name : {"m", "k"}) program.parameters.push_back(graph->symbol(name));
  std::vector<Expr> pool = program.variables;
  pool.insert(pool.end(), program.parameters.begin(), program.parameters.end());
  const auto any = [&] { return pool[pool.size() - 1 - random() % std::min<std::size_t>(pool.size(), 40)]; };
  const std::array exponents{Rational(2),
                             Rational(3),
                             Rational(-1),
                             Rational(-2),
                             Rational(7),
                             Rational(-31),
                             Rational(40),
                             Rational::make_reduced(1, 2),
                             Rational::make_reduced(-1, 2),
                             Rational::make_reduced(3, 2),
                             Rational::make_reduced(-5, 2),
                             Rational::make_reduced(1, 3),
                             Rational::make_reduced(-2, 3)};
  constexpr std::array functions{Op::exp,  Op::log,  Op::sin,  Op::cos,  Op::tan, Op::asin, Op::acos,
                                 Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::abs, Op::sign, Op::floor};
  const auto one = [&]() -> Expr {
    switch (random() % 10) {
      case 0:
        return symbolic::sum(std::array{any(), any(), any(), any()});
      case 1:
        return any() - any();
      case 2:
        return -(any() * any()) - any();
      case 3:
        return symbolic::product(std::array{any(), any(), graph->number(Rational::make_reduced(-3, 7)), any()});
      case 4:
        return any() / any() + graph->real(0.1);
      case 5:
        return symbolic::pow(any(), graph->number(exponents[random() % exponents.size()]));
      case 6:
        return random() % 2 == 0 ? symbolic::pow(any(), any()) : symbolic::atan2(any(), any());
      case 7:
        return symbolic::select(any(), any(), any(), any());
      case 8:
        return graph->let("let" + std::to_string(pool.size()), any() * any());
      default:
        return graph->function(functions[random() % functions.size()], std::array{any()});
    }
  };
  while (pool.size() < size) {
    try {
      pool.push_back(one());
    } catch (const std::invalid_argument&) {
      // A constant fold outside its domain, such as 1/(a - a): draw again.
    }
  }
  for (std::size_t i = 0; i < outputs; ++i) program.outputs.push_back(pool[pool.size() - 1 - i * (size / outputs)]);
  return program;
}

/// f(x) for every function and power of its own, one output each: special values reach every function directly.
inline symbolic::Program elementary_program() {
  using symbolic::Op;
  auto graph = std::make_shared<symbolic::Graph>();
  const auto x = graph->symbol("x");
  const auto y = graph->symbol("y");
  const auto v = graph->symbol("v");
  symbolic::Program program{"elementary", graph, {x, y, v}, {graph->symbol("m")}, {}};
  for (const auto op : {Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan, Op::sinh, Op::cosh,
                        Op::tanh, Op::abs, Op::sign, Op::floor}) {
    program.outputs.push_back(graph->function(op, std::array{x}));
  }
  for (const int n : {-40, -3, -1, 2, 3, 7, 40}) program.outputs.push_back(symbolic::pow(x, n));
  for (const int n : {-5, -1, 1, 3}) {
    program.outputs.push_back(symbolic::pow(x, graph->number(symbolic::Rational::make_reduced(n, 2))));
  }
  program.outputs.push_back(symbolic::pow(x, y));
  program.outputs.push_back(symbolic::atan2(x, y));
  program.outputs.push_back(symbolic::select(x, y, v, -v));
  program.outputs.push_back(-x);
  program.outputs.push_back(-(x * y) - v);
  program.outputs.push_back(x / y);
  program.outputs.push_back(x);
  program.outputs.push_back(program.parameters[0]);
  program.outputs.push_back(graph->number(-2));
  return program;
}

}  // namespace herglotz::compile::test
