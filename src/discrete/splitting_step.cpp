#include <algorithm>

#include "herglotz/discrete/splitting.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "splitting_constants.hpp"

namespace herglotz::discrete {
namespace {

using mechanics::System;
using symbolic::Graph;

/// Returns (e^x - 1)/x, with full precision and exact derivatives also at 0.
Expr exponential_quotient(Expr x) {
  Graph& graph = x.graph();
  if (x.is_zero()) return graph.number(1);
  constexpr int degree = 18;
  Expr series = graph.number(1);
  for (int k = degree; k > 0; --k) series = 1.0 + x * series / static_cast<double>(k + 1);
  return symbolic::select(x * x, graph.number(1), (symbolic::exp(x) - 1.0) / x, series);
}

/// Returns log(1 + x) without loss of digits for small x.
Expr log_of_one_plus(Expr x) {
  Graph& graph = x.graph();
  const Expr s = graph.share(x / (2.0 + x));
  const Expr square = graph.share(s * s);
  constexpr int last = 15;
  Expr series = graph.number(symbolic::Rational::make_reduced(1, last));
  for (int k = last - 2; k > 0; k -= 2) series = graph.number(symbolic::Rational::make_reduced(1, k)) + square * series;
  return symbolic::select(x * x, graph.number(0.015625), symbolic::log(1.0 + x), 2.0 * s * series);
}

/// Symbols of a step.
struct Symbols {
  const std::vector<Expr>& x;
  const std::vector<Expr>& p;
  Expr z;
  Expr t;
  Expr h;

  explicit Symbols(const System& system)
      : x(system.algebroid.x), p(system.p), z(system.z), t(system.t), h(system.graph().symbol("step:h")) {}
};

/// Increments of (x, p, z) and of log R.
struct Increments {
  std::vector<Expr> x;
  std::vector<Expr> p;
  Expr z;
  Expr log_factor;
};

/// Returns z(h) - z for z' = -U by the extrapolated midpoint rule, of order 8.
Expr extrapolated(Expr U, const Symbols& s) {
  Graph& graph = s.h.graph();
  const auto rate = [&](Expr change) {
    return graph.share(-symbolic::substitute(U, std::vector{s.z}, std::vector{graph.share(s.z + change)}));
  };
  constexpr std::int64_t columns = 4;
  std::vector<Expr> table;
  for (std::int64_t j = 1; j <= columns; ++j) {
    const Expr eta = s.h / graph.number(2 * j);
    Expr before = graph.number(0);
    Expr now = graph.share(-eta * U);
    for (std::int64_t m = 1; m < 2 * j; ++m) {
      const Expr next = graph.share(before + 2.0 * eta * rate(now));
      before = now;
      now = next;
    }
    table.push_back(now);
    for (std::int64_t k = j - 1; k >= 1; --k) {
      // This is Neville's scheme in 1/n^2 for n = 2, 4, 6, 8.
      const auto weight = symbolic::Rational::make(k * k, j * j - k * k);
      const auto at = static_cast<std::size_t>(k - 1);
      table[at] = graph.share(table[at + 1] + graph.number(*weight) * (table[at + 1] - table[at]));
    }
  }
  return table.front();
}

/// Returns dU/dz, or `std::nullopt` if it depends on z.
std::optional<Expr> affine_rate(Expr U, Expr z) {
  const Expr rate = symbolic::derivative(U, z);
  if (!symbolic::depends_on(rate, z)) return rate;
  const Expr simple = symbolic::simplify(rate);
  if (!symbolic::depends_on(simple, z)) return simple;
  return std::nullopt;
}

/// Returns the flow of U(x, z, t) for a time h.
Increments potential_flow(Expr U, const Symbols& s) {
  Graph& graph = s.h.graph();
  Increments flow;
  const auto rate = affine_rate(U, s.z);
  Expr growth;  // Phi_z - 1
  if (rate) {
    const Expr time = rate->is_zero() ? s.h : graph.share(s.h * exponential_quotient(graph.share(-*rate * s.h)));
    flow.z = -time * U;
    growth = -time * *rate;
    flow.log_factor = s.h * *rate;
  } else {
    flow.z = extrapolated(U, s);
    growth = graph.share(symbolic::derivative(flow.z, s.z));
    flow.log_factor = -log_of_one_plus(growth);
  }
  const auto kick = symbolic::gradient(flow.z, s.x);
  for (std::size_t i = 0; i < s.p.size(); ++i) flow.p.push_back(growth * s.p[i] + kick[i]);
  return flow;
}

/// Returns the flow of T(p, t) for a time h/2.
Increments drift(Expr T, const Symbols& s) {
  Increments flow;
  const auto velocity = symbolic::gradient(T, s.p);
  Expr action = -T;
  for (std::size_t i = 0; i < s.p.size(); ++i) {
    flow.x.push_back(s.h / 2.0 * velocity[i]);
    action += s.p[i] * velocity[i];
  }
  flow.z = s.h / 2.0 * symbolic::simplify(action);
  return flow;
}

std::vector<Expr> plus(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.push_back(a[i].graph().share(a[i] + b[i]));
  return sum;
}

/// Returns f with (x, p, z, t) replaced by the given values.
std::vector<Expr> at(const Symbols& s, std::span<const Expr> f, const std::vector<Expr>& x, const std::vector<Expr>& p,
                     Expr z, Expr t) {
  std::vector<Expr> from = s.x;
  from.insert(from.end(), s.p.begin(), s.p.end());
  from.insert(from.end(), {s.z, s.t});
  std::vector<Expr> to = x;
  to.insert(to.end(), p.begin(), p.end());
  to.insert(to.end(), {z, t});
  return symbolic::substitute(f, from, to);
}

/// Increments of budgets and sources; see ExplicitPrograms.
struct Budgets {
  std::vector<Expr> variables;  ///< (g, s)
  std::vector<Expr> increments;
};

Budgets budgets_of(const Symbols& s, const Increments& step, std::span<const Expr> sources) {
  Budgets budgets;
  if (sources.empty()) return budgets;
  Graph& graph = s.h.graph();
  const auto x = plus(s.x, step.x);
  const auto ends = at(s, sources, x, plus(s.p, step.p), graph.share(s.z + step.z), s.t + s.h);
  const Expr back = graph.share(-step.log_factor);
  const Expr decay = graph.share(back * exponential_quotient(back));  // sigma - 1
  std::vector<Expr> starts;
  for (std::size_t j = 0; j < sources.size(); ++j) {
    const Expr g = graph.symbol("step:g" + std::to_string(j));
    starts.push_back(graph.symbol("step:s" + std::to_string(j)));
    budgets.variables.push_back(g);
    budgets.increments.push_back(decay * g + s.h / 2.0 * ((1.0 + decay) * starts[j] + ends[j]));
  }
  budgets.variables.insert(budgets.variables.end(), starts.begin(), starts.end());
  for (std::size_t j = 0; j < sources.size(); ++j) budgets.increments.push_back(ends[j] - starts[j]);
  return budgets;
}

ExplicitPrograms programs(const System& system, const Symbols& s, std::string name, Increments step,
                          std::span<const Expr> sources) {
  const Budgets budgets = budgets_of(s, step, sources);
  symbolic::Program program;
  program.name = std::move(name);
  program.graph = system.algebroid.graph;
  program.variables = s.x;
  program.variables.insert(program.variables.end(), s.p.begin(), s.p.end());
  program.variables.push_back(s.z);
  program.variables.insert(program.variables.end(), budgets.variables.begin(), budgets.variables.end());
  program.variables.insert(program.variables.end(), {s.t, s.h});
  for (const auto& parameter : system.parameters) program.parameters.push_back(parameter.symbol);
  program.outputs = std::move(step.x);
  program.outputs.insert(program.outputs.end(), step.p.begin(), step.p.end());
  program.outputs.push_back(step.z);
  program.outputs.insert(program.outputs.end(), budgets.increments.begin(), budgets.increments.end());
  program.outputs.push_back(step.log_factor);
  return with_constants(std::move(program), s.h);
}

}  // namespace

ExplicitPrograms splitting_step(const System& system, const SplitHamiltonian& parts, std::span<const Expr> sources) {
  const Symbols s(system);
  Graph& graph = system.graph();
  const std::size_t n = s.x.size();
  const auto drifted = drift(parts.T, s);
  std::vector<Expr> drift_outputs = drifted.x;
  drift_outputs.push_back(drifted.z);
  const auto kicked = potential_flow(parts.U, s);
  std::vector<Expr> kick_outputs = kicked.p;
  kick_outputs.insert(kick_outputs.end(), {kicked.z, kicked.log_factor});

  const auto first = at(s, drift_outputs, s.x, s.p, s.z, s.t + s.h / 4.0);
  const auto x = plus(s.x, first);
  const Expr z = graph.share(s.z + first[n]);
  const auto kick = at(s, kick_outputs, x, s.p, z, s.t + s.h / 2.0);
  const auto second = at(s, drift_outputs, x, plus(s.p, kick), z, s.t + s.h * 0.75);
  Increments step;
  for (std::size_t i = 0; i < n; ++i) step.x.push_back(first[i] + second[i]);
  step.p.assign(kick.begin(), kick.begin() + static_cast<std::ptrdiff_t>(n));
  step.z = first[n] + kick[n] + second[n];
  step.log_factor = kick[n + 1];
  return programs(system, s, "splitting", std::move(step), sources);
}

std::optional<ExplicitPrograms> verlet_step(const System& system, const SplitHamiltonian& parts,
                                            std::span<const Expr> sources) {
  const Symbols s(system);
  Graph& graph = system.graph();
  const auto rate = affine_rate(parts.U, s.z);
  if (!rate || symbolic::depends_on(parts.T, s.t)) return std::nullopt;
  const std::size_t n = s.x.size();
  const Expr half = s.h / 2.0;
  std::vector<Expr> U = symbolic::gradient(parts.U, s.x);
  U.insert(U.end(), {parts.U, *rate});

  std::vector<Expr> impulse;  // P - p0
  for (std::size_t i = 0; i < n; ++i) impulse.push_back(graph.share(-half * (U[n + 1] * s.p[i] + U[i])));
  auto drifted = drift(parts.T, s);
  drifted.x.push_back(drifted.z);
  const auto moved = at(s, drifted.x, s.x, plus(s.p, impulse), s.z, s.t);
  Increments step;
  for (std::size_t i = 0; i < n; ++i) step.x.push_back(2.0 * moved[i]);
  const auto x = plus(s.x, step.x);
  // U is affine in z, so z1 - z0 follows from U at z0.
  const auto ends = at(s, std::vector{U[n], U[n + 1]}, x, s.p, s.z, s.t + s.h);
  const Expr scale = graph.share(1.0 / (1.0 + half * ends[1]));
  step.z = (2.0 * moved[n] - half * (U[n] + ends[0])) * scale;
  const auto force = at(s, U, x, s.p, s.z + step.z, s.t + s.h);
  for (std::size_t i = 0; i < n; ++i) step.p.push_back((impulse[i] - half * (ends[1] * s.p[i] + force[i])) * scale);
  step.log_factor = log_of_one_plus(graph.share(half * ends[1])) - log_of_one_plus(graph.share(-half * U[n + 1]));
  return programs(system, s, "verlet", std::move(step), sources);
}

}  // namespace herglotz::discrete
