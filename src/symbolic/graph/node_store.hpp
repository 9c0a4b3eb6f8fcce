#pragma once
/// Hash-consed storage of nodes: structurally identical nodes are stored once.

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "herglotz/symbolic/expr.hpp"

namespace herglotz::symbolic {

class NodeStore {
 public:
  NodeStore();

  NodeId rational(const Rational& q);
  NodeId real(double value);
  NodeId symbol(std::string_view name);
  NodeId let(std::string_view name, NodeId value);
  NodeId compound(Op op, std::span<const NodeId> children);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] Op op(NodeId id) const { return nodes_[id].op; }
  [[nodiscard]] std::span<const NodeId> children(NodeId id) const { return {nodes_[id].children, nodes_[id].count}; }
  [[nodiscard]] NodeId child(NodeId id, std::size_t i) const { return nodes_[id].children[i]; }
  /// Returns the structural hash: a function of the expression alone, equal in every graph and on every machine.
  [[nodiscard]] std::uint64_t hash(NodeId id) const { return nodes_[id].hash; }
  /// Returns true if the node is marked as an operand of another node, or as one that will be.
  [[nodiscard]] bool used(NodeId id) const { return nodes_[id].used; }
  void mark_used(NodeId id) { nodes_[id].used = true; }
  /// Removes all marks, then marks the operands inside the outputs.
  void mark_only_uses_inside(std::span<const NodeId> outputs);
  [[nodiscard]] std::string_view name(NodeId id) const;
  [[nodiscard]] const Rational& rational_value(NodeId id) const { return rationals_[nodes_[id].payload]; }
  [[nodiscard]] double value(NodeId id) const;
  [[nodiscard]] bool is_number(NodeId id) const { return op(id) == Op::rational || op(id) == Op::real; }
  /// Compares two nodes in the order of operands: numbers by value, then by hash, then (for equal hashes) by structure.
  [[nodiscard]] int compare(NodeId a, NodeId b) const;

 private:
  struct Node {
    const NodeId* children;
    std::uint64_t hash;
    std::uint32_t count;
    std::uint32_t payload;
    Op op;
    bool used;
  };

  template <class Same, class Make>
  NodeId intern(std::uint64_t hash, Same same, Make make);
  NodeId append(Op op, std::uint64_t hash, std::span<const NodeId> children, std::size_t payload);
  const NodeId* keep(std::span<const NodeId> children);
  void grow();

  std::vector<Node> nodes_;
  std::vector<NodeId> table_;  // open addressing, node id + 1
  // Callers keep spans and names while nodes are added, so the storage never moves.
  std::vector<std::unique_ptr<NodeId[]>> blocks_;
  std::size_t block_used_ = 0;
  std::size_t block_size_ = 0;
  std::deque<std::string> names_;
  std::vector<Rational> rationals_;
  std::vector<double> reals_;
};

/// Mixes a value into a hash. The function is fixed forever, and so is the order of operands.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t h = (hash ^ value) + 0x9e3779b97f4a7c15ULL + (hash << 6U);
  h = (h ^ (h >> 32U)) * 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 29U);
}

}  // namespace herglotz::symbolic
