#include "herglotz/symbolic/expr.hpp"

#include <array>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

namespace {

Graph& graph_of(Expr e) {
  if (!e.valid()) throw Refused("an empty expression", "give it a value before using it");
  return e.graph();
}

Expr call(Op op, Expr x) {
  return graph_of(x).function(op, std::array{x});
}

Graph& graph_of(std::span<const Expr> operands) {
  if (operands.empty()) {
    throw Refused("a sum or product of no expressions has no graph", "use Graph::number");
  }
  return graph_of(operands.front());
}

}  // namespace

Op Expr::op() const {
  return graph_->op(id_);
}

std::size_t Expr::arity() const {
  return graph_->children(id_).size();
}

Expr Expr::child(std::size_t i) const {
  return {*graph_, graph_->children(id_)[i]};
}

std::string_view Expr::name() const {
  return graph_->name(id_);
}

Rational Expr::rational() const {
  return graph_->rational(id_);
}

double Expr::value() const {
  return graph_->value(id_);
}

bool Expr::is_number() const {
  return op() == Op::rational || op() == Op::real;
}

bool Expr::is_zero() const {
  return is_number() && value() == 0.0;
}

bool Expr::is_one() const {
  return is_number() && value() == 1.0;
}

bool Expr::is_integer(std::int64_t n) const {
  return op() == Op::rational && rational() == Rational(n);
}

Expr operator+(Expr a, Expr b) {
  return graph_of(a).add(std::array{a, b});
}

Expr operator-(Expr a, Expr b) {
  return a + -b;
}

Expr operator*(Expr a, Expr b) {
  return graph_of(a).mul(std::array{a, b});
}

Expr operator/(Expr a, Expr b) {
  return a * pow(b, std::int64_t{-1});
}

Expr operator-(Expr a) {
  return graph_of(a).number(-1) * a;
}

Expr operator+(Expr a, double b) {
  return a + graph_of(a).number(b);
}

Expr operator+(double a, Expr b) {
  return graph_of(b).number(a) + b;
}

Expr operator-(Expr a, double b) {
  return a - graph_of(a).number(b);
}

Expr operator-(double a, Expr b) {
  return graph_of(b).number(a) - b;
}

Expr operator*(Expr a, double b) {
  return a * graph_of(a).number(b);
}

Expr operator*(double a, Expr b) {
  return graph_of(b).number(a) * b;
}

Expr operator/(Expr a, double b) {
  return a / graph_of(a).number(b);
}

Expr operator/(double a, Expr b) {
  return graph_of(b).number(a) / b;
}

Expr& operator+=(Expr& a, Expr b) {
  return a = a + b;
}

Expr& operator-=(Expr& a, Expr b) {
  return a = a - b;
}

Expr& operator*=(Expr& a, Expr b) {
  return a = a * b;
}

Expr pow(Expr base, Expr exponent) {
  return graph_of(base).pow(base, exponent);
}

Expr pow(Expr base, std::int64_t exponent) {
  return pow(base, graph_of(base).number(exponent));
}

Expr pow(Expr base, int exponent) {
  return pow(base, graph_of(base).number(exponent));
}

Expr pow(Expr base, double exponent) {
  return pow(base, graph_of(base).number(exponent));
}

Expr sqrt(Expr x) {
  return pow(x, 0.5);
}

Expr exp(Expr x) {
  return call(Op::exp, x);
}

Expr log(Expr x) {
  return call(Op::log, x);
}

Expr sin(Expr x) {
  return call(Op::sin, x);
}

Expr cos(Expr x) {
  return call(Op::cos, x);
}

Expr tan(Expr x) {
  return call(Op::tan, x);
}

Expr asin(Expr x) {
  return call(Op::asin, x);
}

Expr acos(Expr x) {
  return call(Op::acos, x);
}

Expr atan(Expr x) {
  return call(Op::atan, x);
}

Expr atan2(Expr y, Expr x) {
  return graph_of(y).function(Op::atan2, std::array{y, x});
}

Expr sinh(Expr x) {
  return call(Op::sinh, x);
}

Expr cosh(Expr x) {
  return call(Op::cosh, x);
}

Expr tanh(Expr x) {
  return call(Op::tanh, x);
}

Expr abs(Expr x) {
  return call(Op::abs, x);
}

Expr sign(Expr x) {
  return call(Op::sign, x);
}

Expr floor(Expr x) {
  return call(Op::floor, x);
}

Expr select(Expr a, Expr b, Expr x, Expr y) {
  return graph_of(a).function(Op::select, std::array{a, b, x, y});
}

Expr table_rate(Expr f) {
  return f.graph().function(Op::table, std::array{f.child(0), f.child(1), f.graph().number(table_order(f) + 1)});
}

int table_order(Expr f) {
  return static_cast<int>(f.child(2).value());
}

Expr sum(std::span<const Expr> terms) {
  return graph_of(terms).add(terms);
}

Expr product(std::span<const Expr> factors) {
  return graph_of(factors).mul(factors);
}

}  // namespace herglotz::symbolic
