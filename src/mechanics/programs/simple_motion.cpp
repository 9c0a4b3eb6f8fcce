#include "herglotz/mechanics/derive/simple_motion.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Graph;
using symbolic::NodeId;
using symbolic::Op;

/// Costs of operations in units of one addition.
constexpr std::size_t of_division = 4;
constexpr std::size_t of_function = 10;
/// The largest motion that is simplified: its cost, and the length of its rates when printed.
constexpr std::size_t most_cost = 128;
constexpr std::size_t most_printed = 400;
/// The work that may be done on the rates of one motion: a millisecond or two.
constexpr std::int64_t most_effort = 10'000;

std::size_t cost_of_power(const Expr& exponent) {
  if (exponent.op() != Op::rational) return of_function;
  const symbolic::Rational q = exponent.rational();
  const auto n = static_cast<std::uint64_t>(std::abs(q.num()));
  const std::size_t squarings = static_cast<std::size_t>(std::bit_width(n)) - (n > 0 ? 1 : 0);
  return squarings + (q.num() < 0 ? of_division : 0) + (q.den() > 1 ? of_division : 0);
}

/// Counts operations on what varies. Operations on parameters alone are done once for a run.
class OperationCount {
 public:
  explicit OperationCount(const symbolic::Program& program) : graph_(*program.graph) {
    for (const Expr& variable : program.variables) mark(variable.id());
    variables_ = varies_;
  }

  std::size_t operator()(std::span<const Expr> outputs) {
    varies_ = variables_;
    std::size_t cost = 0;
    for (const NodeId id : graph_.reachable(outputs)) {
      const auto children = graph_.children(id);
      const auto changing = static_cast<std::size_t>(
          std::count_if(children.begin(), children.end(), [&](NodeId child) { return varies(child); }));
      if (changing == 0) continue;
      mark(id);
      cost += of(id, changing, children.size());
    }
    return cost;
  }

 private:
  [[nodiscard]] bool varies(NodeId id) const { return id < varies_.size() && varies_[id]; }
  void mark(NodeId id) {
    if (id >= varies_.size()) varies_.resize(graph_.size());
    varies_[id] = true;
  }
  [[nodiscard]] std::size_t of(NodeId id, std::size_t changing, std::size_t all) const {
    switch (graph_.op(id)) {
      case Op::let:
        return 0;
      case Op::add:
        return all - 1;
      case Op::mul:
        // Factors of parameters alone are one factor, and a sign costs nothing.
        return changing - 1 +
               (std::any_of(graph_.children(id).begin(), graph_.children(id).end(),
                            [&](NodeId child) { return !varies(child) && !Expr(graph_, child).is_integer(-1); })
                    ? 1
                    : 0);
      case Op::pow:
        return cost_of_power({graph_, graph_.children(id)[1]});
      default:
        return of_function;
    }
  }

  Graph& graph_;
  std::vector<bool> variables_;
  std::vector<bool> varies_;
};

bool smooth(Graph& graph, std::span<const Expr> outputs) {
  const auto nodes = graph.reachable(outputs);
  return std::all_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph.op(id) < Op::abs; });
}

bool is_short(std::span<const Expr> rates) {
  std::size_t printed = 0;
  for (const Expr& rate : rates) printed += symbolic::printed_size(rate);
  return printed <= most_printed;
}

}  // namespace

MotionProgram simplified(MotionProgram motion) {
  auto& outputs = motion.program.outputs;
  const std::size_t size = motion.program.variables.size() - 1;
  const auto rates = std::span<const Expr>(outputs).first(size);
  if (!smooth(*motion.program.graph, rates)) return motion;
  OperationCount cost(motion.program);
  std::size_t least = cost(outputs);
  if (least > most_cost || !is_short(rates)) return motion;
  // What rates share may be lost when one of them is simplified alone, so that all are tried at once, then each.
  std::vector<Expr> other = outputs;
  symbolic::Effort effort{most_effort};
  for (std::size_t e = 0; e < size; ++e) other[e] = symbolic::simplify(outputs[e], effort);
  if (const std::size_t now = cost(other); now < least) {
    least = now;
    outputs.swap(other);
  }
  for (std::size_t e = 0; e < size; ++e) {
    std::swap(outputs[e], other[e]);
    const std::size_t now = cost(outputs);
    if (now < least)
      least = now;
    else
      std::swap(outputs[e], other[e]);
  }
  return motion;
}

}  // namespace herglotz::mechanics
