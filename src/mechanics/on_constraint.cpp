#include "on_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "orthonormal.hpp"
#include "shortest.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;

bool depends_on_any(Expr f, const std::vector<Expr>& w) {
  return std::any_of(w.begin(), w.end(), [&](Expr symbol) { return symbolic::depends_on(f, symbol); });
}

/// What f divides by: the bases of its negative powers.
std::vector<Expr> denominators(Expr f) {
  std::vector<Expr> bases;
  symbolic::Graph& graph = f.graph();
  const std::vector<Expr> outputs{f};
  for (const auto id : graph.reachable(outputs)) {
    const Expr node(graph, id);
    if (node.op() == Op::tan) bases.push_back(cos(node.child(0)));
    if (node.op() == Op::pow && !(node.child(1).is_number() && node.child(1).value() > 0))
      bases.push_back(node.child(0));
  }
  return bases;
}

bool divides_by_more(Expr f, Expr than) {
  const auto known = denominators(than);
  const auto fresh = denominators(f);
  return std::any_of(fresh.begin(), fresh.end(),
                     [&](Expr base) { return std::find(known.begin(), known.end(), base) == known.end(); });
}

/// Newton's method in w, by shortest steps.
bool moved_onto(const std::vector<Expr>& Phi, const std::vector<Expr>& w, const std::vector<Expr>& symbols,
                Row& point) {
  std::vector<Expr> outputs = Phi;
  for (const Expr& row : Phi)
    for (const Expr& slope : symbolic::gradient(row, w)) outputs.push_back(slope);
  for (int step = 0; step < 50; ++step) {
    const auto values = symbolic::evaluate(outputs, symbols, point);
    Row target;
    std::vector<Row> rows;
    double worst = 0;
    for (std::size_t a = 0; a < Phi.size(); ++a) {
      target.push_back(-values[a]);
      worst = std::max(worst, std::abs(values[a]));
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(Phi.size() + a * w.size());
      rows.emplace_back(from, from + static_cast<std::ptrdiff_t>(w.size()));
    }
    if (!std::isfinite(worst)) return false;
    if (worst < 1e-14) return true;
    const Row change = shortest_solution(rows, target, w.size());
    for (std::size_t j = 0; j < w.size(); ++j) {
      const auto at = std::find(symbols.begin(), symbols.end(), w[j]);
      point[static_cast<std::size_t>(at - symbols.begin())] += change[j];
    }
  }
  return false;
}

}  // namespace

OnConstraint::OnConstraint(std::vector<Expr> Phi, std::vector<Expr> w) : Phi_(std::move(Phi)), w_(std::move(w)) {
  const std::vector<Expr> origin(w_.size(), w_.front().graph().number(std::int64_t{0}));
  for (const Expr& row : Phi_) {
    for (const Expr& form : {row, shortest(row), symbolic::simplify(symbolic::expand(row))})
      for (const Expr& sign : {form, symbolic::simplify(-form), symbolic::expand(-form)})
        if (sign.op() == Op::add) zeros_.push_back(sign);
    for (const Expr& w_j : w_) {
      const Expr slope = shortest(derivative(row, w_j));
      if (slope.is_zero() || depends_on_any(slope, w_)) continue;
      solved_.push_back(w_j);
      solutions_.push_back(shortest(w_j - row / slope));
      // (Phi - slope w_j) may be written without w_j only once it is simplified.
      if (symbolic::depends_on(solutions_.back(), w_j)) {
        solved_.pop_back();
        solutions_.pop_back();
      }
    }
  }
}

bool OnConstraint::vanishes(Expr f) const {
  if (f.is_number()) return f.value() == 0;
  std::vector<Expr> outputs{f};
  if (f.op() == Op::add)
    for (std::size_t i = 0; i < f.arity(); ++i) outputs.push_back(f.child(i));
  std::vector<Expr> all = outputs;
  all.insert(all.end(), Phi_.begin(), Phi_.end());
  all.insert(all.end(), w_.begin(), w_.end());
  const auto symbols = symbolic::free_symbols(all);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.2, 1.7);
  bool judged = false;
  for (int sample = 0; sample < 6; ++sample) {
    Row point(symbols.size());
    for (double& value : point) value = uniform(engine);
    if (!moved_onto(Phi_, w_, symbols, point)) continue;
    const auto values = symbolic::evaluate(outputs, symbols, point);
    double size = 1;
    for (const double value : values) size = std::max(size, std::abs(value));
    if (!std::isfinite(size)) continue;
    judged = true;
    if (std::abs(values[0]) > 1e-10 * size) return false;
  }
  return judged;
}

Expr OnConstraint::without_Phi(Expr f) const {
  const std::vector<Expr> nothing(zeros_.size(), f.graph().number(std::int64_t{0}));
  return shortest(symbolic::substitute(f, zeros_, nothing));
}

Expr OnConstraint::operator()(Expr f) const {
  Expr best = shortest(f);
  if (best.is_number()) return best;
  if (vanishes(best)) return f.graph().number(std::int64_t{0});
  const auto consider = [&](Expr candidate) {
    if (symbolic::printed_size(candidate) < symbolic::printed_size(best) && !divides_by_more(candidate, f))
      best = candidate;
  };
  consider(without_Phi(best));
  consider(without_Phi(symbolic::simplify(symbolic::expand(best))));
  const Expr start = best;
  for (std::size_t k = 0; k < solved_.size(); ++k)
    consider(without_Phi(symbolic::substitute(start, std::vector<Expr>{solved_[k]}, std::vector<Expr>{solutions_[k]})));
  return best;
}

}  // namespace herglotz::mechanics
