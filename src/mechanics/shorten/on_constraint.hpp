#pragma once
/// Functions where the constraints hold: Phi = 0 is used to shorten them.

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// Writes f as something shorter that equals it on Phi = 0.
class OnConstraint {
 public:
  /// Phi as functions of w and the rest.
  /// The effort, which must live as long, bounds the search for short forms.
  OnConstraint(std::vector<Expr> Phi, std::vector<Expr> w, symbolic::Effort& effort);

  /// Zero where f vanishes on Phi = 0 (judged at random points there), else the shortest form found.
  [[nodiscard]] Expr operator()(Expr f) const;
  /// Whether f is zero, up to the rounding of its terms, at random points with Phi = 0.
  [[nodiscard]] bool vanishes(Expr f) const;

 private:
  std::vector<Expr> Phi_;
  std::vector<Expr> w_;
  symbolic::Effort* effort_;
};

}  // namespace herglotz::mechanics
