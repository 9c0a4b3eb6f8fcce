#pragma once
/// Point symmetries of a system: vector fields on the base whose lifts leave everything as it is. [ASC25, Sec. 4].

#include <map>
#include <string>
#include <vector>

#include "herglotz/mechanics/system.hpp"
#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::mechanics {

/// Vector fields X_A = X_A^i(x) d/dx^i, with their Lie algebra [X_A, X_B] = c^C_AB X_C.
struct PointSymmetries {
  std::vector<std::string> names;  ///< the name of a declared symmetry, of a translated coordinate, or symmetry<k>
  std::vector<std::vector<Expr>> fields;  ///< components (d x n)
  /// Structure constants, as c(C, A, B); numbers. Zero where `closed` is false for the pair.
  geometry::StructureFunctions c;
  std::vector<std::vector<bool>> closed;  ///< whether [X_A, X_B] is in the span (d x d)
  /// The number of further fields that leave the Lagrangian as it is, but not the forces or the constraints.
  std::size_t of_lagrangian_only = 0;

  [[nodiscard]] std::size_t size() const { return fields.size(); }
};

/// Returns a basis of the fields X of the ansatz that are symmetries of a Lagrangian system for all values of its
/// parameters: the lift of X to E preserves the algebroid, annihilates L and the constraints, and keeps the forces. On
/// a tangent bundle, in any frame, the lift is the complete lift, so that X^C L = 0 [ASC25, Eq. 22]. Of other
/// algebroids only fields are found that leave the given frame as it is: [X, rho_a] = 0 and X c = 0.
///
/// A component of the ansatz is a polynomial of degree 2 in the coordinates that are no angles, plus a sum of products
/// of at most two sines and cosines. Their arguments are angles, and coordinates that nothing depends on. An angle is a
/// coordinate that the system has inside sines, cosines or tangents, in combinations whose coefficients are numbers and
/// parameters. The sum may be
/// divided by a factor x, sin x or cos x of the determinant of W. The symmetry condition is linear in the coefficients.
/// It is solved in rational numbers at points around `near` (values of base coordinates by name), and every field is
/// checked at further points.
PointSymmetries point_symmetries(const System& system, const std::map<std::string, double, std::less<>>& near);

/// Returns A^a_b(x) with dy^a = A^a_b y^b for the lift of X to E: rho A_b = [rho_b, X] on a tangent bundle, and 0 where
/// the frame stays as it is. (r x r).
symbolic::Matrix lift_of(const System& system, const std::vector<Expr>& field);

/// Returns whether E is TM in some frame: rho is invertible and the bracket is that of its fields, at points around
/// `near`.
bool is_tangent_in_a_frame(const System& system, const std::map<std::string, double, std::less<>>& near);

}  // namespace herglotz::mechanics
