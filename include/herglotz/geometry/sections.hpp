#pragma once
/// Sections of an algebroid: their brackets, their lifts to fields on E, and the exterior derivative. They need no
/// Lagrangian. [GG08, Sec. 2; ASC25, Sec. 2].

#include <vector>

#include "herglotz/geometry/algebroid.hpp"
#include "herglotz/geometry/calculus.hpp"

namespace herglotz::geometry {

/// Components s^a of a section s = s^a e_a, functions on the base (r). Functions below that take components of another
/// number throw Refused.
using Section = std::vector<Expr>;

/// Returns [s, u]^k = rho(s)(u^k) - sigma(u)(s^k) + c^k_ij s^i u^j. [GG08, Thm 1].
Section section_bracket(const Algebroid& algebroid, const Section& s, const Section& u);

/// Returns the field s^V = s^a d/dy^a on E, in the chart (x, y). [GG08, Sec. 2].
VectorField vertical_lift(const Algebroid& algebroid, const Section& s);
/// Returns the field s^C = sigma^i_a s^a d/dx^i + (rho^i_b y^b s^k_i + c^k_ij y^i s^j) d/dy^k on E, in the chart (x,
/// y). A section is a symmetry of L exactly if s^C L = 0. [ASC25, Eq. 22].
VectorField complete_lift(const Algebroid& algebroid, const Section& s);

/// Returns d^E f of a function on the base, (d f)_a = rho^i_a f_i (r). [ASC25, Sec. 2].
std::vector<Expr> exterior_derivative(const Algebroid& algebroid, Expr f);
/// Returns d^E alpha of a section alpha_a e^a of E* (r),
///   (d alpha)_ab = rho^i_a d_i alpha_b - sigma^i_b d_i alpha_a - c^k_ab alpha_k (r x r).
/// d d f = 0 for every function exactly if the anchor is a homomorphism of brackets and the anchors agree.
Matrix exterior_derivative(const Algebroid& algebroid, const std::vector<Expr>& alpha);

}  // namespace herglotz::geometry
