#pragma once
/// Reduction of a system by its point symmetries. [ASC25, Ex. 3.8, Sec. 4].

#include <map>
#include <string>
#include <vector>

#include "herglotz/mechanics/point_symmetries.hpp"
#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::mechanics {

/// A section of the orbits, on which some coordinates are constant.
struct OrbitSection {
  std::vector<double> values;             ///< of the fixed coordinates (q)
  std::vector<std::size_t> moving;        ///< fields that span the orbits along it: all of them, if G acts freely (q)
  std::vector<std::vector<double>> onto;  ///< X_A = onto[A][b] X_moving[b] along it, with numbers (d x q)
};

/// Symmetries that generate a group G. Its action on the base is free near a start, or all points of a section have one
/// isotropy group.
struct SymmetryGroup {
  std::vector<std::string> names;         ///< (d)
  std::vector<std::vector<Expr>> fields;  ///< X_A (d x n)
  geometry::StructureFunctions c;         ///< [X_A, X_B] = c^C_AB X_C; numbers
  std::vector<std::size_t> fixed;         ///< the base coordinates that are constant on a section of the orbits (q)

  [[nodiscard]] std::size_t size() const { return fields.size(); }
  [[nodiscard]] bool is_free() const { return fixed.size() == size(); }
};

/// Returns the largest subalgebra that is spanned by some of the fields and whose orbits at `near` have its dimension;
/// among several, the one with the simplest fields. With `names` it is spanned by the fields of these names, whose
/// orbits may have a smaller dimension; then `moving` is that of a section. Throws Refused if there is no such
/// subalgebra, or if the named fields span none.
SymmetryGroup free_group(const System& system, const PointSymmetries& symmetries,
                         const std::map<std::string, double, std::less<>>& near,
                         const std::vector<std::string>& names = {});

/// Returns sections that are transversal to the orbits, and whose points have one isotropy group: the simplest first,
/// and that through `near` last.
std::vector<OrbitSection> orbit_sections(const System& system, const SymmetryGroup& group,
                                         const std::map<std::string, double, std::less<>>& near);

/// A system on E/G. On the section S = {x : fixed coordinates are constant}, with s the other coordinates,
///   x = g s,   x_dot = g_* (s_dot + eta^A X_A(s)),
/// so that (s, g) are coordinates of Q in which the frame (d/ds^j, eta_A) is invariant under G.
struct SymmetryReduction {
  System system;
  SymmetryGroup group;
  OrbitSection orbits;
  std::vector<Expr> section;             ///< x(s) (n)
  symbolic::Matrix frame;                ///< y = frame y' on the section (r x r)
  bool keeps_frame = true;               ///< whether y' = y
  std::vector<std::string> coordinates;  ///< the names of g^1, .., g^d if the system has them, else empty
  std::vector<std::string> left_out;     ///< sentences: what the reduced system does not have, and why
};

/// Reduces a Lagrangian system by G. If the symmetries leave the given frame as it is, the reduced algebroid has the
/// given fibre coordinates over the base S, with the anchor projected along the orbits. Otherwise E is TM in some
/// frame, and the reduced algebroid is the Atiyah algebroid TQ/G with the trivial connection of S,
///   [eta_A, eta_B] = -c^C_AB eta_C,   L'(s, s_dot, eta, z, t) = L(s, s_dot + eta^A X_A(s), z, t):
/// Lagrange-Poincare-Herglotz equations, those of Euler-Poincare-Herglotz if S is a point, and of Routh-Herglotz if G
/// is abelian. [ASC25, Eq. 7, Ex. 3.8]. The momentum of a central X_A becomes a symmetry of the reduced system.
///
/// If points of S have an isotropy group K, then L' does not depend on the eta of K. Their momenta are 0, and only g K
/// is determined. The eta of K are set to 0, the others remain, and brackets lose their part in the algebra of K. That
/// algebroid is skew; its motion is that of L.
///
/// With `group_coordinates` the base is S x G, with g = exp(g^1 X_1) .. exp(g^d X_d) reconstructed by g^-1 g_dot = eta,
/// and all momenta J_A = p X_A(g s) are symmetries. Throws Refused if exp(g^A ad_A) has no closed form
/// among nilpotent matrices, rotations, boosts and dilations.
///
/// `orbits` is one of `orbit_sections`. Constraints, forces, and outputs are carried; what is not invariant is
/// left out. Names of coordinates stay where the coordinate does, and become <name>_bar and eta1, eta2, ...
SymmetryReduction reduce_by_symmetry(const System& system, SymmetryGroup group, OrbitSection orbits,
                                     const std::map<std::string, double, std::less<>>& near,
                                     bool group_coordinates = false);

}  // namespace herglotz::mechanics
