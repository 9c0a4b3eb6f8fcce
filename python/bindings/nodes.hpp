#pragma once
/// Expressions as a list of nodes, from which Python builds its own objects without reading any text.

#include <nanobind/nanobind.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::python {

/// A list of nodes (operation, value, operands), operands first and each node once: the list is as long as the graph
/// is large, however often its nodes are used. Operands are places in the list. A rational has the value
/// (numerator, denominator), a real its number, a symbol or table its name, and every other node None. In place of a
/// named subexpression stands its definition.
class Nodes {
 public:
  Nodes() = default;
  /// Symbols with an entry in `names` are called so.
  explicit Nodes(std::map<std::string, std::string, std::less<>> names) : names_(std::move(names)) {}

  /// The place of f in the list, which grows by the nodes of f that are not there yet.
  std::size_t place(symbolic::Expr f);
  /// The places of several expressions.
  nanobind::list places(const std::vector<symbolic::Expr>& f);
  [[nodiscard]] const nanobind::list& list() const { return list_; }

 private:
  void add(symbolic::Expr f);
  [[nodiscard]] nanobind::object value(symbolic::Expr f) const;

  std::map<std::string, std::string, std::less<>> names_;
  std::unordered_map<symbolic::NodeId, std::size_t> places_;
  nanobind::list list_;
};

/// (nodes, place of f).
nanobind::tuple nodes_of(symbolic::Expr f);
/// (nodes, places of f).
nanobind::tuple nodes_of(const std::vector<symbolic::Expr>& f);

}  // namespace herglotz::python
