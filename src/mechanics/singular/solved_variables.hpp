#pragma once
/// Variables that constraints give by the others, and expressions without them.

#include <span>
#include <vector>

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Constraints that have a variable with a constant coefficient, solved for it: the set is a graph over the others.
class SolvedVariables {
 public:
  /// `order`: momenta and multipliers first, then velocities, positions and the action.
  SolvedVariables(std::vector<Expr> order, std::vector<Expr> parameters, std::vector<double> values)
      : order_(std::move(order)), parameters_(std::move(parameters)), values_(std::move(values)) {}

  /// Solves the function, in which no variable is that was solved for before, if it can.
  void solve(Expr function);
  [[nodiscard]] Expr operator()(Expr f) const;
  [[nodiscard]] std::vector<Expr> operator()(const std::vector<Expr>& f) const;
  [[nodiscard]] bool contains(Expr variable) const;
  /// Whether f is a function of the parameters alone.
  [[nodiscard]] bool is_constant(Expr f) const;

 private:
  std::vector<Expr> order_;
  std::vector<Expr> parameters_;
  std::vector<double> values_;
  std::vector<Expr> from_;
  std::vector<Expr> to_;
};

}  // namespace herglotz::mechanics
