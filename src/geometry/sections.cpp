#include "herglotz/geometry/sections.hpp"

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::geometry {
namespace {

Expr zero_of(const Algebroid& e) {
  return e.graph->number(std::int64_t{0});
}

void require_rank(const Algebroid& e, const std::vector<Expr>& components) {
  if (components.size() != e.r())
    throw Refused("a section has " + std::to_string(components.size()) + " components",
                  "give one for each of the " + std::to_string(e.r()) + " fibre coordinates");
}

/// Returns the derivatives of functions along the field anchor(s) on the base.
std::vector<Expr> along(const Algebroid& e, const Matrix& anchor, const Section& s, const std::vector<Expr>& f) {
  if (e.n() == 0) return {f.size(), zero_of(e)};
  return symbolic::directional_derivative(f, e.x, symbolic::multiply(anchor, s));
}

/// Returns c^k_ij s^i u^j.
Section algebraic_bracket(const Algebroid& e, const Section& s, const Section& u) {
  Section bracket(e.r(), zero_of(e));
  for (const auto& [place, c] : e.c.nonzero()) bracket[place[0]] += c * s[place[1]] * u[place[2]];
  return bracket;
}

/// Returns a field on E by its components along the base and along the fibre.
VectorField field_on(const Algebroid& e, std::vector<Expr> base, const std::vector<Expr>& fibre) {
  Chart u = e.x;
  u.insert(u.end(), e.y.begin(), e.y.end());
  base.insert(base.end(), fibre.begin(), fibre.end());
  return {std::move(u), std::move(base)};
}

Section basis_section(const Algebroid& e, std::size_t a) {
  Section s(e.r(), zero_of(e));
  s[a] = e.graph->number(std::int64_t{1});
  return s;
}

}  // namespace

Section section_bracket(const Algebroid& algebroid, const Section& s, const Section& u) {
  require_rank(algebroid, s);
  require_rank(algebroid, u);
  Section bracket = algebraic_bracket(algebroid, s, u);
  const auto of_u = along(algebroid, algebroid.rho, s, u);
  const auto of_s = along(algebroid, algebroid.sigma, u, s);
  for (std::size_t k = 0; k < bracket.size(); ++k) bracket[k] += of_u[k] - of_s[k];
  return bracket;
}

VectorField vertical_lift(const Algebroid& algebroid, const Section& s) {
  require_rank(algebroid, s);
  return field_on(algebroid, std::vector<Expr>(algebroid.n(), zero_of(algebroid)), s);
}

VectorField complete_lift(const Algebroid& algebroid, const Section& s) {
  require_rank(algebroid, s);
  Section fibre = algebraic_bracket(algebroid, algebroid.y, s);
  const auto moved = along(algebroid, algebroid.rho, algebroid.y, s);
  for (std::size_t k = 0; k < fibre.size(); ++k) fibre[k] += moved[k];
  return field_on(algebroid, symbolic::multiply(algebroid.sigma, s), fibre);
}

std::vector<Expr> exterior_derivative(const Algebroid& algebroid, Expr f) {
  std::vector<Expr> d;
  for (std::size_t a = 0; a < algebroid.r(); ++a)
    d.push_back(along(algebroid, algebroid.rho, basis_section(algebroid, a), {f}).front());
  return d;
}

Matrix exterior_derivative(const Algebroid& algebroid, const std::vector<Expr>& alpha) {
  require_rank(algebroid, alpha);
  const std::size_t r = algebroid.r();
  Matrix d(r, r, zero_of(algebroid));
  for (std::size_t a = 0; a < r; ++a) {
    const auto left = along(algebroid, algebroid.rho, basis_section(algebroid, a), alpha);
    const auto right = along(algebroid, algebroid.sigma, basis_section(algebroid, a), alpha);
    for (std::size_t b = 0; b < r; ++b) {
      d(a, b) += left[b];
      d(b, a) -= right[b];
    }
  }
  for (const auto& [place, c] : algebroid.c.nonzero()) d(place[1], place[2]) -= c * alpha[place[0]];
  return d;
}

}  // namespace herglotz::geometry
