#include "herglotz/control/path_independent_cost.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::control {
namespace {

using symbolic::Op;

/// Sum of two parts, of which `constant` depends on parameters alone.
struct Split {
  Expr rest;
  Expr constant;
};

class Splitter {
 public:
  Splitter(const Problem& problem, const FirstOrder& form)
      : variables_(form.v), zero_(problem.system.graph().number(0)) {
    variables_.insert(variables_.end(), form.w.begin(), form.w.end());
    variables_.push_back(problem.system.t);
  }

  [[nodiscard]] bool is_constant(Expr f) const {
    return std::none_of(variables_.begin(), variables_.end(), [&](Expr x) { return symbolic::depends_on(f, x); });
  }

  /// Splits sums, and products of a sum and constants.
  [[nodiscard]] Split split(Expr f) const {
    if (is_constant(f)) return {zero_, f};
    if (f.op() == Op::add) {
      Split result{zero_, zero_};
      for (std::size_t i = 0; i < f.arity(); ++i) {
        const Split part = split(f.child(i));
        result.rest += part.rest;
        result.constant += part.constant;
      }
      return result;
    }
    if (f.op() != Op::mul) return {f, zero_};
    Expr factor = zero_ + 1.0;
    std::optional<Expr> varied;
    for (std::size_t i = 0; i < f.arity(); ++i) {
      if (is_constant(f.child(i))) {
        factor *= f.child(i);
      } else if (varied) {
        return {f, zero_};
      } else {
        varied = f.child(i);
      }
    }
    const Split part = split(*varied);
    if (part.constant.is_zero()) return {f, zero_};
    return {factor * part.rest, factor * part.constant};
  }

 private:
  std::vector<Expr> variables_;
  Expr zero_;
};

bool any_depends(const std::vector<Expr>& functions, Expr symbol) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](const Expr& f) { return symbolic::depends_on(f, symbol); });
}

}  // namespace

double PathIndependentCost::at(double passed) const {
  return growth == 0 ? rate * passed : rate * std::expm1(growth * passed) / growth;
}

double PathIndependentCost::rate_at(double passed) const {
  return rate * std::exp(growth * passed);
}

PathIndependentCost take_path_independent_cost(const Problem& problem, FirstOrder& form) {
  const Expr zeta = form.v.back();
  const std::vector<Expr> others(form.rates.begin(), form.rates.end() - 1);
  if (!problem.boundary.duration || any_depends(others, zeta) || any_depends(form.equations, zeta) ||
      any_depends(form.inequalities, zeta))
    return {};
  const Splitter splitter(problem, form);
  if (!splitter.is_constant(symbolic::derivative(problem.cost.terminal, zeta))) return {};
  const Expr growth = symbolic::derivative(form.rates.back(), zeta);
  const Split split = splitter.split(form.rates.back());
  if (split.constant.is_zero() || !splitter.is_constant(growth)) return {};
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const PathIndependentCost result{symbolic::evaluate(split.constant, symbols, values),
                                   symbolic::evaluate(growth, symbols, values)};
  if (!std::isfinite(result.rate) || !std::isfinite(result.growth)) return {};
  form.rates.back() = split.rest;
  return result;
}

}  // namespace herglotz::control
