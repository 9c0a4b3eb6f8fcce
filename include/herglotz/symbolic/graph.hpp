#pragma once
/// The graph that owns every node of a system's expressions.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/expr.hpp"
#include "herglotz/symbolic/table.hpp"

namespace herglotz::symbolic {

/// Append-only, hash-consed, deterministic graph: the same sequence of calls gives the same node ids, and the order of
/// operands is structural (never by address or by hash alone). Constructors canonicalise locally: numbers fold exactly
/// (an overflow gives a `real`), like terms and like powers collect, sums and products flatten only through small
/// unshared children and never through a `let`. A graph is not synchronised: one thread builds it.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expr symbol(std::string_view name);
  Expr number(std::int64_t n);
  Expr number(int n);
  Expr number(Rational q);
  /// Returns a rational node if it is exact (Rational::from_double), else a real node. Throws Refused for
  /// NaN and infinities.
  Expr number(double value);
  /// Returns a real node with exactly this value. Throws Refused for NaN and infinities.
  Expr real(double value);
  /// Returns a named subexpression. Throws Refused if the name already has another value.
  Expr let(std::string_view name, Expr value);
  Expr add(std::span<const Expr> terms);
  Expr mul(std::span<const Expr> factors);
  Expr pow(Expr base, Expr exponent);
  /// Returns any unary or other function node by its Op.
  Expr function(Op op, std::span<const Expr> arguments);
  /// Takes over a table, and returns its value at an argument as a node. Throws Refused if a table of
  /// that name is there already.
  Expr tabulated(Table table, Expr argument);
  /// Returns the table of a node of Op::table. It lives as long as somebody holds it.
  [[nodiscard]] const std::shared_ptr<const Table>& table(NodeId id) const;
  /// Returns all tables of the graph.
  [[nodiscard]] const std::vector<std::shared_ptr<const Table>>& tables() const;

  /// Declares that x will be used more than once: later sums and products keep it as one operand. Returns x.
  Expr share(Expr x);

  /// Forgets which nodes are operands or shared, except operands inside `kept`. Later sums and products flatten as if
  /// nothing but these expressions had been built, so that what is derived from them does not depend on what was
  /// derived before.
  void forget_uses(std::span<const Expr> kept);

  [[nodiscard]] std::size_t size() const;

  // Raw node access for traversals (printers, compilers); ids are topologically ordered: children < parent.
  [[nodiscard]] Op op(NodeId id) const;
  [[nodiscard]] std::span<const NodeId> children(NodeId id) const;
  [[nodiscard]] std::string_view name(NodeId id) const;
  [[nodiscard]] Rational rational(NodeId id) const;
  [[nodiscard]] double value(NodeId id) const;

  /// Returns the nodes reachable from the outputs, children first, each once; iterative and deterministic.
  [[nodiscard]] std::vector<NodeId> reachable(std::span<const Expr> outputs) const;

  /// See symbolic::compare.
  [[nodiscard]] int compare(Expr a, Expr b) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns -1, 0 or 1 by the structural (canonical) order of two expressions of one graph, independent of construction
/// history.
int compare(Expr a, Expr b);
/// Returns the symbols that occur in the outputs, in order of first creation.
std::vector<Expr> free_symbols(std::span<const Expr> outputs);
/// Returns whether x (a symbol) occurs in f.
bool depends_on(Expr f, Expr x);
/// Replaces each `from[i]` (a symbol or any subexpression) by `to[i]` everywhere in f, at once.
std::vector<Expr> substitute(std::span<const Expr> f, std::span<const Expr> from, std::span<const Expr> to);
Expr substitute(Expr f, std::span<const Expr> from, std::span<const Expr> to);
/// Returns f with all let nodes opened, which has the same value without names.
Expr expand_lets(Expr f);

}  // namespace herglotz::symbolic
