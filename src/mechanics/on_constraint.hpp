#pragma once
/// Functions where the constraints hold: Phi = 0 is used to shorten them.

#include "herglotz/mechanics/system.hpp"

namespace herglotz::mechanics {

/// Writes f as something shorter that equals it on Phi = 0.
class OnConstraint {
 public:
  /// Phi as functions of w and the rest.
  OnConstraint(std::vector<Expr> Phi, std::vector<Expr> w);

  /// Zero where f vanishes on Phi = 0 (judged at random points there), else the shortest form found. Divides by nothing
  /// that f does not divide by.
  [[nodiscard]] Expr operator()(Expr f) const;
  /// Whether f is zero, up to the rounding of its terms, at random points with Phi = 0.
  [[nodiscard]] bool vanishes(Expr f) const;

 private:
  [[nodiscard]] Expr without_Phi(Expr f) const;

  std::vector<Expr> Phi_;
  std::vector<Expr> w_;
  std::vector<Expr> zeros_;      ///< forms of Phi that may stand in an expression
  std::vector<Expr> solved_;     ///< symbols w_j that an affine Phi^a determines, and
  std::vector<Expr> solutions_;  ///< their values
};

}  // namespace herglotz::mechanics
