#pragma once
/// An algebroid in coordinates: the triple (rho, sigma, c). Theory, Sec. 1; [GG08, Eq. 2.3].

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "herglotz/symbolic/graph.hpp"
#include "herglotz/symbolic/matrix.hpp"

namespace herglotz::geometry {

using symbolic::Expr;
using symbolic::Graph;
using symbolic::Matrix;

/// Structure functions c^k_ij(x) with [e_i, e_j] = c^k_ij e_k, as c(k, i, j); (r x r x r). Those that are zero take no
/// memory, and most of a large algebroid are.
class StructureFunctions {
 public:
  using Place = std::array<std::size_t, 3>;  ///< (k, i, j)

  StructureFunctions() = default;
  /// Makes structure functions that are all zero.
  StructureFunctions(std::size_t rank, Expr zero) : rank_(rank), zero_(zero) {}
  const Expr& operator()(std::size_t k, std::size_t i, std::size_t j) const {
    const auto entry = nonzero_.find({k, i, j});
    return entry == nonzero_.end() ? zero_ : entry->second;
  }
  void set(std::size_t k, std::size_t i, std::size_t j, Expr value) {
    if (value.is_zero())
      nonzero_.erase({k, i, j});
    else
      nonzero_.insert_or_assign({k, i, j}, value);
  }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// Returns those that are not identically zero as they are written, in the order of their places.
  [[nodiscard]] const std::map<Place, Expr>& nonzero() const { return nonzero_; }

 private:
  std::size_t rank_ = 0;
  Expr zero_;
  std::map<Place, Expr> nonzero_;
};

/// A factor of a Lie group with a matrix representation of its own: fibre coordinates first .. first + size.
struct GroupFactor {
  std::string group;  ///< so3 se2 se3 su2 sl2 heisenberg abelian
  std::size_t first = 0;
  std::size_t size = 0;
};

/// Action groupoid that an algebroid integrates to. In the frame y = B(x) xi the structure functions are constants c
/// and the anchor consists of complete generators rho, so that a Lie group acts on M from the right by their flows. The
/// groupoid of TM is the pair groupoid Q x Q (translations), the groupoid of a Lie algebra is its group, and the
/// groupoid of an Atiyah algebroid is Q x Q x G in a trivialisation.
struct Integration {
  Matrix frame;                      ///< B(x) (r x r)
  StructureFunctions c;              ///< constants, in that frame
  Matrix rho;                        ///< generators in that frame (n x r)
  std::vector<GroupFactor> factors;  ///< all factors of the group; empty if a factor is not a named group
};

/// A block of coordinates whose builder promises a Lie algebroid: equal anchors, a skew bracket, an anchor that is a
/// homomorphism of brackets, and Jacobi's identity.
struct Promise {
  std::string kind;            ///< the name of the builder
  std::size_t first_base = 0;  ///< base coordinates first_base .. first_base + n
  std::size_t n = 0;
  std::size_t first_fibre = 0;  ///< fibre coordinates first_fibre .. first_fibre + r
  std::size_t r = 0;
};

/// Algebroid in coordinates. Code that uses it must not ask which builder made it, except to print `kind`.
struct Algebroid {
  std::string kind;  ///< the builder's name, for people
  std::shared_ptr<Graph> graph;
  std::vector<Expr> x;                                    ///< base coordinates, n symbols
  std::vector<Expr> y;                                    ///< fibre coordinates, r symbols
  Matrix rho;                                             ///< left anchor rho^i_a (n x r)
  Matrix sigma;                                           ///< right anchor sigma^i_a (n x r)
  StructureFunctions c;                                   ///< (r x r x r)
  std::optional<Integration> integration = std::nullopt;  ///< `std::nullopt` if no groupoid is known
  std::vector<Promise> promises{};                        ///< empty for general algebroids

  [[nodiscard]] std::size_t n() const { return x.size(); }
  [[nodiscard]] std::size_t r() const { return y.size(); }
};

/// Returns whether the fibre coordinates are the velocities of the base, that is rho = sigma = 1 and c = 0, whichever
/// builder made the algebroid.
bool is_tangent(const Algebroid& algebroid);

}  // namespace herglotz::geometry
