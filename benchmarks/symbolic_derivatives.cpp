// Derivatives that the equations of the planar n-link pendulum with damped action need.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace {

using namespace herglotz::symbolic;

struct Pendulum {
  std::vector<Expr> theta;
  std::vector<Expr> omega;
  Expr lagrangian;
};

/// L = sum_i m_i (xdot_i^2 + ydot_i^2)/2 - m_i g y_i - gamma z, positions and velocities as running sums over the
/// links.
Pendulum pendulum(Graph& graph, std::size_t n) {
  Pendulum p;
  const Expr g = graph.symbol("g");
  Expr y = graph.number(0);
  Expr xdot = graph.number(0);
  Expr ydot = graph.number(0);
  p.lagrangian = -(graph.symbol("gamma") * graph.symbol("z"));
  for (std::size_t i = 1; i <= n; ++i) {
    const std::string index = std::to_string(i);
    const Expr theta = graph.symbol("theta" + index);
    const Expr omega = graph.symbol("omega" + index);
    const Expr m = graph.symbol("m" + index);
    const Expr l = graph.symbol("l" + index);
    y -= l * cos(theta);
    xdot += l * cos(theta) * omega;
    ydot += l * sin(theta) * omega;
    p.lagrangian += m * (xdot * xdot + ydot * ydot) / 2.0 - m * g * y;
    p.theta.push_back(theta);
    p.omega.push_back(omega);
  }
  return p;
}

/// Gradient in angles and velocities, velocity Hessian and mixed Hessian, from an untouched graph.
void pendulum_derivatives(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::size_t nodes = 0;
  for (auto iteration : state) {
    state.PauseTiming();
    auto graph = std::make_unique<Graph>();
    const Pendulum p = pendulum(*graph, n);
    state.ResumeTiming();
    std::vector<Expr> variables = p.theta;
    variables.insert(variables.end(), p.omega.begin(), p.omega.end());
    const auto slopes = gradient(p.lagrangian, variables);
    const auto w = hessian(p.lagrangian, p.omega);
    const auto momenta = std::span(slopes).subspan(n);
    const auto mixed = jacobian(momenta, p.theta);
    benchmark::DoNotOptimize(w);
    benchmark::DoNotOptimize(mixed);
    state.PauseTiming();
    std::vector<Expr> outputs = slopes;
    for (const auto* part : {&w, &mixed}) {
      for (const Entry& entry : part->entries) outputs.push_back(entry.value);
    }
    nodes = graph->reachable(outputs).size();
    graph.reset();
    state.ResumeTiming();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}

BENCHMARK(pendulum_derivatives)->Arg(5)->Arg(10)->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);

}  // namespace
