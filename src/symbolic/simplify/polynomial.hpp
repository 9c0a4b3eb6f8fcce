#pragma once
/// Sums of products of atoms, with rational exponents and coefficients; like terms are merged.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "herglotz/symbolic/graph.hpp"
#include "simplify/measure.hpp"

namespace herglotz::symbolic {

/// A power of an atom (index into the ring) with a nonzero rational exponent.
struct Power {
  std::uint32_t atom = 0;
  Rational exponent{1};
  friend bool operator==(const Power&, const Power&) = default;
};

/// Powers by ascending atom.
using Monomial = std::vector<Power>;

/// Lexicographic order of the exponents, which is compatible with multiplication also for negative exponents.
struct MonomialOrder {
  bool operator()(const Monomial& a, const Monomial& b) const;
};

/// Nonzero coefficients by monomial.
using Polynomial = std::map<Monomial, Rational, MonomialOrder>;

/// Exception: the allowed work is used up, or an exact coefficient does not fit. The caller keeps its current form.
struct Exhausted {};

/// The product content * common * rest, with rest free of common numbers and factors.
struct Split {
  Rational content{1};
  Monomial common;
  Polynomial rest;
};

/// The atoms of one simplification and the arithmetic on them. Every operation counts against a budget of term
/// products, so that the effort is bounded and the same on every machine.
class Ring {
 public:
  Ring(Graph& graph, std::int64_t budget, std::size_t most_terms)
      : graph_(graph), budget_(budget), most_terms_(most_terms) {}

  [[nodiscard]] Graph& graph() const { return graph_; }
  [[nodiscard]] std::int64_t budget() const { return budget_; }
  void spend(std::size_t steps);

  /// Returns the atom with this canonical form, which is printed as `shown`.
  std::uint32_t atom(Expr canonical, Expr shown);
  [[nodiscard]] Expr canonical(std::uint32_t atom) const { return canonical_[atom]; }
  [[nodiscard]] Expr shown(std::uint32_t atom) const { return shown_[atom]; }
  [[nodiscard]] std::size_t size(std::uint32_t atom) const { return size_[atom]; }
  [[nodiscard]] std::size_t atoms() const { return canonical_.size(); }
  /// Sets the value of an atom: the argument of an exponential, or a sum in a denominator.
  void define(std::uint32_t atom, Polynomial value) { value_[atom] = std::move(value); }
  [[nodiscard]] const Polynomial* definition(std::uint32_t atom) const;

  [[nodiscard]] Measure& measure() { return measure_; }
  /// Returns b if it reads more easily than a and is not longer, else a.
  Expr better(Expr a, Expr b);

  Polynomial number(const Rational& q);
  Polynomial power_of(std::uint32_t atom, const Rational& exponent = Rational(1));
  void add_term(Polynomial& p, const Monomial& m, const Rational& coefficient);
  Polynomial add(const Polynomial& a, const Polynomial& b, const Rational& scale = Rational(1));
  Polynomial multiply(const Polynomial& a, const Polynomial& b);
  Polynomial power(const Polynomial& a, std::int64_t n);
  /// Returns a/b if b divides a, else `std::nullopt`.
  std::optional<Polynomial> quotient(Polynomial a, const Polynomial& b);
  Split split(const Polynomial& p);

  /// Returns the product of two monomials; numbers and exponentials merge.
  std::pair<Monomial, Rational> product(const Monomial& a, const Monomial& b);

  Expr expression(const Polynomial& p, bool canonical) const;
  Expr expression(const Monomial& m, const Rational& coefficient, bool canonical) const;
  /// Returns the number of symbols printed for p, term by term.
  [[nodiscard]] std::size_t size(const Polynomial& p) const;

 private:
  void merge_exponentials(Monomial& m);
  [[nodiscard]] bool is_exponential(std::uint32_t atom) const { return canonical_[atom].op() == Op::exp; }

  Graph& graph_;
  std::int64_t budget_;
  std::size_t most_terms_;
  Measure measure_;
  std::vector<Expr> canonical_;
  std::vector<Expr> shown_;
  std::vector<std::size_t> size_;
  std::unordered_map<NodeId, std::uint32_t> index_;
  std::unordered_map<std::uint32_t, Polynomial> value_;
};

inline const Rational kZero{0};
inline const Rational kOne{1};

Rational exact(const std::optional<Rational>& q);
Rational negated(const Rational& q);

}  // namespace herglotz::symbolic
