#pragma once
/// Explicit contact steps for H = T(p, t) + U(q, z, t): splitting and Lobatto IIIA-IIIB. Theory, Sec. 4.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/program.hpp"

namespace herglotz::discrete {

using symbolic::Expr;

/// Two parts of H whose flows are explicit; V(q, t) + f(z, t) is a case of U.
struct SplitHamiltonian {
  Expr T;  ///< a function of (p, t), with p = system.p
  Expr U;  ///< a function of (q, z, t)
};

/// Splits p.y - L, or a Hamiltonian. Throws Refused that names a term that belongs to neither part, a
/// force, or a kinetic energy whose Legendre transform has no closed form; it also throws unless the fibre coordinates
/// are the velocities of the base.
SplitHamiltonian split(const mechanics::System& system);

/// Programs of a symmetric step of order 2 from (x, p, z, t), as straight-line code.
struct ExplicitPrograms {
  std::size_t constants = 0;  ///< number of values that depend on h and parameters only
  symbolic::Program prepare;  ///< variables (h): the constants
  symbolic::Program step;     ///< variables (x, p, z, g, s, t, h, constants): increments of (x, p, z, g, s, log R)
};

/// Composes half a flow of T, a flow of U and half a flow of T, with T at t + h/4 and t + 3h/4 and U at t + h/2. The
/// flow of U for a time h is z -> Phi(z, q), p -> Phi_z p + Phi_q, where Phi solves z' = -U with q and t fixed. It is a
/// conformal contact map with factor Phi_z for every Phi. Phi is exact if U is affine in z; otherwise it is the
/// extrapolated midpoint rule of order 8 [HNW93, II.9] with its exact derivatives. The step also advances a budget
/// dg/dt = L_z g + source for each of the `sources`, functions of (x, p, z, t): with s the sources at the state and
/// sigma = 1/R of the step, g1 = sigma (g0 + h/2 s0) + h/2 s1.
ExplicitPrograms splitting_step(const mechanics::System& system, const SplitHamiltonian& parts,
                                std::span<const Expr> sources = {});

/// Returns the step of Lobatto IIIA-IIIB of order 2 for the lift (contact Verlet). With the trapezoidal rule in q, z
/// and t,
///   P = (1 - h/2 U_z(0)) p0 - h/2 U_q(0),  q1 = q0 + h T_p(P),  (1 + h/2 U_z(1)) p1 = P - h/2 U_q(1),
///   z1 = z0 + h (P.T_p - T) - h/2 (U(0) + U(1)).
/// Returns `std::nullopt` if this is implicit, that is if U is not affine in z or T depends on t. [VBS19], [ASMLL20,
/// Sec. 5].
std::optional<ExplicitPrograms> verlet_step(const mechanics::System& system, const SplitHamiltonian& parts,
                                            std::span<const Expr> sources = {});

}  // namespace herglotz::discrete
