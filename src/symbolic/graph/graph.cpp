#include "herglotz/symbolic/graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "graph/canonical.hpp"
#include "graph/node_store.hpp"
#include "herglotz/error.hpp"

namespace herglotz::symbolic {

struct Graph::Impl {
  NodeStore store;
  Canonical canonical{store};
  std::unordered_map<std::string, NodeId> lets;
  std::vector<std::shared_ptr<const Table>> tables;
  std::vector<NodeId> ids;

  std::span<const NodeId> ids_of(const Graph& graph, std::span<const Expr> operands) {
    ids.clear();
    for (const Expr e : operands) ids.push_back(id_of(graph, e));
    return ids;
  }

  static NodeId id_of(const Graph& graph, Expr e) {
    if (!e.valid()) throw Refused("an empty expression", "give it a value before using it");
    if (&e.graph() != &graph) {
      throw Refused("expressions of two graphs in one operation", "build them in the same graph");
    }
    return e.id();
  }

  /// Returns the nodes reachable from the outputs, ascending, or `std::nullopt` if they are a large part of the nodes
  /// up to the last output: then a sweep over all of these is quicker. A walk takes the time of what it meets, so that
  /// small expressions of large graphs stay cheap.
  [[nodiscard]] std::optional<std::vector<NodeId>> few_reachable(std::span<const Expr> outputs, NodeId last) const {
    constexpr std::size_t part = 16;
    static thread_local std::vector<std::uint32_t> met_in;  // the last walk of this thread that met a node
    static thread_local std::uint32_t walk = 0;
    const std::size_t most = last / part;
    if (outputs.size() > most) return std::nullopt;
    if (met_in.size() <= last) met_in.resize(std::size_t{last} + 1, 0);
    if (++walk == 0) {
      std::fill(met_in.begin(), met_in.end(), 0);
      walk = 1;
    }
    std::vector<NodeId> found;
    const auto meet = [&](NodeId id) {
      if (met_in[id] == walk) return;
      met_in[id] = walk;
      found.push_back(id);
    };
    for (const Expr e : outputs) meet(e.id());
    for (std::size_t next = 0; next < found.size(); ++next) {
      if (found.size() > most) return std::nullopt;
      for (const NodeId child : store.children(found[next])) meet(child);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

Graph::Graph() : impl_(std::make_unique<Impl>()) {}
Graph::~Graph() = default;

Expr Graph::symbol(std::string_view name) {
  return {*this, impl_->store.symbol(name)};
}

Expr Graph::number(std::int64_t n) {
  return number(Rational(n));
}

Expr Graph::number(int n) {
  return number(Rational(n));
}

Expr Graph::number(Rational q) {
  return {*this, impl_->store.rational(q)};
}

Expr Graph::number(double value) {
  return {*this, impl_->canonical.number(Number::from_double(value))};
}

Expr Graph::real(double value) {
  if (!std::isfinite(value)) return number(value);
  return {*this, impl_->store.real(value == 0.0 ? 0.0 : value)};
}

Expr Graph::let(std::string_view name, Expr value) {
  const NodeId id = Impl::id_of(*this, value);
  const auto [known, added] = impl_->lets.try_emplace(std::string(name), id);
  if (!added && known->second != id) {
    throw Refused("the name " + std::string(name) + " already stands for another value", "choose another");
  }
  return {*this, impl_->store.let(name, id)};
}

Expr Graph::add(std::span<const Expr> terms) {
  return {*this, impl_->canonical.add(impl_->ids_of(*this, terms))};
}

Expr Graph::mul(std::span<const Expr> factors) {
  return {*this, impl_->canonical.mul(impl_->ids_of(*this, factors))};
}

Expr Graph::pow(Expr base, Expr exponent) {
  return {*this, impl_->canonical.pow(Impl::id_of(*this, base), Impl::id_of(*this, exponent))};
}

Expr Graph::function(Op op, std::span<const Expr> arguments) {
  if (op == Op::table && arguments.size() == 3) {
    const auto& table = impl_->tables.at(static_cast<std::size_t>(arguments[1].value()));
    if (arguments[2].value() > table->degree()) return number(0);
  }
  return {*this, impl_->canonical.function(op, impl_->ids_of(*this, arguments))};
}

Expr Graph::tabulated(Table table, Expr argument) {
  for (const auto& known : impl_->tables)
    if (known->name == table.name)
      throw Refused("the name " + table.name + " already stands for another table", "choose another");
  impl_->tables.push_back(std::make_shared<const Table>(std::move(table)));
  const auto place = static_cast<std::int64_t>(impl_->tables.size() - 1);
  return function(Op::table, std::array{argument, number(place), number(0)});
}

const std::shared_ptr<const Table>& Graph::table(NodeId id) const {
  return impl_->tables.at(static_cast<std::size_t>(value(children(id)[1])));
}

const std::vector<std::shared_ptr<const Table>>& Graph::tables() const {
  return impl_->tables;
}

Expr Graph::share(Expr x) {
  impl_->store.mark_used(Impl::id_of(*this, x));
  return x;
}

void Graph::forget_uses(std::span<const Expr> kept) {
  impl_->store.mark_only_uses_inside(impl_->ids_of(*this, kept));
}

std::size_t Graph::size() const {
  return impl_->store.size();
}

Op Graph::op(NodeId id) const {
  return impl_->store.op(id);
}

std::span<const NodeId> Graph::children(NodeId id) const {
  return impl_->store.children(id);
}

std::string_view Graph::name(NodeId id) const {
  return op(id) == Op::table ? std::string_view(table(id)->name) : impl_->store.name(id);
}

Rational Graph::rational(NodeId id) const {
  return impl_->store.rational_value(id);
}

double Graph::value(NodeId id) const {
  return impl_->store.value(id);
}

std::vector<NodeId> Graph::reachable(std::span<const Expr> outputs) const {
  NodeId last = 0;
  for (const Expr e : outputs) last = std::max(last, Impl::id_of(*this, e));
  if (outputs.empty()) return {};
  if (auto few = impl_->few_reachable(outputs, last)) return *std::move(few);
  std::vector<char> wanted(std::size_t{last} + 1, 0);
  for (const Expr e : outputs) wanted[e.id()] = 1;
  // Operands have smaller ids, so one sweep down marks all nodes and one sweep up lists them.
  std::size_t count = 0;
  for (NodeId id = last + 1; id-- > 0;) {
    if (wanted[id] == 0) continue;
    ++count;
    for (const NodeId child : impl_->store.children(id)) wanted[child] = 1;
  }
  std::vector<NodeId> order;
  order.reserve(count);
  for (NodeId id = 0; id <= last; ++id) {
    if (wanted[id] != 0) order.push_back(id);
  }
  return order;
}

int Graph::compare(Expr a, Expr b) const {
  return impl_->store.compare(Impl::id_of(*this, a), Impl::id_of(*this, b));
}

int compare(Expr a, Expr b) {
  return a.graph().compare(a, b);
}

}  // namespace herglotz::symbolic
