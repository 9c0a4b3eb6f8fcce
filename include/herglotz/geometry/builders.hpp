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

/// E = TM: rho = sigma = identity, c = 0. Needs n = r.
Algebroid tangent(std::shared_ptr<Graph> graph, Coordinates coordinates);
/// A frame e_a = frame(a, i) d/dx^i of TM (r x n): rho^i_a = frame(a, i), c from [e_a, e_b] by solving in the frame.
/// r = n and an invertible frame are needed; otherwise std::invalid_argument says so.
Algebroid hamel(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& frame);
/// A Lie algebra over a point: n = 0. `group` names one of group_names() whose structure c is; it may be empty.
Algebroid lie_algebra(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c,
                      std::string_view group = {});
/// Action algebroid M x g: generators(a, i) = component i of the infinitesimal generator of e_a (r x n).
Algebroid action(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c, const Matrix& generators,
                 std::string_view group = {});
/// Atiyah algebroid in a trivialisation: fibre = n base velocities then d vertical ones, connection(i, B) = A_i^B
/// (n x d); the curvature is derived. Bracket convention of [ASC25, Ex. 3.8].
Algebroid atiyah(std::shared_ptr<Graph> graph, Coordinates coordinates, StructureFunctions c, const Matrix& connection,
                 std::string_view group = {});
/// Direct product over the product base; coordinates in the order of the factors, all in one graph.
Algebroid product(const std::vector<Algebroid>& factors);
/// Any general algebroid: anchor(a, i) and right_anchor(a, i) are (r x n) as in model files.
Algebroid custom(std::shared_ptr<Graph> graph, Coordinates coordinates, const Matrix& anchor, StructureFunctions c,
                 const std::optional<Matrix>& right_anchor = std::nullopt);

/// The named Lie algebras: so3 se2 se3 su2 sl2 heisenberg abelian.
const std::vector<std::string_view>& group_names();
/// The dimension of a named group (for abelian: the rank that was asked for); nothing for an unknown name.
std::optional<std::size_t> group_dimension(std::string_view group, std::size_t rank);
/// Its structure constants in the documented basis order.
StructureFunctions group_structure(Graph& graph, std::string_view group, std::size_t rank);

/// The adjoint algebroid, by transposing the 2-contravariant tensor of (rho, sigma, c): bracket [X, Y]+ = [Y, X], that
/// is
/// (-sigma, -rho, c^k_ji). An algebroid is skew exactly when its adjoint is its opposite. [GG08, Sec. 2].
Algebroid adjoint(const Algebroid& algebroid);
/// The opposite algebroid: (-rho, -sigma, -c).
Algebroid opposite(const Algebroid& algebroid);
/// The algebroid of a linear constraint [GG08, Ex. 2]: a subbundle spanned by `span_` rows (r' x r) of an algebroid
/// with a fibre metric g (r x r); the bracket is the orthogonal projection of the ambient bracket. y names the new
/// fibre.
Algebroid constrained(const Algebroid& ambient, std::vector<Expr> y, const Matrix& span_, const Matrix& metric);

}  // namespace herglotz::geometry
