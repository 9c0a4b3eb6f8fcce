#include "certificate/kinks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/print.hpp"

namespace herglotz::solve {
namespace {

using symbolic::Expr;
using symbolic::Op;

constexpr double on_kink = 1e-8;   ///< |g|, in parts of its largest value on the path, and of the size of controls
constexpr double rounding = 1e-6;  ///< of the terms of the Hamiltonian

struct Kink {
  Expr node;
  Expr g;                ///< has its zeros at the kink
  double factor;         ///< 1 if the node is convex in g, -1 if it is concave
  std::vector<Expr> of;  ///< derivatives of the rates by the node
};

/// Returns g and the factor of |g|, of a maximum or of a minimum.
std::optional<Kink> kink_of(Expr node) {
  if (node.op() == Op::abs) return Kink{node, node.child(0), 1, {}};
  if (node.op() != Op::select) return std::nullopt;
  const Expr a = node.child(0);
  const Expr b = node.child(1);
  if (node.child(2) == a && node.child(3) == b) return Kink{node, a - b, 1, {}};
  if (node.child(2) == b && node.child(3) == a) return Kink{node, a - b, -1, {}};
  return std::nullopt;
}

std::vector<Kink> kinks_of(const Setup& setup) {
  std::vector<Expr> rates;
  for (const Expr& rate : setup.form.rates) rates.push_back(symbolic::expand_lets(rate));
  auto& graph = setup.form.v.front().graph();
  std::vector<Kink> kinks;
  for (const symbolic::NodeId id : graph.reachable(rates)) {
    auto kink = kink_of(Expr(graph, id));
    if (!kink) continue;
    const Expr symbol = graph.symbol("kink");
    const auto replaced = symbolic::substitute(rates, std::vector{kink->node}, std::vector{symbol});
    for (const Expr& rate : replaced)
      kink->of.push_back(
          symbolic::substitute(symbolic::derivative(rate, symbol), std::vector{symbol}, std::vector{kink->node}));
    kinks.push_back(std::move(*kink));
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
        symbolic::print(kink.node, symbolic::Format::text),
        path.intervals[static_cast<std::size_t>(first - values.begin())].t);
  }
  return {};
}

}  // namespace herglotz::solve
