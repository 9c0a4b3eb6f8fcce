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

/// Sum of two parts, of which `common` depends on parameters and time alone.
struct Split {
  Expr rest;
  Expr common;
};

class CostSplitter {
 public:
  CostSplitter(const Problem& problem, const FirstOrder& form)
      : variables_(form.v), zero_(problem.system.graph().number(0)) {
    variables_.insert(variables_.end(), form.w.begin(), form.w.end());
  }

  [[nodiscard]] bool is_common(Expr f) const {
    return std::none_of(variables_.begin(), variables_.end(), [&](Expr x) { return symbolic::depends_on(f, x); });
  }

  /// Splits sums, and products of a sum and such functions.
  [[nodiscard]] Split split(Expr f) const {
    if (is_common(f)) return {zero_, f};
    if (f.op() == Op::add) {
      Split result{zero_, zero_};
      for (std::size_t i = 0; i < f.arity(); ++i) {
        const Split part = split(f.child(i));
        result.rest += part.rest;
        result.common += part.common;
      }
      return result;
    }
    if (f.op() != Op::mul) return {f, zero_};
    Expr factor = zero_ + 1.0;
    std::optional<Expr> varied;
    for (std::size_t i = 0; i < f.arity(); ++i) {
      if (is_common(f.child(i))) {
        factor *= f.child(i);
      } else if (varied) {
        return {f, zero_};
      } else {
        varied = f.child(i);
      }
    }
    const Split part = split(*varied);
    if (part.common.is_zero()) return {f, zero_};
    return {factor * part.rest, factor * part.common};
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

std::optional<PathIndependentTerms> take_path_independent_terms(const Problem& problem, FirstOrder& form) {
  const Expr zeta = form.v.back();
  const std::vector<Expr> others(form.rates.begin(), form.rates.end() - 1);
  if (!problem.boundary.duration || any_depends(others, zeta) || any_depends(form.equations, zeta) ||
      any_depends(form.inequalities, zeta))
    return std::nullopt;
  const CostSplitter splitter(problem, form);
  if (!splitter.is_common(symbolic::derivative(problem.cost.terminal, zeta))) return std::nullopt;
  const Expr growth = symbolic::derivative(form.rates.back(), zeta);
  const Split split = splitter.split(form.rates.back());
  if (split.common.is_zero() || !splitter.is_common(growth) || symbolic::depends_on(growth, problem.system.t))
    return std::nullopt;
  std::vector<Expr> symbols;
  std::vector<double> values;
  for (const auto& parameter : problem.system.parameters) {
    symbols.push_back(parameter.symbol);
    values.push_back(parameter.value);
  }
  const PathIndependentTerms result{split.common, symbolic::evaluate(growth, symbols, values)};
  if (!std::isfinite(result.growth)) return std::nullopt;
  form.rates.back() = split.rest;
  return result;
}

}  // namespace herglotz::control
