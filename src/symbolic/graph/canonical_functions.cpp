#include <array>
#include <cmath>
#include <string>

#include "graph/canonical.hpp"
#include "herglotz/error.hpp"

namespace herglotz::symbolic {

namespace {

bool odd(Op op) {
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh || op == Op::tanh;
}

bool even(Op op) {
  return op == Op::cos || op == Op::cosh;
}

std::size_t arity(Op op) {
  switch (op) {
    case Op::exp:
    case Op::log:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::abs:
    case Op::sign:
    case Op::floor:
      return 1;
    case Op::atan2:
      return 2;
    case Op::table:
      return 3;
    case Op::select:
      return 4;
    default:
      throw Refused("not a function", "use the constructor of this operation");
  }
}

bool even_integer(const Rational& q) {
  return q.is_integer() && q.num() % 2 == 0;
}

}  // namespace

NodeId Canonical::pow(NodeId base, NodeId exponent) {
  if (store_.is_number(exponent)) {
    const Number e = number_of(exponent);
    if (e.is_zero()) return number(Rational(1));
    if (e.is(1)) return base;
    if (store_.is_number(base)) return constant_power(base, exponent);
    if (e.exact) return e.q.is_integer() ? integer_power(base, e.q.num()) : fractional_power(base, e.q);
  }
  if (is_integer(base, 1)) return base;
  return store_.compound(Op::pow, std::array{base, exponent});
}

NodeId Canonical::constant_power(NodeId base, NodeId exponent) {
  const Number b = number_of(base);
  const Number e = number_of(exponent);
  if (e.exact && e.q.is_integer()) return number(power(b, e.q.num()));
  if (b.is_zero()) return number(e.negative() ? power(b, -1) : Number(Rational(0)));
  if (b.is(1)) return base;
  if (b.negative()) {
    throw Refused("a negative number to a fractional power is not real", "the base must be positive");
  }
  if (b.exact && e.exact) {
    if (const auto root = exact_root(b.q, e.q)) return number(*root);
  }
  return store_.compound(Op::pow, std::array{base, exponent});
}

NodeId Canonical::integer_power(NodeId base, std::int64_t n) {
  const Op op = store_.op(base);
  if (op == Op::pow) {
    const NodeId inner = store_.child(base, 1);
    if (store_.op(inner) != Op::rational) {
      return pow(store_.child(base, 0), mul(std::array{number(Rational(n)), inner}));
    }
    if (const auto product = multiply(store_.rational_value(inner), Rational(n))) {
      return pow(store_.child(base, 0), *product);
    }
  }
  if (op == Op::abs && n % 2 == 0) return pow(store_.child(base, 0), Rational(n));
  if (has_coefficient(base)) {
    const Number factor = power(number_of(store_.child(base, 0)), n);
    return mul(std::array{number(factor), pow(without_coefficient(base), Rational(n))});
  }
  // Only positive powers distribute, so that a quotient keeps its one division.
  if (op == Op::mul && n > 0 && small_unshared(base)) {
    std::vector<NodeId> powers;
    for (const NodeId child : store_.children(base)) powers.push_back(pow(child, Rational(n)));
    return mul(powers);
  }
  return store_.compound(Op::pow, std::array{base, number(Rational(n))});
}

NodeId Canonical::fractional_power(NodeId base, const Rational& q) {
  if (store_.op(base) == Op::pow && store_.op(store_.child(base, 1)) == Op::rational) {
    const Rational inner = store_.rational_value(store_.child(base, 1));
    if (const auto product = multiply(inner, q)) {
      // (x^2)^(1/2) is |x|; odd and fractional inner powers are defined for x >= 0 only.
      const bool both_signs = even_integer(inner) && !even_integer(*product);
      const NodeId x = store_.child(base, 0);
      return pow(both_signs ? absolute_value(x) : x, *product);
    }
  }
  if (has_coefficient(base)) {
    const Number c = number_of(store_.child(base, 0));
    const auto root = c.exact ? exact_root(c.q, q) : std::nullopt;
    if (root) return mul(std::array{store_.rational(*root), pow(without_coefficient(base), q)});
  }
  return store_.compound(Op::pow, std::array{base, store_.rational(q)});
}

bool Canonical::negated(NodeId x) const {
  if (store_.is_number(x)) return number_of(x).negative();
  return has_coefficient(x) && number_of(store_.child(x, 0)).negative();
}

NodeId Canonical::negative(NodeId x) {
  return mul(std::array{number(Rational(-1)), x});
}

NodeId Canonical::function(Op op, std::span<const NodeId> arguments) {
  if (arguments.size() != arity(op)) {
    throw Refused("a function of " + std::to_string(arity(op)) + " arguments got " + std::to_string(arguments.size()));
  }
  if (op == Op::select) return select(arguments);
  if (op == Op::atan2) {
    const bool on_axis = is_integer(arguments[0], 0) && store_.is_number(arguments[1]) &&
                         !number_of(arguments[1]).negative() && !number_of(arguments[1]).is_zero();
    return on_axis ? arguments[0] : store_.compound(op, arguments);
  }
  if (op == Op::table) return store_.compound(op, arguments);
  return unary(op, arguments[0]);
}

NodeId Canonical::unary(Op op, NodeId x) {
  if (op == Op::abs) return absolute_value(x);
  if (op == Op::sign) return sign_of(x);
  if (op == Op::floor && store_.is_number(x)) return floor_of(number_of(x));
  if (is_integer(x, 0)) {
    if (odd(op)) return x;
    if (even(op) || op == Op::exp) return number(Rational(1));
  }
  if (is_integer(x, 1) && (op == Op::log || op == Op::acos)) return number(Rational(0));
  const bool domain = op == Op::log && store_.is_number(x) && (number_of(x).negative() || number_of(x).is_zero());
  if (domain) throw Refused("the logarithm of a number that is not positive", "it must be above 0");
  if (op == Op::log && store_.op(x) == Op::exp) return store_.child(x, 0);
  if (op == Op::exp && store_.op(x) == Op::log) return store_.child(x, 0);
  if (negated(x)) {
    if (odd(op)) return negative(unary(op, negative(x)));
    if (even(op)) return unary(op, negative(x));
  }
  return store_.compound(op, std::array{x});
}

NodeId Canonical::absolute_value(NodeId x) {
  if (store_.is_number(x)) return negated(x) ? negative(x) : x;
  if (has_coefficient(x)) {
    const NodeId rest = absolute_value(without_coefficient(x));
    const NodeId factor = absolute_value(store_.child(x, 0));
    return mul(std::array{factor, rest});
  }
  const Op op = store_.op(x);
  if (op == Op::abs || op == Op::exp || op == Op::cosh) return x;
  if (op == Op::pow && store_.op(store_.child(x, 1)) == Op::rational) {
    // A fractional power is never negative in its domain.
    const Rational q = store_.rational_value(store_.child(x, 1));
    if (!q.is_integer() || even_integer(q)) return x;
  }
  return store_.compound(Op::abs, std::array{x});
}

NodeId Canonical::sign_of(NodeId x) {
  if (store_.is_number(x)) return number(Rational(number_of(x).is_zero() ? 0 : negated(x) ? -1 : 1));
  if (has_coefficient(x)) {
    const NodeId rest = sign_of(without_coefficient(x));
    return negated(x) ? negative(rest) : rest;
  }
  const Op op = store_.op(x);
  if (op == Op::exp || op == Op::cosh) return number(Rational(1));
  if (op == Op::sign) return x;
  return store_.compound(Op::sign, std::array{x});
}

NodeId Canonical::floor_of(const Number& n) {
  if (!n.exact) return number(Number::from_double(std::floor(n.r)));
  const std::int64_t whole = n.q.num() / n.q.den();
  return number(Rational(n.q.num() < whole * n.q.den() ? whole - 1 : whole));
}

NodeId Canonical::select(std::span<const NodeId> arguments) {
  const NodeId a = arguments[0];
  const NodeId b = arguments[1];
  if (arguments[2] == arguments[3]) return arguments[2];
  if (a == b) return arguments[3];
  if (store_.is_number(a) && store_.is_number(b)) {
    const Number x = number_of(a);
    const Number y = number_of(b);
    const bool greater = x.exact && y.exact ? compare(x.q, y.q) > 0 : x.value() > y.value();
    return greater ? arguments[2] : arguments[3];
  }
  return store_.compound(Op::select, arguments);
}

}  // namespace herglotz::symbolic
