#include "derive/energy_source.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/readable.hpp"
#include "vanishing.hpp"

namespace herglotz::mechanics {

using symbolic::Op;

std::vector<Expr> summands(Expr f) {
  std::vector<Expr> leaves;
  std::vector<std::pair<Expr, Expr>> open{{f.graph().number(std::int64_t{1}), f}};  // factor, expression
  while (!open.empty()) {
    const auto [factor, g] = open.back();
    open.pop_back();
    if (g.op() == Op::let) {
      open.emplace_back(factor, g.child(0));
    } else if (g.op() == Op::add) {
      for (std::size_t i = g.arity(); i-- > 0;) open.emplace_back(factor, g.child(i));
    } else if (g.op() == Op::mul && g.arity() == 2 && g.child(0).is_number()) {
      open.emplace_back(factor * g.child(0), g.child(1));
    } else {
      leaves.push_back(factor * g);
    }
  }
  return leaves;
}

namespace {

/// Longer powers are simplified only if they may vanish.
constexpr std::size_t longest_power = 1000;

/// Returns true if work = k Phi for k = 1 or 2. By Euler's theorem k Phi is Phi_y y of a homogeneous constraint, which
/// vanishes along every motion.
bool is_multiple(const Expr& work, const Expr& Phi) {
  if (symbolic::printed_size(work) + symbolic::printed_size(Phi) > largest_simplified) return false;
  return vanishes(work - Phi) || vanishes(work - 2 * Phi);
}

/// Returns true if f is homogeneous in y as it is written: f(x, k y) = k^n f(x, y).
bool is_homogeneous(const Expr& f, const std::vector<Expr>& y) {
  std::set<symbolic::NodeId> velocities;
  for (const Expr& one : y) velocities.insert(one.id());
  const symbolic::Graph& graph = f.graph();
  std::unordered_map<symbolic::NodeId, std::optional<double>> degrees;
  for (const symbolic::NodeId node : graph.reachable(std::array{f})) {
    const auto children = graph.children(node);
    const auto degree = [&](std::size_t i) { return degrees.at(children[i]); };
    std::optional<double> found = velocities.contains(node) ? 1 : 0;
    switch (graph.op(node)) {
      case Op::mul:
        for (std::size_t i = 0; i < children.size(); ++i)
          found = found && degree(i) ? std::optional(*found + *degree(i)) : std::nullopt;
        break;
      case Op::let:
        found = degree(0);
        break;
      case Op::pow:
        if (degree(0) != 0.0 && graph.op(children[1]) == Op::rational) {
          found = degree(0) ? std::optional(*degree(0) * graph.value(children[1])) : std::nullopt;
          break;
        }
        [[fallthrough]];
      default: {
        if (graph.op(node) == Op::add) found = degree(0);
        for (std::size_t i = 0; i < children.size(); ++i)
          if (!found || degree(i) != found) found = std::nullopt;
      }
    }
    degrees[node] = found;
  }
  return degrees.at(f.id()).has_value();
}

/// Returns true if the force of constraint A acts along its differential alone. Friction in contacts acts beside it.
bool acts_along_differential(const Equations& q, std::size_t A) {
  for (std::size_t a = 0; a < q.Phi_y.cols; ++a)
    if (!(q.Phi_y(A, a) == q.Phi_w(A, a))) return false;
  return true;
}

}  // namespace

Expr constraint_power(const System& system, const Equations& q, const std::vector<Expr>& s) {
  Expr power = system.graph().number(std::int64_t{0});
  if (q.rule != Rule::nonholonomic) return power;
  for (std::size_t A = 0; A < q.m(); ++A) {
    if (s == q.y && acts_along_differential(q, A) && is_homogeneous(q.Phi[A], q.y)) continue;
    Expr work = system.graph().number(std::int64_t{0});
    for (std::size_t a = 0; a < system.r(); ++a) work += q.Phi_y(A, a) * s[a];
    const std::size_t length = symbolic::printed_size(work);
    if (length <= longest_power || (length <= largest_simplified && !is_nonzero_somewhere(work)))
      work = symbolic::simplify(symbolic::expand(work));
    if (!is_multiple(work, q.Phi[A])) power += q.l[A] * work;
  }
  return power;
}

void add_bracket_power(Expr& power, const System& system, const Equations& q, const Generator& d) {
  const auto& e = system.algebroid;
  for (const auto& [place, value] : e.c.nonzero()) {
    const auto& [k, i, j] = place;
    const Expr& other = e.c(k, j, i);
    if (i == j)
      power += value * q.y[i] * q.y[i] * q.p[k];
    else if (i < j || other.is_zero())
      power += (value + other) * q.y[std::min(i, j)] * q.y[std::max(i, j)] * q.p[k];
  }
  for (std::size_t a = 0; a < e.n(); ++a)
    for (std::size_t j = 0; j < e.r(); ++j) {
      const Expr difference = e.sigma(a, j) - e.rho(a, j);
      if (!difference.is_zero()) power += difference * q.y[j] * d.L_x[a];
    }
}

}  // namespace herglotz::mechanics
