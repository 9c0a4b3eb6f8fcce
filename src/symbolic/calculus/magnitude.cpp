#include "herglotz/symbolic/magnitude.hpp"

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {
namespace {

bool is_natural(Expr n) {
  return n.op() == Op::rational && n.value() > 0 && n.is_integer(static_cast<std::int64_t>(n.value()));
}

Expr of_power(Expr f, Expr base, Expr exponent, Expr of_base) {
  if (is_natural(exponent)) {
    if (of_base == abs(base)) return abs(f);  // a base that carries no rounding of its own
    return abs(f) + exponent * pow(abs(base), static_cast<std::int64_t>(exponent.value()) - 1) * of_base;
  }
  if (!exponent.is_number()) return abs(f);
  return abs(f) * (1.0 + abs(exponent) * of_base / abs(base));
}

/// Returns the magnitude of f = g(x), given the magnitude `of` of x.
Expr of_function(Expr f, Expr x, Expr of) {
  switch (f.op()) {
    case Op::exp:
      return f * (1.0 + of);
    case Op::sinh:
    case Op::cosh:
      return abs(f) + cosh(x) * of;
    case Op::log:
      return abs(f) + of / abs(x);
    case Op::tan:
      return abs(f) + of * (1.0 + f * f);
    case Op::sign:
    case Op::floor:
      return abs(f);
    default:  // slopes of at most 1, or slopes that grow without bound only at the edge of the domain
      return abs(f) + of;
  }
}

/// Returns the magnitude of the product of the factors, given theirs: the errors of several factors add up, and only
/// those of second order multiply. A factor that vanishes by cancellation so counts with the values of the others.
Expr of_product(const std::vector<Expr>& factors, const std::vector<Expr>& of) {
  Expr product = abs(factors.front());
  Expr magnitude = of.front();
  for (std::size_t i = 1; i < factors.size(); ++i) {
    const Expr factor = abs(factors[i]);
    const bool first = magnitude == product;  // no factor so far carries rounding of its own
    const bool exact = of[i] == factor;
    magnitude = exact ? magnitude * factor : first ? product * of[i] : magnitude * factor + product * of[i];
    product = product * factor;
  }
  return magnitude;
}

Expr of_node(Expr f, const std::vector<Expr>& of) {
  const auto child = [&](std::size_t i) { return of[f.child(i).id()]; };
  std::vector<Expr> parts;
  std::vector<Expr> factors;
  switch (f.op()) {
    case Op::rational:
    case Op::real:
    case Op::symbol:
      return abs(f);
    case Op::let:
      return child(0);
    case Op::add:
      for (std::size_t i = 0; i < f.arity(); ++i) parts.push_back(child(i));
      return sum(parts);
    case Op::mul:
      for (std::size_t i = 0; i < f.arity(); ++i) {
        factors.push_back(f.child(i));
        parts.push_back(child(i));
      }
      return of_product(factors, parts);
    case Op::pow:
      return of_power(f, f.child(0), f.child(1), child(0));
    case Op::atan2: {
      const Expr y = f.child(0);
      const Expr x = f.child(1);
      return abs(f) + (child(0) * abs(x) + child(1) * abs(y)) / (x * x + y * y);
    }
    case Op::table:
      return abs(f) + abs(table_rate(f)) * child(0);
    case Op::select:
      return select(f.child(0), f.child(1), child(2), child(3));
    default:
      return of_function(f, f.child(0), child(0));
  }
}

}  // namespace

Expr magnitude(Expr f) {
  return magnitudes({&f, 1}).front();
}

std::vector<Expr> magnitudes(std::span<const Expr> f) {
  if (f.empty()) return {};
  Graph& graph = f.front().graph();
  const auto order = graph.reachable(f);
  std::vector<Expr> of(std::size_t{order.back()} + 1);
  for (const NodeId id : order) of[id] = graph.share(of_node(Expr(graph, id), of));
  std::vector<Expr> result;
  for (const Expr one : f) result.push_back(of[one.id()]);
  return result;
}

}  // namespace herglotz::symbolic
