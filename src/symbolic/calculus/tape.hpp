#pragma once
/// The part of an expression that depends on chosen variables, in evaluation order.

#include <cstdint>
#include <span>
#include <vector>

#include "herglotz/symbolic/graph.hpp"

namespace herglotz::symbolic {

/// Nodes that depend on chosen variables, at positions 0, 1, ... with operands first. Other nodes are not on the tape.
class DependencyTape {
 public:
  using Position = std::uint32_t;
  static constexpr Position kConstant = 0xffffffff;

  /// Throws Refused if a variable is not a symbol.
  DependencyTape(std::span<const Expr> outputs, std::span<const Expr> variables);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] Expr node(Position p) const { return {*graph_, nodes_[p].id}; }
  [[nodiscard]] Op op(Position p) const { return nodes_[p].op; }
  [[nodiscard]] Graph& graph() const { return *graph_; }
  /// Returns the position of an expression, or kConstant if it depends on no variable.
  [[nodiscard]] Position position(Expr f) const;
  /// Returns the positions of the operands; a constant operand has kConstant.
  [[nodiscard]] std::span<const Position> operands(Position p) const {
    return {operands_.data() + nodes_[p].first, nodes_[p].count};
  }
  /// Returns the largest index among the variables that the node depends on.
  [[nodiscard]] std::uint32_t last_variable(Position p) const { return nodes_[p].last_variable; }
  [[nodiscard]] bool is_variable(Position p) const { return op(p) == Op::symbol; }

  /// Returns d node(p) / d operand i for a function or power (not for sums, products and selects), computed once.
  Expr partial(Position p, std::size_t i);

 private:
  struct Node {
    NodeId id;
    Op op;
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t last_variable;
  };

  Graph* graph_ = nullptr;
  std::vector<Node> nodes_;
  std::vector<Position> operands_;
  std::vector<Expr> partials_;
  std::vector<Position> positions_;
};

}  // namespace herglotz::symbolic
