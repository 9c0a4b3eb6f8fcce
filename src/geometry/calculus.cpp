#include "herglotz/geometry/calculus.hpp"

#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/graph.hpp"

namespace herglotz::geometry {
namespace {

Expr zero_of(const Chart& u) {
  return u.at(0).graph().number(std::int64_t{0});
}

Expr dot(const Chart& u, const std::vector<Expr>& a, const std::vector<Expr>& b) {
  std::vector<Expr> terms;
  for (std::size_t A = 0; A < u.size(); ++A)
    if (!a[A].is_zero() && !b[A].is_zero()) terms.push_back(a[A] * b[A]);
  return u.at(0).graph().add(terms);
}

std::vector<Expr> combined(const std::vector<Expr>& a, const std::vector<Expr>& b, bool plus) {
  std::vector<Expr> result;
  for (std::size_t A = 0; A < a.size(); ++A) result.push_back(plus ? a[A] + b[A] : a[A] - b[A]);
  return result;
}

std::vector<Expr> scaled(Expr f, std::vector<Expr> a) {
  for (Expr& component : a) component = f * component;
  return a;
}

/// Returns row A of a matrix of components.
std::vector<Expr> row(const Matrix& m, std::size_t A) {
  const auto from = m.entries.begin() + static_cast<std::ptrdiff_t>(A * m.cols);
  return {from, from + static_cast<std::ptrdiff_t>(m.cols)};
}

}  // namespace

VectorField operator+(const VectorField& a, const VectorField& b) {
  return {a.u, combined(a.components, b.components, true)};
}

VectorField operator-(const VectorField& a, const VectorField& b) {
  return {a.u, combined(a.components, b.components, false)};
}

VectorField operator*(Expr f, const VectorField& X) {
  return {X.u, scaled(f, X.components)};
}

OneForm operator+(const OneForm& a, const OneForm& b) {
  return {a.u, combined(a.components, b.components, true)};
}

OneForm operator-(const OneForm& a, const OneForm& b) {
  return {a.u, combined(a.components, b.components, false)};
}

OneForm operator*(Expr f, const OneForm& alpha) {
  return {alpha.u, scaled(f, alpha.components)};
}

VectorField coordinate_field(const Chart& u, std::size_t A) {
  VectorField X{u, std::vector<Expr>(u.size(), zero_of(u))};
  X.components.at(A) = u[A].graph().number(std::int64_t{1});
  return X;
}

OneForm differential(const Chart& u, Expr f) {
  return {u, symbolic::gradient(f, u)};
}

TwoForm differential(const OneForm& alpha) {
  const std::size_t N = alpha.u.size();
  const Matrix slopes = symbolic::to_dense(alpha.u.at(0).graph(), symbolic::jacobian(alpha.components, alpha.u));
  TwoForm result{alpha.u, Matrix(N, N, zero_of(alpha.u))};
  for (std::size_t A = 0; A < N; ++A)
    for (std::size_t B = 0; B < N; ++B)
      if (A != B) result.components(A, B) = slopes(B, A) - slopes(A, B);
  return result;
}

Expr apply(const VectorField& X, Expr f) {
  const std::vector<Expr> functions{f};
  return symbolic::directional_derivative(functions, X.u, X.components).front();
}

Expr pair(const OneForm& alpha, const VectorField& X) {
  return dot(alpha.u, alpha.components, X.components);
}

Expr pair(const TwoForm& omega, const VectorField& X, const VectorField& Y) {
  return pair(contract(X, omega), Y);
}

Expr pair(const Bivector& Lambda, const OneForm& alpha, const OneForm& beta) {
  return pair(beta, contract(alpha, Lambda));
}

OneForm contract(const VectorField& X, const TwoForm& omega) {
  return {X.u, multiply(transpose(omega.components), X.components)};
}

VectorField contract(const OneForm& alpha, const Bivector& Lambda) {
  return {alpha.u, multiply(transpose(Lambda.components), alpha.components)};
}

VectorField lie_bracket(const VectorField& X, const VectorField& Y) {
  return {X.u, combined(symbolic::directional_derivative(Y.components, X.u, X.components),
                        symbolic::directional_derivative(X.components, X.u, Y.components), false)};
}

OneForm lie_derivative(const VectorField& X, const OneForm& alpha) {
  return contract(X, differential(alpha)) + differential(X.u, pair(alpha, X));
}

Bivector lie_derivative(const VectorField& X, const Bivector& Lambda) {
  const std::size_t N = X.u.size();
  const Matrix slopes = symbolic::to_dense(X.u.at(0).graph(), symbolic::jacobian(X.components, X.u));
  const Matrix& L = Lambda.components;
  Bivector result{X.u, Matrix(N, N, zero_of(X.u))};
  result.components.entries = symbolic::directional_derivative(L.entries, X.u, X.components);
  for (std::size_t A = 0; A < N; ++A)
    for (std::size_t B = 0; B < N; ++B)
      result.components(A, B) -= dot(X.u, row(slopes, A), row(transpose(L), B)) + dot(X.u, row(slopes, B), row(L, A));
  return result;
}

}  // namespace herglotz::geometry
