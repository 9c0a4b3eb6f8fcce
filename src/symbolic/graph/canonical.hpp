#pragma once
/// Local rules by which every node is built.

#include <cstdint>
#include <span>
#include <vector>

#include "graph/node_store.hpp"
#include "graph/number.hpp"

namespace herglotz::symbolic {

class Canonical {
 public:
  explicit Canonical(NodeStore& store) : store_(store) {}

  NodeId number(const Number& n);
  NodeId add(std::span<const NodeId> terms);
  NodeId mul(std::span<const NodeId> factors);
  NodeId pow(NodeId base, NodeId exponent);
  NodeId function(Op op, std::span<const NodeId> arguments);

 private:
  [[nodiscard]] Number number_of(NodeId id) const;
  [[nodiscard]] bool is_integer(NodeId id, std::int64_t n) const;
  [[nodiscard]] bool small_unshared(NodeId id) const;
  [[nodiscard]] bool has_coefficient(NodeId product) const;
  NodeId scaled(const Number& coefficient, std::span<const NodeId> tail);
  NodeId without_coefficient(NodeId product);

  void open_factor(NodeId factor, bool alone, std::vector<NodeId>& into) const;
  NodeId constant_power(NodeId base, NodeId exponent);
  NodeId integer_power(NodeId base, std::int64_t n);
  NodeId fractional_power(NodeId base, const Rational& q);
  NodeId pow(NodeId base, const Rational& exponent);

  NodeId unary(Op op, NodeId x);
  NodeId absolute_value(NodeId x);
  NodeId sign_of(NodeId x);
  NodeId floor_of(const Number& n);
  NodeId select(std::span<const NodeId> arguments);
  [[nodiscard]] bool negated(NodeId x) const;
  NodeId negative(NodeId x);

  NodeStore& store_;
};

}  // namespace herglotz::symbolic
