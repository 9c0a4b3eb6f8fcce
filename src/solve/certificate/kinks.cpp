#include "certificate/kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "herglotz/control/kink.hpp"
#include "herglotz/symbolic/dependence.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr;

constexpr double on_kink = 1e-8;   ///< |g|, in parts of its largest value on the path, and of the size of controls
constexpr double rounding = 1e-6;  ///< of the terms of the Hamiltonian

struct Kink {
  control::Kink function;
  Expr g;                ///< has its zeros at the kink
  double factor;         ///< 1 if the function is convex in g, -1 if it is concave
  std::vector<Expr> of;  ///< derivatives of the rates by the function
};

bool has_control(const Setup& setup, Expr f) {
  return symbolic::depends_on_any(f, setup.problem.controls);
}

std::vector<Kink> kinks_of(const Setup& setup) {
  std::vector<Expr> rates;
  for (const Expr& rate : setup.form.rates) rates.push_back(symbolic::expand_lets(rate));
  auto& graph = setup.form.v.front().graph();
  std::vector<Kink> kinks;
  for (const symbolic::NodeId id : graph.reachable(rates)) {
    const auto function = control::kink_of(Expr(graph, id));
    if (!function || has_control(setup, function->node)) continue;
    Kink kink{*function, function->first - function->second, function->largest ? 1.0 : -1.0, {}};
    // No name of a model is that of an expression.
    const std::vector<Expr> node{function->node};
    const std::vector<Expr> symbol{graph.symbol(symbolic::print(function->node, symbolic::Format::text))};
    for (const Expr& rate : symbolic::substitute(rates, node, symbol))
      kink.of.push_back(symbolic::substitute(symbolic::derivative(rate, symbol.front()), symbol, node));
    kinks.push_back(std::move(kink));
  }
  return kinks;
}

/// Values at one stage.
struct At {
  double g = 0;
  double slope = 0;  ///< of the Hamiltonian by the node, with its factor
  double terms = 0;  ///< sum of the sizes of the terms of the Hamiltonian
};

class Evaluation {
 public:
  explicit Evaluation(const Setup& setup) : setup_(&setup), parameters_(setup.parameters()) {
    symbols_.insert(symbols_.end(), setup.form.v.begin(), setup.form.v.end());
    symbols_.insert(symbols_.end(), setup.form.w.begin(), setup.form.w.end());
    symbols_.push_back(setup.problem.system.t);
    for (const auto& parameter : setup.problem.system.parameters) symbols_.push_back(parameter.symbol);
  }

  [[nodiscard]] At at(const Stage& stage, const Kink& kink) const {
    std::vector<double> values(stage.v.begin(), stage.v.end());
    values.insert(values.end(), stage.w.begin(), stage.w.end());
    values.push_back(stage.t);
    values.insert(values.end(), parameters_.begin(), parameters_.end());
    std::vector<Expr> outputs{kink.g};
    outputs.insert(outputs.end(), kink.of.begin(), kink.of.end());
    outputs.insert(outputs.end(), setup_->form.rates.begin(), setup_->form.rates.end());
    const auto found = symbolic::evaluate(outputs, symbols_, values);
    At result{found[0]};
    const std::size_t d = kink.of.size();
    for (std::size_t a = 0; a < d; ++a) {
      result.slope += kink.factor * stage.P[a] * found[1 + a];
      result.terms += std::abs(stage.P[a]) * (std::abs(found[1 + a]) + std::abs(found[1 + d + a]));
    }
    return result;
  }

 private:
  const Setup* setup_;
  std::vector<Expr> symbols_;
  Values parameters_;
};

}  // namespace

std::string stays_on_kink(const Setup& setup, const Path& path) {
  if (setup.problem.kind != control::Kind::kinematic) return {};
  const std::vector<Kink> kinks = kinks_of(setup);
  if (kinks.empty()) return {};
  const Evaluation evaluation(setup);
  for (const Kink& kink : kinks) {
    std::vector<std::vector<At>> values;
    double largest = 1;
    for (const Interval& interval : path.intervals) {
      std::vector<At>& own = values.emplace_back();
      for (const Stage& stage : interval.stages) {
        own.push_back(evaluation.at(stage, kink));
        largest = std::max(largest, std::abs(own.back().g));
      }
    }
    const auto stays = [&](const std::vector<At>& at) {
      return !at.empty() && std::all_of(at.begin(), at.end(), [&](const At& one) {
        return std::abs(one.g) <= on_kink * largest && one.slope < -rounding * one.terms;
      });
    };
    const auto first = std::find_if(values.begin(), values.end(), stays);
    if (first == values.end()) continue;
    return fmt::format(
        "the path stays at the kink of '{}' from t = {:.6g}, where the Hamiltonian is lower on both sides of it; give "
        "a "
        "[guess] on one side",
        symbolic::print(kink.function.node, symbolic::Format::text),
        path.intervals[static_cast<std::size_t>(first - values.begin())].t);
  }
  return {};
}

}  // namespace herglotz::solve
