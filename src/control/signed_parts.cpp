#include "herglotz/control/signed_parts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::control {
namespace {

using symbolic::Op;

/// Returns the functions in which kinks of controls are looked for.
std::vector<Expr> functions_of(const Problem& problem) {
  std::vector<Expr> functions = problem.kinematics;
  functions.insert(functions.end(), problem.system.forces.begin(), problem.system.forces.end());
  functions.push_back(problem.cost.running);
  return functions;
}

bool has_control(const Problem& problem, Expr f) {
  return std::any_of(problem.controls.begin(), problem.controls.end(),
                     [&](const Expr& u) { return symbolic::depends_on(f, u); });
}

/// Returns whether a function of a control may have a kink.
bool has_kinks(const Problem& problem) {
  if (problem.controls.empty()) return false;
  symbolic::Graph& graph = problem.system.graph();
  const auto nodes = graph.reachable(functions_of(problem));
  return std::any_of(nodes.begin(), nodes.end(), [&](symbolic::NodeId id) {
    const Expr node(graph, id);
    return (node.op() == Op::abs || node.op() == Op::select) && has_control(problem, node);
  });
}

/// Argument k u of a function with a kink at u = 0.
struct Argument {
  std::size_t control;
  Expr slope;
};

class ControlSplitter {
 public:
  explicit ControlSplitter(const Problem& problem) : problem_(problem), graph_(problem.system.graph()) {
    for (const auto& parameter : problem.system.parameters) {
      parameters_.push_back(parameter.symbol);
      values_.push_back(parameter.value);
    }
    for (std::size_t u = 0; u < problem.controls.size(); ++u) {
      const std::string name(problem.controls[u].name());
      positive_.push_back(graph_.symbol("positive part of " + name));
      negative_.push_back(graph_.symbol("negative part of " + name));
    }
  }

  std::optional<SignedParts> take() {
    SignedParts result{problem_, {}};
    Problem& made = result.problem;
    made.cost.running = without_kinks(made.cost.running);
    for (auto* functions : {&made.kinematics, &made.system.forces}) smooth(*functions);
    if (made.discrete)
      for (auto* functions : {&made.discrete->minus, &made.discrete->plus}) smooth(*functions);
    if (split_.empty()) return std::nullopt;
    smooth(made.path);
    for (auto& observable : made.system.observables) observable.value = without_kinks(observable.value);
    put_parts(result);
    return result;
  }

 private:
  [[nodiscard]] double value(Expr f) const { return symbolic::evaluate(f, parameters_, values_); }

  [[nodiscard]] bool is_constant(Expr f) const {
    const auto used = symbolic::free_symbols(std::vector{f});
    return std::all_of(used.begin(), used.end(), [&](const Expr& symbol) {
      return std::find(parameters_.begin(), parameters_.end(), symbol) != parameters_.end();
    });
  }

  [[nodiscard]] bool has_control(Expr f) const { return control::has_control(problem_, f); }

  [[nodiscard]] bool has_both_signs(std::size_t u) const {
    const Bounds& bounds = problem_.bounds[u];
    return (!bounds.lower || value(*bounds.lower) < 0) && (!bounds.upper || value(*bounds.upper) > 0);
  }

  [[nodiscard]] Expr at(Expr f, std::size_t control, Expr value) const {
    return symbolic::substitute(f, std::vector{problem_.controls[control]}, std::vector{value});
  }

  /// Returns k and u of f = k u, where k depends on no control and u has both signs.
  [[nodiscard]] std::optional<Argument> argument(Expr f) const {
    for (std::size_t u = 0; u < problem_.controls.size(); ++u) {
      if (!symbolic::depends_on(f, problem_.controls[u])) continue;
      const Expr slope = symbolic::derivative(f, problem_.controls[u]);
      if (has_control(slope) || !has_both_signs(u) || !symbolic::simplify(at(f, u, graph_.number(0))).is_zero()) break;
      return Argument{u, slope};
    }
    return std::nullopt;
  }

  /// Returns |f| without kinks at controls that are 0, if f is a product of such controls and of what depends on none.
  std::optional<Expr> absolute(Expr f) {
    if (!has_control(f)) return symbolic::abs(f);
    if (const auto of = argument(f)) {
      split_.insert(of->control);
      return symbolic::abs(of->slope) * (positive_[of->control] + negative_[of->control]);
    }
    if (f.op() != Op::mul) return std::nullopt;
    Expr product = graph_.number(1);
    for (std::size_t i = 0; i < f.arity(); ++i) {
      const auto factor = absolute(f.child(i));
      if (!factor) return std::nullopt;
      product *= *factor;
    }
    return product;
  }

  /// Returns the maximum or minimum of a and b, (a + b + |a - b|)/2 or (a + b - |a - b|)/2, without its kink.
  std::optional<Expr> extreme(Expr f) {
    const Expr a = f.child(0);
    const Expr b = f.child(1);
    const bool is_maximum = f.child(2) == a && f.child(3) == b;
    if (!is_maximum && !(f.child(2) == b && f.child(3) == a)) return std::nullopt;
    const auto distance = absolute(a - b);
    if (!distance) return std::nullopt;
    return (a + b + (is_maximum ? *distance : -*distance)) / 2;
  }

  /// Returns x for k u > 0, y otherwise, without the kink at u = 0.
  std::optional<Expr> chosen(Expr f) {
    if (const auto found = extreme(f)) return found;
    const auto of = argument(f.child(0) - f.child(1));
    if (!of || !is_constant(of->slope) || value(of->slope) == 0) return std::nullopt;
    Expr above = f.child(2);
    Expr below = f.child(3);
    if (value(of->slope) < 0) std::swap(above, below);
    const std::size_t u = of->control;
    const Expr at_zero = at(above, u, graph_.number(0));
    if (!symbolic::simplify(at_zero - at(below, u, graph_.number(0))).is_zero()) return std::nullopt;
    split_.insert(u);
    return at(above, u, positive_[u]) + at(below, u, -negative_[u]) - at_zero;
  }

  /// Returns f with the kinks that have a form without them replaced, those inside of others first.
  Expr without_kinks(Expr f) {
    f = symbolic::expand_lets(f);
    for (bool found = true; found;) {
      found = false;
      for (const symbolic::NodeId id : graph_.reachable(std::vector{f})) {
        const Expr node(graph_, id);
        if ((node.op() != Op::abs && node.op() != Op::select) || !has_control(node)) continue;
        const auto smooth = node.op() == Op::abs ? absolute(node.child(0)) : chosen(node);
        if (!smooth) continue;
        f = symbolic::substitute(f, std::vector{node}, std::vector{*smooth});
        found = true;
        break;
      }
    }
    return f;
  }

  void smooth(std::vector<Expr>& functions) {
    for (Expr& f : functions) f = without_kinks(f);
  }

  /// Puts both parts in the places of the controls, with their bounds and guesses.
  void put_parts(SignedParts& result) const {
    Problem& made = result.problem;
    made.controls.clear();
    made.bounds.clear();
    std::vector<Expr> from;
    std::vector<Expr> to;
    for (std::size_t u = 0; u < problem_.controls.size(); ++u) {
      const Bounds& bounds = problem_.bounds[u];
      if (!split_.contains(u)) {
        made.controls.push_back(problem_.controls[u]);
        made.bounds.push_back(bounds);
        continue;
      }
      const std::string name(problem_.controls[u].name());
      const std::size_t place = made.controls.size();
      result.controls.push_back({name, place, place + 1, bounds.lower || bounds.upper});
      from.push_back(problem_.controls[u]);
      to.push_back(positive_[u] - negative_[u]);
      const auto add = [&](Expr part, const std::optional<Expr>& upper, int sign) {
        made.controls.push_back(part);
        made.bounds.push_back({graph_.number(0), upper});
        guess(made.guess, name, std::string(part.name()), sign);
      };
      add(positive_[u], bounds.upper, 1);
      add(negative_[u], bounds.lower ? std::optional<Expr>(-*bounds.lower) : std::nullopt, -1);
    }
    const auto take_parts = [&](std::vector<Expr>& functions) {
      functions = symbolic::substitute(functions, from, to);
    };
    made.cost.running = symbolic::substitute(made.cost.running, from, to);
    take_parts(made.kinematics);
    take_parts(made.system.forces);
    take_parts(made.path);
    if (made.discrete)
      for (auto* functions : {&made.discrete->minus, &made.discrete->plus}) take_parts(*functions);
    for (auto& observable : made.system.observables)
      observable.value = symbolic::substitute(observable.value, from, to);
  }

  /// Guesses a part of a control as the part of its guess.
  void guess(Guess& made, const std::string& control, const std::string& part, int sign) const {
    const Expr zero = graph_.number(0);
    if (const auto found = problem_.guess.values.find(control); found != problem_.guess.values.end()) {
      const Expr signed_value = sign > 0 ? found->second : -found->second;
      made.values.erase(control);
      made.values.insert_or_assign(part, symbolic::select(signed_value, zero, signed_value, zero));
    }
    if (const auto found = problem_.guess.columns.find(control); found != problem_.guess.columns.end()) {
      std::vector<double> values = found->second;
      for (double& one : values) one = std::max(0.0, sign * one);
      made.columns.erase(control);
      made.columns.insert_or_assign(part, std::move(values));
    }
  }

  const Problem& problem_;
  symbolic::Graph& graph_;
  std::vector<Expr> parameters_;
  std::vector<double> values_;
  std::vector<Expr> positive_;
  std::vector<Expr> negative_;
  std::set<std::size_t> split_;  ///< the controls that are split
};

}  // namespace

std::optional<SignedParts> with_signed_parts(const Problem& problem) {
  // The graph of a problem without kinks stays as it is.
  if (!has_kinks(problem)) return std::nullopt;
  return ControlSplitter(problem).take();
}

}  // namespace herglotz::control
