// Compilation of the derivatives that the equations of the planar n-link pendulum with damped action need.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/compile/compile.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace {

using namespace herglotz;
using symbolic::Expr;

/// Gradient in angles and velocities, velocity Hessian and mixed Hessian of
/// L = sum_i m_i (xdot_i^2 + ydot_i^2)/2 - m_i g y_i - gamma z, positions and velocities as running sums over the
/// links.
symbolic::Program pendulum(std::size_t n) {
  auto graph = std::make_shared<symbolic::Graph>();
  const Expr g = graph->symbol("g");
  const Expr gamma = graph->symbol("gamma");
  const Expr z = graph->symbol("z");
  symbolic::Program program{"pendulum", graph, {}, {g, gamma}, {}};
  std::vector<Expr> theta;
  std::vector<Expr> omega;
  Expr y = graph->number(0);
  Expr xdot = graph->number(0);
  Expr ydot = graph->number(0);
  Expr lagrangian = -(gamma * z);
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string index = std::to_string(i);
    theta.push_back(graph->symbol("theta" + index));
    omega.push_back(graph->symbol("omega" + index));
    const Expr m = graph->symbol("m" + index);
    const Expr l = graph->symbol("l" + index);
    program.parameters.insert(program.parameters.end(), {m, l});
    y -= l * cos(theta.back());
    xdot += l * cos(theta.back()) * omega.back();
    ydot += l * sin(theta.back()) * omega.back();
    lagrangian += m * (xdot * xdot + ydot * ydot) / 2.0 - m * g * y;
  }
  program.variables = theta;
  program.variables.insert(program.variables.end(), omega.begin(), omega.end());
  program.outputs = symbolic::gradient(lagrangian, program.variables);
  const auto momenta =
      std::vector<Expr>(program.outputs.begin() + static_cast<std::ptrdiff_t>(n), program.outputs.end());
  for (const auto& part : {symbolic::hessian(lagrangian, omega), symbolic::jacobian(momenta, theta)}) {
    for (const auto& entry : part.entries) program.outputs.push_back(entry.value);
  }
  program.variables.push_back(z);
  return program;
}

void compile_pendulum(benchmark::State& state) {
  auto program = pendulum(static_cast<std::size_t>(state.range(0)));
  const auto lanes = static_cast<int>(state.range(1));
  if (lanes > compile::native_lanes()) {
    state.SkipWithError("skipped: this machine has fewer lanes");
    return;
  }
  // A program that was compiled before would be taken from the objects that are kept.
  program.outputs.push_back(program.graph->number(0));
  double compilation = 0;
  for (auto iteration : state) {
    program.outputs.back() = program.graph->number(++compilation);
    benchmark::DoNotOptimize(compile::compile(program, {compile::Backend::llvm, lanes}));
  }
  state.counters["nodes"] = static_cast<double>(program.graph->reachable(program.outputs).size());
}

BENCHMARK(compile_pendulum)
    ->ArgNames({"n", "lanes"})
    ->ArgsProduct({{5, 10, 20, 40}, {1, 8}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
