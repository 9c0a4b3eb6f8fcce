#pragma once
/// Derived expressions in a readable form, in which the definitions of the model keep their names.

#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

/// Longer expressions are printed as derived: simplifying them costs more than it helps a reader.
inline constexpr std::size_t largest_simplified = 4000;

/// The effort that one reader may spend on simplifications. Once it is used up, expressions are printed as derived.
inline constexpr std::int64_t most_effort_of_reader = 1'500'000;

/// Simplifier that writes an expression which equals a definition by the definition's name.
class Reader {
 public:
  explicit Reader(const System& system);

  /// Returns the shorter of the simplified f and the simplified f with its definitions opened.
  [[nodiscard]] Expr operator()(Expr f) const;
  [[nodiscard]] std::vector<Expr> operator()(std::vector<Expr> f) const;
  /// Returns f multiplied out; the effort of the reader pays for it.
  [[nodiscard]] Expr expanded(Expr f) const { return symbolic::expand(f, effort_); }

 private:
  void name(Expr value, Expr definition);
  [[nodiscard]] Expr named(Expr f) const;
  [[nodiscard]] Expr simplified(Expr f) const;

  mutable symbolic::Effort effort_{most_effort_of_reader};
  std::vector<Expr> definitions_;
  std::vector<Expr> from_;  ///< values of definitions; the definitions themselves come first, so that they stay closed
  std::vector<Expr> to_;
};

/// Writes x*(-a - b) as -x*(a + b), and a sum of negative terms with one of them as a difference:
/// y*(b - a) for -y*(a - b).
Expr with_plain_signs(Expr f);

/// Returns E = y_a dL/dy^a - L term by term. A term of degree k in the fibre coordinates gives k - 1 times itself
/// (Euler), with its definitions closed and as the model writes it. Terms without a degree are differentiated.
Expr energy_by_degrees(const System& system);

}  // namespace herglotz::mechanics
