#include "herglotz/control/epigraphs.hpp"

#include <algorithm>

#include "herglotz/control/kink.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::control {
namespace {

class Replacer {
 public:
  explicit Replacer(const Problem& problem) : problem_(problem) {
    for (const auto& parameter : problem.system.parameters) {
      parameters_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
  }

  std::optional<Epigraphs> take() {
    // The graph of a problem without kinks stays as it is.
    const auto all = graph().reachable(std::vector{problem_.cost.running});
    const auto has_kink = [&](symbolic::NodeId id) { return kink_of(Expr(graph(), id)).has_value(); };
    if (std::none_of(all.begin(), all.end(), has_kink)) return std::nullopt;
    Epigraphs result{problem_, {}};
    Expr& running = result.problem.cost.running;
    running = symbolic::expand_lets(running);
    // Kinks inside of others come first in the graph, and stay: their variables would not be drawn to them.
    auto nodes = graph().reachable(std::vector{running});
    std::reverse(nodes.begin(), nodes.end());
    for (const symbolic::NodeId id : nodes) {
      const auto kink = kink_of(Expr(graph(), id));
      if (!kink || is_constant(kink->node)) continue;
      const std::string name = symbolic::print(kink->node, symbolic::Format::text);
      const Expr above = graph().symbol(name);
      const Expr replaced = symbolic::substitute(running, std::vector{kink->node}, std::vector{above});
      const Expr factor = symbolic::derivative(replaced, above);
      if (!is_constant(factor) || !draws(factor, kink->largest)) continue;
      running = replaced;
      result.names.push_back(name);
      result.problem.controls.push_back(above);
      result.problem.bounds.emplace_back();
      for (const Expr side : {kink->first, kink->second})
        result.problem.path.push_back(kink->largest ? side - above : above - side);
    }
    if (result.names.empty()) return std::nullopt;
    return result;
  }

 private:
  [[nodiscard]] symbolic::Graph& graph() const { return problem_.system.graph(); }

  [[nodiscard]] bool is_constant(Expr f) const {
    const auto used = symbolic::free_symbols(std::vector{f});
    return std::all_of(used.begin(), used.end(), [&](const Expr& symbol) {
      return std::find(parameters_.begin(), parameters_.end(), symbol) != parameters_.end();
    });
  }

  /// Returns whether the cost is the better, the smaller (for a minimum: the larger) its variable is.
  [[nodiscard]] bool draws(Expr factor, bool largest) const {
    const double slope = symbolic::evaluate(factor, parameters_, values_) * (problem_.cost.maximise ? -1 : 1);
    return largest ? slope > 0 : slope < 0;
  }

  const Problem& problem_;
  std::vector<Expr> parameters_;
  std::vector<double> values_;
};

}  // namespace

std::optional<Epigraphs> with_epigraphs(const Problem& problem) {
  if (problem.kind == Kind::two_point) return std::nullopt;
  return Replacer(problem).take();
}

}  // namespace herglotz::control
