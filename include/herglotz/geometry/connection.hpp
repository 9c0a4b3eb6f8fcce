#pragma once
/// TM-connections on the algebroid, given by arbitrary Christoffel symbols. [ASC25, Sec. 5].

#include "herglotz/geometry/sections.hpp"

namespace herglotz::geometry {

/// Connection nabla_{d/dx^i} e_a = Gamma^b_{ia} e_b, stored densely as gamma(b, i, a); (r x n x r).
class Connection {
 public:
  Connection(std::size_t n, std::size_t r, Expr zero) : n_(n), r_(r), entries_(n * r * r, zero) {}
  Expr& operator()(std::size_t b, std::size_t i, std::size_t a) { return entries_[(b * n_ + i) * r_ + a]; }
  const Expr& operator()(std::size_t b, std::size_t i, std::size_t a) const { return entries_[(b * n_ + i) * r_ + a]; }

 private:
  std::size_t n_;
  std::size_t r_;
  std::vector<Expr> entries_;
};

/// Returns the curvature R^b_aij at [((b r + a) n + i) n + j], where nabla_i nabla_j e_a - nabla_j nabla_i e_a =
/// R^b_aij e_b. `x` are the n base coordinates and r is the rank. [ASC25, Sec. 5].
std::vector<Expr> curvature(const Connection& gamma, const std::vector<Expr>& x, std::size_t r);

/// Returns nabla_X s for a vector field X^i d/dx^i on the base (n), (nabla_X s)^b = X^i (d_i s^b + Gamma^b_ia s^a).
/// [ASC25, Sec. 5].
Section nabla(const Algebroid& algebroid, const Connection& gamma, const std::vector<Expr>& X, const Section& s);
/// Returns nabla-bar_s u = nabla_sigma(u) s + [s, u], the E-connection on E that nabla induces; sigma is
/// the right anchor. [ASC25, Sec. 5].
Section nabla_bar(const Algebroid& algebroid, const Connection& gamma, const Section& s, const Section& u);

}  // namespace herglotz::geometry
