#include "graph/node_store.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace herglotz::symbolic {

namespace {

constexpr std::size_t kBlock = 1U << 14U;

std::uint64_t hash_of(Op op, std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(static_cast<std::uint64_t>(op), h);
}

}  // namespace

NodeStore::NodeStore() : table_(1024, 0) {
  nodes_.reserve(512);
}

std::string_view NodeStore::name(NodeId id) const {
  const bool named = op(id) == Op::symbol || op(id) == Op::let;
  return named ? std::string_view(names_[nodes_[id].payload]) : std::string_view();
}

double NodeStore::value(NodeId id) const {
  const Node& node = nodes_[id];
  return node.op == Op::real ? reals_[node.payload] : rationals_[node.payload].to_double();
}

const NodeId* NodeStore::keep(std::span<const NodeId> children) {
  if (children.empty()) return nullptr;
  if (block_used_ + children.size() > block_size_) {
    block_size_ = std::max(kBlock, children.size());
    blocks_.push_back(std::make_unique<NodeId[]>(block_size_));
    block_used_ = 0;
  }
  NodeId* const place = blocks_.back().get() + block_used_;
  std::copy(children.begin(), children.end(), place);
  block_used_ += children.size();
  return place;
}

void NodeStore::grow() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    std::size_t at = nodes_[id].hash & mask;
    while (table_[at] != 0) at = (at + 1) & mask;
    table_[at] = id + 1;
  }
}

NodeId NodeStore::append(Op op, std::uint64_t hash, std::span<const NodeId> children, std::size_t payload) {
  if (nodes_.size() >= std::numeric_limits<NodeId>::max() - 1) {
    throw std::length_error("an expression graph holds at most 2^32 - 2 nodes");
  }
  nodes_.push_back({keep(children), hash, static_cast<std::uint32_t>(children.size()),
                    static_cast<std::uint32_t>(payload), op, false});
  return static_cast<NodeId>(nodes_.size() - 1);
}

template <class Same, class Make>
NodeId NodeStore::intern(std::uint64_t hash, Same same, Make make) {
  if (2 * (nodes_.size() + 1) > table_.size()) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash & mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    const NodeId id = table_[at] - 1;
    if (nodes_[id].hash == hash && same(nodes_[id])) return id;
  }
  const NodeId id = make();
  table_[at] = id + 1;
  return id;
}

NodeId NodeStore::rational(const Rational& q) {
  const auto hash = mix(mix(static_cast<std::uint64_t>(Op::rational), static_cast<std::uint64_t>(q.num())),
                        static_cast<std::uint64_t>(q.den()));
  return intern(
      hash, [&](const Node& n) { return n.op == Op::rational && rationals_[n.payload] == q; },
      [&] {
        rationals_.push_back(q);
        return append(Op::rational, hash, {}, rationals_.size() - 1);
      });
}

NodeId NodeStore::real(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto hash = mix(static_cast<std::uint64_t>(Op::real), bits);
  return intern(
      hash, [&](const Node& n) { return n.op == Op::real && std::bit_cast<std::uint64_t>(reals_[n.payload]) == bits; },
      [&] {
        reals_.push_back(value);
        return append(Op::real, hash, {}, reals_.size() - 1);
      });
}

NodeId NodeStore::symbol(std::string_view name) {
  const auto hash = hash_of(Op::symbol, name);
  return intern(
      hash, [&](const Node& n) { return n.op == Op::symbol && names_[n.payload] == name; },
      [&] {
        names_.emplace_back(name);
        return append(Op::symbol, hash, {}, names_.size() - 1);
      });
}

NodeId NodeStore::let(std::string_view name, NodeId value) {
  const auto hash = mix(hash_of(Op::let, name), nodes_[value].hash);
  mark_used(value);
  return intern(
      hash, [&](const Node& n) { return n.op == Op::let && n.children[0] == value && names_[n.payload] == name; },
      [&] {
        names_.emplace_back(name);
        return append(Op::let, hash, {&value, 1}, names_.size() - 1);
      });
}

NodeId NodeStore::compound(Op op, std::span<const NodeId> children) {
  auto hash = static_cast<std::uint64_t>(op);
  for (const NodeId child : children) {
    hash = mix(hash, nodes_[child].hash);
    mark_used(child);
  }
  return intern(
      hash,
      [&](const Node& n) {
        return n.op == op && n.count == children.size() && std::equal(children.begin(), children.end(), n.children);
      },
      [&] { return append(op, hash, children, 0); });
}

void NodeStore::mark_only_uses_inside(std::span<const NodeId> outputs) {
  std::vector<bool> met(nodes_.size());
  for (const NodeId id : outputs) met[id] = true;
  for (Node& node : nodes_) node.used = false;
  // Operands have smaller ids, so one sweep down meets every node before its operands.
  for (std::size_t id = nodes_.size(); id-- > 0;) {
    if (!met[id]) continue;
    for (const NodeId child : children(static_cast<NodeId>(id))) {
      met[child] = true;
      mark_used(child);
    }
  }
}

int NodeStore::compare(NodeId a, NodeId b) const {
  // Equal structures are one node, so the first pair of differing operands decides. This is a loop, however deep the
  // nodes are.
  while (a != b) {
    const Node& x = nodes_[a];
    const Node& y = nodes_[b];
    if (is_number(a) || is_number(b)) {
      if (!is_number(a)) return 1;
      if (!is_number(b)) return -1;
      if (x.op == Op::rational && y.op == Op::rational) {
        return symbolic::compare(rationals_[x.payload], rationals_[y.payload]);
      }
      if (value(a) != value(b)) return value(a) < value(b) ? -1 : 1;
      return x.op < y.op ? -1 : 1;
    }
    if (x.hash != y.hash) return x.hash < y.hash ? -1 : 1;
    if (x.op != y.op) return x.op < y.op ? -1 : 1;
    if (x.count != y.count) return x.count < y.count ? -1 : 1;
    if (const int names = name(a).compare(name(b)); names != 0) return names < 0 ? -1 : 1;
    const auto differ = std::mismatch(x.children, x.children + x.count, y.children);
    a = *differ.first;
    b = *differ.second;
  }
  return 0;
}

}  // namespace herglotz::symbolic
