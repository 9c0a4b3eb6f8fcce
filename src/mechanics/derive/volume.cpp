#include "herglotz/mechanics/derive/volume.hpp"

#include <algorithm>
#include <span>

#include "herglotz/error.hpp"
#include "herglotz/geometry/inverse.hpp"
#include "herglotz/symbolic/derivative.hpp"
#include "herglotz/symbolic/simplify.hpp"
#include "shorten/shortest.hpp"

namespace herglotz::mechanics {
namespace {

/// The effort that shortening a rate along constraints may take: a second or so.
constexpr std::int64_t constrained_effort = 200'000;

/// Returns A^-1 B: by minors where the formula is short, which leaves no case distinctions to readers.
Matrix quotient(const Matrix& a, const Matrix& b) {
  constexpr std::size_t by_minors = 3;
  return a.rows <= by_minors ? multiply(geometry::inverse(a, "matrix"), b) : symbolic::solve(a, b);
}

/// Returns d(values)/d(symbols), one row for each value.
Matrix slopes_of(const std::vector<Expr>& values, std::span<const Expr> symbols, const Expr& zero) {
  Matrix slopes(values.size(), symbols.size(), zero);
  for (std::size_t a = 0; a < values.size(); ++a) {
    const auto row = symbolic::gradient(symbolic::expand_lets(values[a]), symbols);
    for (std::size_t b = 0; b < symbols.size(); ++b) slopes(a, b) = row[b];
  }
  return slopes;
}

/// Returns (rho - sigma)^i_a dy^a/dx^i + c^k_ij p_k dy^i/dp_j with the derivatives of y(x, p, z), which vanishes for
/// one anchor and a skew bracket.
Expr asymmetry_rate(const System& system, const Equations& q) {
  const geometry::Algebroid& e = system.algebroid;
  const std::size_t r = e.r();
  const Expr zero = system.graph().number(std::int64_t{0});
  Matrix differences(r, e.n(), zero);
  Matrix turned(r, r, zero);
  bool acts = false;
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t i = 0; i < e.n(); ++i) {
      differences(a, i) = e.rho(i, a) - e.sigma(i, a);
      acts = acts || !differences(a, i).is_zero();
    }
  }
  for (const auto& [place, value] : e.c.nonzero()) {
    const auto& [k, a, b] = place;
    turned(a, b) += value * q.p[k];
    acts = acts || !(value + e.c(k, b, a)).is_zero();
  }
  if (!acts) return zero;
  Matrix by_x;
  Matrix by_p;
  if (system.formulation == Formulation::hamiltonian) {
    by_x = slopes_of(q.y, e.x, zero);
    by_p = slopes_of(q.y, system.w(), zero);
  } else {
    by_x = quotient(q.W, slopes_of(q.p, e.x, zero));
    for (Expr& entry : by_x.entries) entry = -entry;
    by_p = quotient(q.W, symbolic::identity(system.graph(), r));
  }
  Expr rate = zero;
  for (std::size_t k = 0; k < differences.entries.size(); ++k) rate += differences.entries[k] * by_x.entries[k];
  for (std::size_t k = 0; k < turned.entries.size(); ++k) rate += turned.entries[k] * by_p.entries[k];
  return rate;
}

/// Returns lambda_A Phi^A_y^a by fibre coordinate, from Phi_w W^-1 (b + Phi_y^T lambda) = -beta.
std::vector<Expr> constraint_forces(const Equations& q) {
  const std::size_t m = q.m();
  const std::size_t r = q.b.size();
  Matrix columns(r, m + 1, q.L_z.graph().number(std::int64_t{0}));
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t A = 0; A < m; ++A) columns(a, A) = q.Phi_y(A, a);
    columns(a, m) = q.b[a];
  }
  const Matrix along = multiply(q.Phi_w, quotient(q.W, columns));  // (m x m + 1)
  Matrix C(m, m, columns(0, 0));
  Matrix side(m, 1, columns(0, 0));
  for (std::size_t A = 0; A < m; ++A) {
    for (std::size_t B = 0; B < m; ++B) C(A, B) = along(A, B);
    side(A, 0) = -q.beta[A] - along(A, m);
  }
  const Matrix lambda = quotient(C, side);
  return multiply(transpose(q.Phi_y), lambda.entries);
}

}  // namespace

Expr volume_rate(const System& system, const Equations& q) {
  if (system.constraints.rule == Rule::vakonomic)
    throw Refused("volume_rate is the rate of volumes without constraints or with nonholonomic ones",
                  "leave the column out");
  const geometry::Algebroid& e = system.algebroid;
  const std::size_t r = e.r();
  Expr rate = system.graph().number(static_cast<std::int64_t>(r + 1)) * q.L_z;
  for (std::size_t a = 0; a < r; ++a) {
    Expr modular = system.graph().number(std::int64_t{0});
    for (std::size_t i = 0; i < e.n(); ++i) modular += symbolic::derivative(e.rho(i, a), e.x[i]);
    for (std::size_t j = 0; j < r; ++j) modular += e.c(j, a, j);
    rate += q.y[a] * modular;
  }
  rate += asymmetry_rate(system, q);
  std::vector<Expr> forces = system.forces;
  if (q.m() > 0) {
    const auto of_constraints = constraint_forces(q);
    for (std::size_t a = 0; a < r; ++a) forces[a] += of_constraints[a];
  }
  const Matrix slopes = slopes_of(forces, system.w(), system.graph().number(std::int64_t{0}));
  if (std::any_of(slopes.entries.begin(), slopes.entries.end(), [](const Expr& entry) { return !entry.is_zero(); })) {
    const Matrix product = quotient(q.W, slopes);
    for (std::size_t a = 0; a < r; ++a) rate += product(a, a);
  }
  if (q.m() == 0) return symbolic::simplify(rate);
  symbolic::Effort effort{constrained_effort};
  return shortest(rate, effort, q.Phi);
}

}  // namespace herglotz::mechanics
