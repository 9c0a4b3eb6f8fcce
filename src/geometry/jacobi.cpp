#include "herglotz/geometry/jacobi.hpp"

#include <string>

#include "herglotz/error.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::geometry {

Expr JacobiStructure::bracket(Expr f, Expr g) const {
  return pair(Lambda, differential(u(), f), differential(u(), g)) + f * apply(E, g) - g * apply(E, f);
}

VectorField JacobiStructure::hamiltonian_field(Expr H) const {
  return sharp(differential(u(), H)) + H * E;
}

Expr JacobiStructure::jacobiator(Expr f, Expr g, Expr h) const {
  return bracket(f, bracket(g, h)) + bracket(g, bracket(h, f)) + bracket(h, bracket(f, g));
}

std::vector<Expr> JacobiStructure::skewness_defects() const {
  std::vector<Expr> defects;
  for (std::size_t A = 0; A < u().size(); ++A)
    for (std::size_t B = A; B < u().size(); ++B) defects.push_back(Lambda.components(A, B) + Lambda.components(B, A));
  return defects;
}

std::vector<Expr> JacobiStructure::schouten_defects() const {
  const Matrix& L = Lambda.components;
  std::vector<VectorField> rows;  // Lambda(du^A, .)
  for (std::size_t A = 0; A < L.rows; ++A) rows.push_back(sharp(differential(u(), u()[A])));
  const auto term = [&](std::size_t A, std::size_t B, std::size_t C) {
    return apply(rows[A], L(B, C)) + E.components[A] * L(B, C);
  };
  std::vector<Expr> defects;
  for (std::size_t A = 0; A < L.rows; ++A)
    for (std::size_t B = A + 1; B < L.rows; ++B)
      for (std::size_t C = B + 1; C < L.rows; ++C) defects.push_back(term(A, B, C) + term(B, C, A) + term(C, A, B));
  return defects;
}

std::vector<Expr> JacobiStructure::invariance_defects() const {
  const Matrix moved = lie_derivative(E, Lambda).components;
  std::vector<Expr> defects;
  for (std::size_t A = 0; A < moved.rows; ++A)
    for (std::size_t B = A + 1; B < moved.cols; ++B) defects.push_back(moved(A, B));
  return defects;
}

JacobiStructure linear_jacobi_structure(const Algebroid& algebroid, const std::vector<Expr>& p, Expr z) {
  const std::size_t n = algebroid.n();
  const std::size_t r = algebroid.r();
  if (r == 0 || p.size() != r)
    throw Refused("linear Jacobi structure: expected " + std::to_string(r) +
                  " momenta of an algebroid of rank 1 or more, got " + std::to_string(p.size()));
  Chart u = algebroid.x;
  u.insert(u.end(), p.begin(), p.end());
  u.push_back(z);
  Matrix Lambda(u.size(), u.size(), algebroid.graph->number(std::int64_t{0}));
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t i = 0; i < n; ++i) {
      Lambda(n + a, i) = algebroid.rho(i, a);
      Lambda(i, n + a) = -algebroid.sigma(i, a);
    }
    Lambda(n + a, n + r) = p[a];
    Lambda(n + r, n + a) = -p[a];
  }
  for (const auto& [place, value] : algebroid.c.nonzero()) {
    const auto& [k, a, b] = place;
    Lambda(n + a, n + b) += value * p[k];
  }
  const VectorField E = algebroid.graph->number(-1) * coordinate_field(u, n + r);
  return {{u, Lambda}, E};
}

}  // namespace herglotz::geometry
