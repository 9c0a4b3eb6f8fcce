#include "maximum/norm_condition.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "herglotz/linear/eigen_views.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::solve {
namespace {

using control::FirstOrder, control::Magnitude, control::Problem;
using linear::index;
using symbolic::Expr;

/// Returns the rates and equations with the symbol of the magnitude in the place of the norm.
std::vector<Expr> with_length(const FirstOrder& form, const Magnitude& norm, Expr length) {
  std::vector<Expr> functions = form.rates;
  functions.insert(functions.end(), form.equations.begin(), form.equations.end());
  for (Expr& f : functions)
    f = symbolic::substitute(symbolic::expand_lets(f), std::vector{norm.norm}, std::vector{length});
  return functions;
}

Expr length_of(const Magnitude& norm) {
  return norm.norm.graph().symbol(norm.name);
}

}  // namespace

NormCondition::NormCondition(const FirstOrder& form, const std::vector<Expr>& symbols, const Magnitude& norm,
                             const Problem& problem)
    : symbols_(symbols),
      first_(form.v.size()),
      rates_(form.rates.size()),
      functions_(form.rates.size() + form.equations.size()),
      offset_(index(norm.controls.size())),
      Q_(index(norm.controls.size()), index(norm.controls.size())),
      longest_(norm.longest) {
  const Expr length = length_of(norm);
  const auto functions = with_length(form, norm, length);
  for (const Expr& f : functions) slopes_.push_back(symbolic::derivative(f, length));
  for (std::size_t i = 0; i < norm.controls.size(); ++i) {
    const auto& control = norm.controls[i];
    controls_.push_back(control.direction);
    offset_[index(i)] = control.offset;
    for (std::size_t j = 0; j < norm.controls.size(); ++j) Q_(index(i), index(j)) = norm.form[i][j];
    for (const Expr& f : functions) slopes_.push_back(symbolic::derivative(f, problem.controls[control.direction]));
  }
}

NormCondition::Best NormCondition::best(const StageValues& stage) const {
  const auto values = symbolic::evaluate(slopes_, symbols_, stage.symbols);
  const auto slope = [&](std::size_t by) {
    double sum = 0;
    for (std::size_t a = 0; a < functions_; ++a)
      sum += (a < rates_ ? stage.P[a] : stage.kappa[a - rates_]) * values[by * functions_ + a];
    return sum;
  };
  const double w = slope(0);
  const auto n = offset_.size();
  Eigen::VectorXd g(n);
  Eigen::VectorXd away(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    g[i] = slope(1 + static_cast<std::size_t>(i));
    away[i] = stage.symbols[first_ + controls_[static_cast<std::size_t>(i)]] - offset_[i];
  }
  const Eigen::VectorXd against = Q_.llt().solve(g);
  const double dual = std::sqrt(std::max(g.dot(against), 0.0));
  const double length = std::sqrt(std::max(away.dot(Q_ * away), 0.0));
  Best result;
  const double best_length = w < dual ? longest_ : 0;
  result.at = offset_;
  if (best_length > 0 && dual > 0) result.at -= best_length / dual * against;
  result.fall = g.dot(away) + w * length - (best_length > 0 ? best_length * (w - dual) : 0);
  result.terms = std::abs(best_length - length) * (std::abs(w) + dual);
  return result;
}

std::vector<NormCondition> norm_conditions(const Problem& problem, const FirstOrder& form,
                                           const std::vector<Expr>& symbols) {
  std::vector<NormCondition> conditions;
  const auto magnitudes = control::with_magnitudes(problem);
  if (!magnitudes) return conditions;
  for (const Magnitude& norm : magnitudes->norms) conditions.emplace_back(form, symbols, norm, problem);
  return conditions;
}

}  // namespace herglotz::solve
