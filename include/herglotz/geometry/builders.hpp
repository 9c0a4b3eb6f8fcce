#pragma once
/// Builders of algebroids: each kind of the model file's [algebroid] table is one function here.

#include <optional>
#include <string_view>
#include <vector>

#include "herglotz/geometry/algebroid.hpp"

namespace herglotz::geometry {

/// Names of coordinates; symbols are made in the graph.
struct Coordinates {
  std::vector<Expr> x;  ///< n base symbols
  std::vector<Expr> y;  ///< r fibre symbols
};

/// Builds E = TM with rho = sigma = identity and c = 0. It needs n = r.
Algebroid tangent(std::shared_ptr<Graph> graph, Coordinates coordinates);
/// Builds TM in a frame e_a = frame(a, i) d/dx^i (r x n): rho^i_a = frame(a, i), and c follows from [e_a, e_b] by
/// solving in the frame. Throws Refused unless r = n and the frame is invertible.
Algebroid hamel(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& frame);
/// Builds a Lie algebra over a point, with n = 0. `group` is the name in group_names() of the group with structure c,
/// or empty.
Algebroid lie_algebra(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c,
                      std::string_view group = {});
/// Builds the action algebroid M x g: generators(a, i) is component i of the infinitesimal generator of e_a (r x n).
Algebroid action(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c, const Matrix& generators,
                 std::string_view group = {});
/// Builds an Atiyah algebroid in a trivialisation. The fibre coordinates are n base velocities, then d vertical
/// velocities; connection(i, B) = A_i^B (n x d), and the curvature is derived. The bracket convention is the one of
/// [ASC25, Ex. 3.8].
Algebroid atiyah(std::shared_ptr<Graph> graph, Coordinates coordinates, const StructureFunctions& c,
                 const Matrix& connection, std::string_view group = {});
/// Builds the direct product over the product base. The coordinates are in the order of the factors, all in one graph.
Algebroid product(const std::vector<Algebroid>& factors);
/// Builds any general algebroid; anchor(a, i) and right_anchor(a, i) are (r x n) as in model files.
Algebroid custom(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& anchor, StructureFunctions c,
                 const std::optional<Matrix>& right_anchor = std::nullopt);

/// Returns the names of the known Lie algebras: so3 se2 se3 su2 sl2 heisenberg abelian.
const std::vector<std::string_view>& group_names();
/// Returns the dimension of a named group (for abelian: `rank`), or `std::nullopt` for an unknown name.
std::optional<std::size_t> group_dimension(std::string_view group, std::size_t rank);
/// Returns the structure constants of a named group in the documented basis order.
StructureFunctions group_structure(Graph& graph, std::string_view group, std::size_t rank);

/// Builds the adjoint algebroid (-sigma, -rho, c^k_ji) by transposing the 2-contravariant tensor of (rho, sigma, c);
/// its bracket is [X, Y]+ = [Y, X]. An algebroid is skew exactly if its adjoint is its opposite. [GG08, Sec. 2].
Algebroid adjoint(const Algebroid& algebroid);
/// Builds the opposite algebroid (-rho, -sigma, -c).
Algebroid opposite(const Algebroid& algebroid);
/// Builds the algebroid of a linear constraint [GG08, Ex. 2]: the subbundle spanned by the rows of `span_` (r' x r) in
/// an algebroid with a fibre metric g (r x r). Its bracket is the orthogonal projection of the ambient bracket; y are
/// the new fibre coordinates.
Algebroid constrained(const Algebroid& ambient, std::vector<Expr> y, const Matrix& span_, const Matrix& metric);

}  // namespace herglotz::geometry
