#pragma once
/// Functions on the constraint set: Phi = 0 is used to shorten them.

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// Shortener of functions on Phi = 0: it writes f as a shorter expression that equals f there.
class OnConstraint {
 public:
  /// `Phi` depends on w and other variables. The effort, which must outlive this object, bounds the search for short
  /// forms.
  OnConstraint(std::vector<Expr> Phi, std::vector<Expr> w, symbolic::Effort& effort);

  /// Returns zero if f vanishes on Phi = 0 (judged at random points there), else the shortest form found.
  [[nodiscard]] Expr operator()(Expr f) const;
  /// Returns true if f is zero, up to the rounding of its terms, at random points with Phi = 0.
  [[nodiscard]] bool vanishes(Expr f) const;

 private:
  std::vector<Expr> Phi_;
  std::vector<Expr> w_;
  symbolic::Effort* effort_;
};

}  // namespace herglotz::mechanics
