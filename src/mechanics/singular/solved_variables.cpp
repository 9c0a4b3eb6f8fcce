#include "singular/solved_variables.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/evaluate.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {
namespace {

/// Functions of more nodes are not solved for a variable: along a chain of sites each solution is put into the next
/// one, and their terms grow with powers of the parameters by which they are divided.
constexpr std::size_t most_solved_nodes = 64;

}  // namespace

bool SolvedVariables::is_constant(Expr f) const {
  const std::array<Expr, 1> output{f};
  const auto symbols = symbolic::free_symbols(output);
  return std::all_of(symbols.begin(), symbols.end(), [&](const Expr& symbol) {
    return std::find(parameters_.begin(), parameters_.end(), symbol) != parameters_.end();
  });
}

bool SolvedVariables::contains(Expr variable) const {
  return std::find(from_.begin(), from_.end(), variable) != from_.end();
}

void SolvedVariables::solve(Expr function) {
  const std::array<Expr, 1> output{function};
  if (function.graph().reachable(output).size() > most_solved_nodes) return;
  const auto slopes = symbolic::gradient(function, order_);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (slopes[i].is_zero() || contains(order_[i])) continue;
    const Expr slope = symbolic::simplify(slopes[i]);
    if (!is_constant(slope) || !(std::abs(symbolic::evaluate(slope, parameters_, values_)) > 0)) continue;
    const std::array<Expr, 1> variable{order_[i]};
    const std::array<Expr, 1> zero{function.graph().number(std::int64_t{0})};
    const std::array<Expr, 1> solution{symbolic::simplify(-symbolic::substitute(function, variable, zero) / slope)};
    for (Expr& earlier : to_) earlier = symbolic::substitute(earlier, variable, solution);
    from_.push_back(variable[0]);
    to_.push_back(solution[0]);
    return;
  }
}

Expr SolvedVariables::operator()(Expr f) const {
  return symbolic::substitute(f, from_, to_);
}

std::vector<Expr> SolvedVariables::operator()(const std::vector<Expr>& f) const {
  return symbolic::substitute(f, from_, to_);
}

}  // namespace herglotz::mechanics
