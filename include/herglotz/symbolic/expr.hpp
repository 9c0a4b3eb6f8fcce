#pragma once
/// Expressions: cheap handles to nodes of a hash-consed graph.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "herglotz/symbolic/rational.hpp"

namespace herglotz::symbolic {

class Graph;
using NodeId = std::uint32_t;

/// Operation of a node. Subtraction is `add` of a product with -1; division is `mul` with a power -1; a square root is
/// `pow` with exponent 1/2.
enum class Op : std::uint8_t {
  rational,  ///< exact constant
  real,      ///< inexact constant (a literal or a fold that does not fit a rational)
  symbol,    ///< a named input
  let,       ///< a named subexpression: one child; opaque to simplification, transparent to derivatives and evaluation
  add,       ///< two or more children
  mul,       ///< two or more children
  pow,       ///< base, exponent
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,    ///< -1, 0, 1: the derivative of abs
  floor,   ///< the largest integer that is not above the child; its derivative is 0
  select,  ///< four children a, b, x, y: x if a > b, else y
  table,   ///< a function of time that a table gives: argument, number of the table in the graph, order of the
           ///< derivative
};

/// A value handle (graph, node). Two handles of one graph are equal exactly if their expressions are structurally
/// identical. A handle is valid as long as the graph lives; mixing graphs throws Refused.
class Expr {
 public:
  Expr() = default;
  Expr(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  [[nodiscard]] Graph& graph() const { return *graph_; }
  [[nodiscard]] NodeId id() const { return id_; }
  [[nodiscard]] bool valid() const { return graph_ != nullptr; }

  [[nodiscard]] Op op() const;
  [[nodiscard]] std::size_t arity() const;
  [[nodiscard]] Expr child(std::size_t i) const;
  [[nodiscard]] std::string_view name() const;  ///< the name of a symbol, a let or a table
  [[nodiscard]] Rational rational() const;      ///< the value of Op::rational
  [[nodiscard]] double value() const;           ///< the value of Op::rational or Op::real

  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_zero() const;
  [[nodiscard]] bool is_one() const;
  [[nodiscard]] bool is_integer(std::int64_t n) const;

  friend bool operator==(const Expr&, const Expr&) = default;

 private:
  Graph* graph_ = nullptr;
  NodeId id_ = 0;
};

// Arithmetic. A double becomes an exact rational if that is possible (Rational::from_double), else a real constant.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(Expr a, double b);
Expr operator-(double a, Expr b);
Expr operator*(Expr a, double b);
Expr operator*(double a, Expr b);
Expr operator/(Expr a, double b);
Expr operator/(double a, Expr b);
Expr& operator+=(Expr& a, Expr b);
Expr& operator-=(Expr& a, Expr b);
Expr& operator*=(Expr& a, Expr b);

Expr pow(Expr base, Expr exponent);
Expr pow(Expr base, std::int64_t exponent);
Expr pow(Expr base, int exponent);
Expr pow(Expr base, double exponent);
Expr sqrt(Expr x);
Expr exp(Expr x);
Expr log(Expr x);
Expr sin(Expr x);
Expr cos(Expr x);
Expr tan(Expr x);
Expr asin(Expr x);
Expr acos(Expr x);
Expr atan(Expr x);
Expr atan2(Expr y, Expr x);
Expr sinh(Expr x);
Expr cosh(Expr x);
Expr tanh(Expr x);
Expr abs(Expr x);
Expr sign(Expr x);
Expr floor(Expr x);
/// Returns x if a > b, else y.
Expr select(Expr a, Expr b, Expr x, Expr y);
/// Returns the derivative of an expression of Op::table by its argument.
Expr table_rate(Expr f);
/// Returns the order of the derivative that an expression of Op::table is; 0 for the function itself.
int table_order(Expr f);
/// Returns the sum (product) of all terms in one node. An empty sum has no graph: use Graph::number.
Expr sum(std::span<const Expr> terms);
Expr product(std::span<const Expr> factors);

}  // namespace herglotz::symbolic
