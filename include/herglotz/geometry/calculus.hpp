#pragma once
/// Vector fields and differential forms by their components in one chart, and the calculus on them.

#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

using symbolic::Expr;
using symbolic::Matrix;

/// Coordinate symbols u^A of an open set; whatever else occurs in components is a parameter.
using Chart = std::vector<Expr>;

/// X = X^A d/du^A.
struct VectorField {
  Chart u;
  std::vector<Expr> components;  ///< (N)
};

/// alpha = alpha_A du^A.
struct OneForm {
  Chart u;
  std::vector<Expr> components;  ///< (N)
};

/// omega(X, Y) = omega_AB X^A Y^B: any covariant 2-tensor.
struct TwoForm {
  Chart u;
  Matrix components;  ///< (N x N)
};

/// Lambda(alpha, beta) = Lambda^AB alpha_A beta_B: any contravariant 2-tensor.
struct Bivector {
  Chart u;
  Matrix components;  ///< (N x N)
};

VectorField operator+(const VectorField& a, const VectorField& b);
VectorField operator-(const VectorField& a, const VectorField& b);
VectorField operator*(Expr f, const VectorField& X);
OneForm operator+(const OneForm& a, const OneForm& b);
OneForm operator-(const OneForm& a, const OneForm& b);
OneForm operator*(Expr f, const OneForm& alpha);

/// The field of a coordinate, d/du^A.
VectorField coordinate_field(const Chart& u, std::size_t A);

/// df.
OneForm differential(const Chart& u, Expr f);
/// d alpha: (d alpha)_AB = d_A alpha_B - d_B alpha_A, so that d alpha(X, Y) = X(alpha(Y)) - Y(alpha(X)) - alpha([X,
/// Y]).
TwoForm differential(const OneForm& alpha);

/// X(f), the Lie derivative of a function.
Expr apply(const VectorField& X, Expr f);
/// alpha(X).
Expr pair(const OneForm& alpha, const VectorField& X);
Expr pair(const TwoForm& omega, const VectorField& X, const VectorField& Y);
Expr pair(const Bivector& Lambda, const OneForm& alpha, const OneForm& beta);
/// i_X omega = omega(X, .).
OneForm contract(const VectorField& X, const TwoForm& omega);
/// Lambda(alpha, .).
VectorField contract(const OneForm& alpha, const Bivector& Lambda);

/// [X, Y] = X(Y^A) - Y(X^A).
VectorField lie_bracket(const VectorField& X, const VectorField& Y);
/// i_X d alpha + d(alpha(X)).
OneForm lie_derivative(const VectorField& X, const OneForm& alpha);
/// (L_X Lambda)^AB.
Bivector lie_derivative(const VectorField& X, const Bivector& Lambda);

}  // namespace herglotz::geometry
