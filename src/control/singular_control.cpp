#include "herglotz/control/singular_control.hpp"

#include <algorithm>

#include "derivatives.hpp"
#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::control {

StagePrograms singular_programs(const Problem& problem, const FirstOrder& form, std::size_t control) {
  if (std::find(form.coupled.begin(), form.coupled.end(), control) != form.coupled.end())
    throw Refused("its switching function contains other controls");
  auto& graph = problem.system.graph();
  std::vector<Expr> P;
  Expr K = graph.number(0);
  std::vector<Expr> rates;
  for (std::size_t i = 0; i < form.v.size(); ++i) {
    P.push_back(graph.symbol("costate(" + std::to_string(i) + ")"));
    rates.push_back(symbolic::expand_lets(form.rates[i]));
    K += P.back() * rates.back();
  }
  const auto slopes = symbolic::gradient(K, form.v);
  const auto rate_of = [&](Expr f) {
    Expr rate = symbolic::derivative(f, problem.system.t);
    for (std::size_t i = 0; i < form.v.size(); ++i)
      rate += symbolic::derivative(f, form.v[i]) * rates[i] - symbolic::derivative(f, P[i]) * slopes[i];
    return rate;
  };
  const Expr u = problem.controls[control];
  // S is linear in u, and its rate does not contain u: the terms cancel, which setting u = 0 makes plain.
  const Expr first =
      symbolic::substitute(rate_of(symbolic::derivative(K, u)), std::vector{u}, std::vector{graph.number(0)});
  const Expr second = rate_of(first);
  if (!symbolic::depends_on(second, u)) {
    const bool is_second = symbolic::depends_on(rate_of(rate_of(second)), u);
    throw Refused(
        is_second
            ? "the singular arc is of order 2, as in Fuller's problem: controls that come to it switch ever faster"
            : "the switching function does not determine it by four rates: arcs are of an order above 2, or leave it "
              "arbitrary");
  }
  std::vector<Expr> variables = form.v;
  variables.insert(variables.end(), form.w.begin(), form.w.end());
  variables.push_back(problem.system.t);
  variables.insert(variables.end(), P.begin(), P.end());
  return with_derivatives(problem, "singular", variables, {first, second}, false);
}

}  // namespace herglotz::control
