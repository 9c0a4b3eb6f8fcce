#pragma once
/// Variables that constraints express by the others, and expressions without these variables.

#include <span>
#include <vector>

#include "herglotz/mechanics/singular.hpp"

namespace herglotz::mechanics {

/// Constraints in which a variable has a constant coefficient, solved for this variable: the set is a graph over the
/// others.
class SolvedVariables {
 public:
  /// `order` lists momenta and multipliers first, then velocities, positions and the action.
  SolvedVariables(std::vector<Expr> order, std::vector<Expr> parameters, std::vector<double> values)
      : order_(std::move(order)), parameters_(std::move(parameters)), values_(std::move(values)) {}

  /// Solves the function for a variable, if it can. No variable solved before may occur in the function.
  void solve(Expr function);
  [[nodiscard]] Expr operator()(Expr f) const;
  [[nodiscard]] std::vector<Expr> operator()(const std::vector<Expr>& f) const;
  [[nodiscard]] bool contains(Expr variable) const;
  /// Returns true if f depends on parameters alone.
  [[nodiscard]] bool is_constant(Expr f) const;

 private:
  std::vector<Expr> order_;
  std::vector<Expr> parameters_;
  std::vector<double> values_;
  std::vector<Expr> from_;
  std::vector<Expr> to_;
};

}  // namespace herglotz::mechanics
