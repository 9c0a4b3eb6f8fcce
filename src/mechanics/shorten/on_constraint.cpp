#include "shorten/on_constraint.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "constraints/orthonormal.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

using symbolic::Op;

/// Moves w onto Phi = 0 by Newton's method with shortest steps.
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

OnConstraint::OnConstraint(std::vector<Expr> Phi, std::vector<Expr> w, symbolic::Effort& effort)
    : Phi_(std::move(Phi)), w_(std::move(w)), effort_(&effort) {}

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

Expr OnConstraint::operator()(Expr f) const {
  if (f.is_number()) return f;
  return vanishes(f) ? f.graph().number(std::int64_t{0}) : shortest(f, *effort_, Phi_, w_);
}

}  // namespace herglotz::mechanics
