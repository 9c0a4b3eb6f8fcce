#include "maximum/control_functions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr, symbolic::NodeId, symbolic::Op;

/// The nodes that depend on some symbols.
class Dependence {
 public:
  Dependence(std::span<const Expr> functions, std::span<const Expr> symbols) {
    if (functions.empty()) return;
    const symbolic::Graph& graph = functions.front().graph();
    for (const NodeId id : graph.reachable(functions)) {
      bool depends = std::any_of(symbols.begin(), symbols.end(), [&](const Expr& u) { return u.id() == id; });
      for (const NodeId child : graph.children(id)) depends = depends || nodes_.contains(child);
      if (depends) nodes_.insert(id);
    }
  }

  [[nodiscard]] bool has(const Expr& f) const { return nodes_.contains(f.id()); }
  [[nodiscard]] std::size_t children_of(const Expr& f) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < f.arity(); ++i) count += has(f.child(i)) ? 1 : 0;
    return count;
  }

 private:
  std::set<NodeId> nodes_;
};

}  // namespace

class ControlFunctions::Compiler {
 public:
  Compiler(ControlFunctions& made, const Dependence& dependence, std::span<const Expr> controls)
      : made_(made), dependence_(dependence), controls_(controls) {}

  Operand operand(const Expr& f, Terms terms) {
    if (!dependence_.has(f)) {
      const auto [known, is_new] = coefficients_.try_emplace(f.id(), made_.coefficients_.size());
      if (is_new) made_.coefficients_.push_back(f);
      return {false, known->second};
    }
    const auto key = std::pair(f.id(), terms);
    if (const auto known = steps_.find(key); known != steps_.end()) return {true, known->second};
    Step step = step_of(f, terms);
    made_.steps_.push_back(std::move(step));
    steps_[key] = made_.steps_.size() - 1;
    return {true, made_.steps_.size() - 1};
  }

 private:
  Step step_of(const Expr& f, Terms terms) {
    const auto control = std::find(controls_.begin(), controls_.end(), f);
    if (control != controls_.end())
      return {Op::symbol, {{true, static_cast<std::size_t>(control - controls_.begin())}}};
    Step step{f.op(), {}};
    // What a constant factor multiplies, and the terms of a sum, may be without their constant parts as well.
    const bool passes =
        f.op() == Op::add || f.op() == Op::let || (f.op() == Op::mul && dependence_.children_of(f) == 1);
    const Terms inner = passes ? terms : Terms::all;
    std::size_t last = f.arity();
    if (f.op() == Op::select) {
      const bool is_maximum = f.child(2) == f.child(0) && f.child(3) == f.child(1);
      if (is_maximum || (f.child(2) == f.child(1) && f.child(3) == f.child(0))) {
        step.largest = is_maximum;
        last = 2;
      }
    }
    for (std::size_t i = 0; i < last; ++i) {
      const bool drops = f.op() == Op::add && inner == Terms::of_controls && !dependence_.has(f.child(i));
      if (!drops) step.operands.push_back(operand(f.child(i), inner));
    }
    return step;
  }

  ControlFunctions& made_;
  const Dependence& dependence_;
  std::span<const Expr> controls_;
  std::map<NodeId, std::size_t> coefficients_;
  std::map<std::pair<NodeId, Terms>, std::size_t> steps_;
};

ControlFunctions::ControlFunctions(std::span<const Expr> functions, std::span<const Expr> controls, Terms terms)
    : n_(controls.size()) {
  const Dependence dependence(functions, controls);
  Compiler compiler(*this, dependence, controls);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    if (!dependence.has(functions[k])) continue;
    which_.push_back(k);
    outputs_.push_back(compiler.operand(functions[k], terms).place);
  }
  jets_.resize(steps_.size());
  found_.resize(outputs_.size());
}

Jet ControlFunctions::at(const Operand& operand, std::span<const double> coefficients) const {
  return operand.varies ? jets_[operand.place] : constant(n_, coefficients[operand.place]);
}

Jet ControlFunctions::run(const Step& step, std::span<const double> coefficients, std::span<const Range> box) const {
  const auto operand = [&](std::size_t i) { return at(step.operands[i], coefficients); };
  switch (step.op) {
    case Op::symbol: {
      const std::size_t u = step.operands.front().place;
      return variable(n_, u, box[u]);
    }
    case Op::let:
      return operand(0);
    case Op::add: {
      Jet sum = operand(0);
      for (std::size_t i = 1; i < step.operands.size(); ++i) sum = sum + operand(i);
      return sum;
    }
    case Op::mul: {
      double factor = 1;
      std::optional<Jet> product;
      for (const Operand& one : step.operands) {
        if (!one.varies)
          factor *= coefficients[one.place];
        else
          product = product ? *product * jets_[one.place] : jets_[one.place];
      }
      return factor * *product;
    }
    case Op::pow:
      if (!step.operands[1].varies) return power(operand(0), coefficients[step.operands[1].place]);
      return apply(Op::exp, operand(1) * apply(Op::log, operand(0)));
    case Op::atan2:
      return unknown(n_, {-std::numbers::pi, std::numbers::pi});
    case Op::select: {
      const Jet a = operand(0);
      const Jet b = operand(1);
      return step.largest ? extreme(a, b, *step.largest) : chosen(a, b, operand(2), operand(3));
    }
    case Op::table:
      return unknown(n_, Range::all());
    default:
      return apply(step.op, operand(0));
  }
}

std::span<const Jet> ControlFunctions::enclose(std::span<const double> coefficients, std::span<const Range> box) {
  for (std::size_t k = 0; k < steps_.size(); ++k) jets_[k] = run(steps_[k], coefficients, box);
  for (std::size_t k = 0; k < outputs_.size(); ++k) found_[k] = jets_[outputs_[k]];
  return found_;
}

namespace {

/// Joins controls that enter one term of a sum.
class Coupling {
 public:
  explicit Coupling(std::span<const Expr> controls) : controls_(controls), group_(controls.size()) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  void add_sum(const Expr& f, const Dependence& dependence) {
    if (!dependence.has(f)) return;
    const bool is_sum = f.op() == Op::add || f.op() == Op::let;
    if (!is_sum && !(f.op() == Op::mul && dependence.children_of(f) == 1)) return add_whole(f);
    for (std::size_t i = 0; i < f.arity(); ++i) add_sum(f.child(i), dependence);
  }

  void add_whole(const Expr& f) {
    std::optional<std::size_t> first;
    for (const Expr& symbol : symbolic::free_symbols(std::vector{f})) {
      const auto control = std::find(controls_.begin(), controls_.end(), symbol);
      if (control == controls_.end()) continue;
      const std::size_t group = group_[static_cast<std::size_t>(control - controls_.begin())];
      if (!first) first = group;
      for (std::size_t& one : group_)
        if (one == group) one = *first;
    }
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::vector<std::size_t>> result;
    std::map<std::size_t, std::size_t> places;
    for (std::size_t u = 0; u < group_.size(); ++u) {
      const auto [place, is_new] = places.try_emplace(group_[u], result.size());
      if (is_new) result.emplace_back();
      result[place->second].push_back(u);
    }
    return result;
  }

 private:
  std::span<const Expr> controls_;
  std::vector<std::size_t> group_;
};

}  // namespace

std::vector<std::vector<std::size_t>> coupled_controls(std::span<const Expr> sums, std::span<const Expr> wholes,
                                                       std::span<const Expr> controls) {
  const Dependence dependence(sums, controls);
  Coupling coupling(controls);
  for (const Expr& f : sums) coupling.add_sum(f, dependence);
  for (const Expr& f : wholes) coupling.add_whole(f);
  return coupling.groups();
}

namespace {

/// Finds the factors of a control in sines and cosines.
class Waves {
 public:
  Waves(std::span<const Expr> functions, Expr control, std::span<const Expr> parameters, std::span<const double> values)
      : dependence_(functions, std::span(&control, 1)), control_(control), parameters_(parameters), values_(values) {
    for (const Expr& f : functions) add(f);
  }

  [[nodiscard]] std::optional<double> period() const {
    if (!periodic_ || factors_.empty()) return std::nullopt;
    const double least = *std::min_element(factors_.begin(), factors_.end());
    for (const double k : factors_)
      if (std::abs(k / least - std::round(k / least)) > 1e-12 * k / least) return std::nullopt;
    return 2 * std::numbers::pi / least;
  }

 private:
  void add(const Expr& f) {
    if (!periodic_ || !dependence_.has(f) || !seen_.insert(f.id()).second) return;
    if (f == control_) {
      periodic_ = false;
      return;
    }
    if (f.op() == Op::sin || f.op() == Op::cos) {
      if (const auto k = slope(f.child(0)); k && *k != 0) {
        factors_.push_back(std::abs(*k));
        return;
      }
    }
    for (std::size_t i = 0; i < f.arity(); ++i) add(f.child(i));
  }

  /// Returns k for f = k u + c, where k is a number and c depends on no control.
  [[nodiscard]] std::optional<double> slope(const Expr& f) const {
    if (f == control_) return 1;
    if (!dependence_.has(f)) return 0;
    if (f.op() == Op::let) return slope(f.child(0));
    if (f.op() == Op::add) {
      double sum = 0;
      for (std::size_t i = 0; i < f.arity(); ++i) {
        const auto one = slope(f.child(i));
        if (!one) return std::nullopt;
        sum += *one;
      }
      return sum;
    }
    if (f.op() != Op::mul || dependence_.children_of(f) != 1) return std::nullopt;
    double product = 1;
    for (std::size_t i = 0; i < f.arity(); ++i) {
      const auto one = dependence_.has(f.child(i)) ? slope(f.child(i)) : number(f.child(i));
      if (!one) return std::nullopt;
      product *= *one;
    }
    return product;
  }

  [[nodiscard]] std::optional<double> number(const Expr& f) const {
    const auto used = symbolic::free_symbols(std::vector{f});
    const bool is_constant = std::all_of(used.begin(), used.end(), [&](const Expr& symbol) {
      return std::find(parameters_.begin(), parameters_.end(), symbol) != parameters_.end();
    });
    return is_constant ? std::optional(symbolic::evaluate(f, parameters_, values_)) : std::nullopt;
  }

  Dependence dependence_;
  Expr control_;
  std::span<const Expr> parameters_;
  std::span<const double> values_;
  std::set<NodeId> seen_;
  std::vector<double> factors_;
  bool periodic_ = true;
};

}  // namespace

std::optional<double> period_of(std::span<const Expr> functions, Expr control, std::span<const Expr> parameters,
                                std::span<const double> values) {
  return Waves(functions, control, parameters, values).period();
}

}  // namespace herglotz::solve
