#pragma once
/// Vector fields and differential forms by their components in one chart, and the calculus on them.

#include <vector>

#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

using symbolic::Expr;
using symbolic::Matrix;

/// Coordinate symbols u^A of an open set; every other symbol in components is a parameter.
using Chart = std::vector<Expr>;

/// Vector field X = X^A d/du^A.
struct VectorField {
  Chart u;
  std::vector<Expr> components;  ///< (N)
};

/// 1-form alpha = alpha_A du^A.
struct OneForm {
  Chart u;
  std::vector<Expr> components;  ///< (N)
};

/// Any covariant 2-tensor, omega(X, Y) = omega_AB X^A Y^B.
struct TwoForm {
  Chart u;
  Matrix components;  ///< (N x N)
};

/// Any contravariant 2-tensor, Lambda(alpha, beta) = Lambda^AB alpha_A beta_B.
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

/// Returns the field of a coordinate, d/du^A.
VectorField coordinate_field(const Chart& u, std::size_t A);

/// Returns df.
OneForm differential(const Chart& u, Expr f);
/// Returns d alpha with (d alpha)_AB = d_A alpha_B - d_B alpha_A, so that d alpha(X, Y) = X(alpha(Y)) - Y(alpha(X)) -
/// alpha([X, Y]).
TwoForm differential(const OneForm& alpha);

/// Returns X(f), the Lie derivative of a function.
Expr apply(const VectorField& X, Expr f);
/// Returns alpha(X).
Expr pair(const OneForm& alpha, const VectorField& X);
Expr pair(const TwoForm& omega, const VectorField& X, const VectorField& Y);
Expr pair(const Bivector& Lambda, const OneForm& alpha, const OneForm& beta);
/// Returns i_X omega = omega(X, .).
OneForm contract(const VectorField& X, const TwoForm& omega);
/// Returns Lambda(alpha, .).
VectorField contract(const OneForm& alpha, const Bivector& Lambda);

/// Returns [X, Y], whose components are X(Y^A) - Y(X^A).
VectorField lie_bracket(const VectorField& X, const VectorField& Y);
/// Returns L_X alpha = i_X d alpha + d(alpha(X)).
OneForm lie_derivative(const VectorField& X, const OneForm& alpha);
/// Returns L_X Lambda.
Bivector lie_derivative(const VectorField& X, const Bivector& Lambda);

}  // namespace herglotz::geometry
