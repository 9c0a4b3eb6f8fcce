#pragma once
/// Expressions as polynomials modulo relations: sin^2 + cos^2 = 1, the definitions of denominators and roots, and given
/// relations.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "herglotz/symbolic/expr.hpp"
#include "herglotz/symbolic/rational.hpp"
#include "herglotz/symbolic/simplify.hpp"

namespace herglotz::mechanics {

using symbolic::Expr;
using symbolic::Rational;

/// The ring over the rationals of polynomials in atoms (symbols, functions, inverses of sums, roots), modulo a Groebner
/// basis of the relations between them: equal elements have one normal form. Sizes are bounded; beyond the bounds
/// relations may be left unused, or the result is `std::nullopt`.
class QuotientRing {
 public:
  enum class Order { sines_first, cosines_first };

  /// `relations` vanish; `first` lists the symbols to eliminate first (velocities). Terms count against the effort;
  /// once it is used up, the result is `std::nullopt`.
  QuotientRing(symbolic::Graph& graph, const std::vector<Expr>& relations, std::vector<Expr> first, Order order,
               symbolic::Effort& effort);

  /// Returns the normal form of f, or `std::nullopt` if it is too large.
  std::optional<Expr> operator()(Expr f);

 private:
  static constexpr std::size_t most_atoms = 40;
  /// Total degree, then the exponents by atom; monomials are compared as arrays.
  using Monomial = std::array<std::uint8_t, most_atoms + 1>;
  /// Coefficients by monomial, the largest monomial first.
  using Polynomial = std::map<Monomial, Rational, std::greater<>>;

  std::size_t atom(Expr what);
  Polynomial constant(Rational value) const;
  Polynomial variable(std::size_t atom, std::uint8_t exponent = 1) const;
  void add_scaled(Polynomial& to, const Polynomial& what, Rational scale, const Monomial& by) const;
  Polynomial scaled(const Polynomial& a, Rational scale) const;
  Polynomial product(const Polynomial& a, const Polynomial& b);
  Polynomial power(const Polynomial& a, std::int64_t exponent);
  Polynomial inverse(const Polynomial& a, Expr written);
  Polynomial inverse_of_primitive(const Polynomial& a, Expr written);
  Polynomial reduced(Polynomial a) const;
  void relate(Polynomial relation);

  void prepare(Expr f);
  const Polynomial& converted(Expr f);
  Polynomial convert(Expr f);
  Polynomial sine(Expr angle, bool cosine);
  Polynomial exponential(Expr exponent);
  Polynomial root(Expr base, const Rational& exponent);
  Expr expression(const Polynomial& a) const;

  symbolic::Graph* graph_;
  std::vector<Expr> first_;
  Order order_;
  symbolic::Effort* effort_;
  std::vector<Expr> atoms_;
  std::map<std::uint32_t, std::size_t> atom_of_;  ///< by node
  std::map<std::uint32_t, Polynomial> known_;     ///< by node
  std::vector<std::pair<Polynomial, std::size_t>> inverses_;
  std::vector<Polynomial> basis_;  ///< monic
  std::size_t pairs_ = 0;
};

}  // namespace herglotz::mechanics
