#pragma once
/// Singular Lagrangians: the constraint algorithm on the Pontryagin bundle. [GN79; LL19; SR83].

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "herglotz/error.hpp"
#include "herglotz/mechanics/equations.hpp"

namespace herglotz::mechanics {

/// The Hamilton-Pontryagin-Herglotz equations [ASC25, Thm 6.2] as a differential and an algebraic part,
///   dv/dt = X(v, w, t),   0 = g(v, w, t),   v = (x, p, z).
/// w are the velocities y and the multipliers; g is p - dL/dy, then the constraints of the model: velocity-free ones
/// and their derivatives, then the others. Nonholonomic forces are in X, and under the vakonomic rule L - nu Phi
/// replaces L in everything but dz/dt.
struct ImplicitSystem {
  std::vector<Expr> v;  ///< x (n), p (r), z
  std::vector<Expr> w;  ///< y (r), multipliers (m)
  std::vector<Expr> X;  ///< (n + r + 1)
  std::vector<Expr> g;
};

/// Returns the implicit system of a Lagrangian system. Throws Refused for a Hamiltonian.
ImplicitSystem implicit_system(const System& system);

/// Returns whether [W, -Phi_y^T; Phi_w, 0] is singular at the start (x, w, z, t, and multipliers) and at every point
/// drawn around it with a fixed seed at which it is finite. `parameters` are in the order of the system.
bool is_singular(const System& system, const Equations& equations, std::span<const double> parameters,
                 std::span<const double> start);

/// Returns true only if the matrix (size x size, row by row) is regular with a wide margin: its smallest singular value
/// is more than 1e-9 of its largest one. False says nothing; singular values decide then. The bound is
/// sigma_min / sigma_max >= 1 / (||A||_F ||A^-1||_F), and A^-1 comes from a sparse LU factorisation. For hundreds of
/// rows this takes milliseconds, and singular values take seconds.
bool surely_regular(std::span<const double> matrix, std::size_t size);

/// One function that vanishes on the final constraint set.
struct LevelConstraint {
  std::size_t level = 1;  ///< one more than the number of times the equations were differentiated for it
  Expr expression;
  std::vector<Expr> branches;  ///< expressions that vanish instead on other branches of the motion
};

/// A consequence of the equations that holds nowhere.
struct Contradiction {
  std::size_t level = 1;
  Expr expression;   ///< the expression that would have to vanish
  double value = 0;  ///< its value at a point near the start
};

/// The final constraint set M_f near a start, and the rates that the equations leave undetermined on it.
struct SingularAnalysis {
  ImplicitSystem equations;
  std::vector<LevelConstraint> constraints;  ///< independent; level 1 first
  std::optional<Contradiction> contradiction;

  // The members below are known if there is no contradiction.
  std::size_t dim_final = 0;            ///< the dimension of M_f
  std::vector<Expr> undetermined;       ///< entries of w whose rates are arbitrary functions of time
  std::vector<std::vector<Expr>> free;  ///< directions of w that span the kernel of dG/dw, one per undetermined entry
  std::vector<std::size_t> pivots;      ///< constraints that determine the rates of the other w
  /// Rank of the smallest distribution on M_f that has these directions and is closed under brackets and under the
  /// motion; `std::nullopt` if its brackets grow too long.
  std::optional<std::size_t> dim_gauge_orbits;

  [[nodiscard]] bool consistent() const { return !contradiction; }
  [[nodiscard]] std::size_t dim_total() const { return equations.v.size() + equations.w.size(); }
  [[nodiscard]] std::size_t levels() const;
};

/// Error of a case that the algorithm cannot decide near the start: a rank that changes there, two branches that meet,
/// a constraint without a differential.
class Undecided : public Failed {
 public:
  using Failed::Failed;
};

/// Computes the constraints level by level: some constraints determine rates of w by staying zero, and what these rates
/// of w leave of the rates of the other constraints must vanish on the next level. Ranks are taken at generic points of
/// the set, drawn around `start` = (x, y, z, t, then multipliers) with a fixed seed; expressions are factored, and the
/// factor whose zeros are nearest to the start is kept. `gauge` are further constraints of level 1. Throws Undecided;
/// Refused for a Hamiltonian.
SingularAnalysis analyse_singular(const System& system, std::span<const double> parameters,
                                  std::span<const double> start, const std::vector<Expr>& gauge = {},
                                  std::uint64_t seed = 1);

}  // namespace herglotz::mechanics
