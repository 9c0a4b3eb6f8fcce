#include "derive/energy_source.hpp"

#include "herglotz/symbolic/simplify.hpp"
#include "shorten/readable.hpp"

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

/// Returns true if work = k Phi for k = 1 or 2. By Euler's theorem k Phi is Phi_y y of a homogeneous constraint, which
/// vanishes along every motion.
bool is_multiple(const Expr& work, const Expr& Phi) {
  if (symbolic::printed_size(work) + symbolic::printed_size(Phi) > largest_simplified) return false;
  for (const int k : {1, 2})
    if (symbolic::simplify(symbolic::expand(work - k * Phi)).is_zero()) return true;
  return false;
}

}  // namespace

Expr constraint_power(const System& system, const Equations& q, const std::vector<Expr>& s) {
  Expr power = system.graph().number(std::int64_t{0});
  if (q.rule != Rule::nonholonomic) return power;
  for (std::size_t A = 0; A < q.m(); ++A) {
    Expr work = system.graph().number(std::int64_t{0});
    for (std::size_t a = 0; a < system.r(); ++a) work += q.Phi_y(A, a) * s[a];
    if (printed_size(work) <= largest_simplified) work = symbolic::simplify(symbolic::expand(work));
    if (!is_multiple(work, q.Phi[A])) power += q.l[A] * work;
  }
  return power;
}

void add_bracket_power(Expr& power, const System& system, const Equations& q, const Generator& d) {
  const auto& e = system.algebroid;
  // Most structure functions of a large system are zero.
  for (std::size_t k = 0; k < e.r(); ++k)
    for (std::size_t i = 0; i < e.r(); ++i) {
      if (!e.c(k, i, i).is_zero()) power += e.c(k, i, i) * q.y[i] * q.y[i] * q.p[k];
      for (std::size_t j = i + 1; j < e.r(); ++j)
        if (!e.c(k, i, j).is_zero() || !e.c(k, j, i).is_zero())
          power += (e.c(k, i, j) + e.c(k, j, i)) * q.y[i] * q.y[j] * q.p[k];
    }
  for (std::size_t a = 0; a < e.n(); ++a)
    for (std::size_t j = 0; j < e.r(); ++j) {
      const Expr difference = e.sigma(a, j) - e.rho(a, j);
      if (!difference.is_zero()) power += difference * q.y[j] * d.L_x[a];
    }
}

}  // namespace herglotz::mechanics
