#pragma once
/// Points around a start, moved onto constraints.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "constraints/orthonormal.hpp"
#include "generator.hpp"
#include "herglotz/symbolic/evaluate.hpp"

namespace herglotz::mechanics {

/// Values at one point: phi and Phi with their derivatives by (x, w, z), and Phi_y.
struct PointValues {
  Row phi;                   ///< velocity-free equations (k)
  Row Phi;                   ///< (m)
  std::vector<Row> phi_xwz;  ///< (k x (n + r + 1))
  std::vector<Row> Phi_xwz;  ///< (m x (n + r + 1))
  std::vector<Row> Phi_y;    ///< (m x r)
};

/// The coordinates that a move may change.
enum class Freedom { positions_then_velocities, everything };

class ConstraintPoints {
 public:
  /// The rows have the order of the generator: velocity-free equations come first.
  ConstraintPoints(const System& system, const Generator& generator, std::span<const double> parameters,
                   std::span<const double> start, std::uint64_t seed);

  /// Returns finite points (x, w, z, t, parameters) around the start.
  [[nodiscard]] const std::vector<Row>& drawn() const { return drawn_; }
  /// Returns points so close to the start that Newton's method leads from them to where it leads from the start.
  [[nodiscard]] const std::vector<Row>& close() const { return close_; }
  [[nodiscard]] const std::vector<Expr>& names() const { return names_; }
  /// Returns the values at a point, or `std::nullopt` if a value is not finite.
  [[nodiscard]] std::optional<PointValues> at(const Row& point) const;
  /// Returns the point moved onto phi_A (if velocity-free) and Phi_A for the rows A, and onto phi_A alone for A in
  /// `positions`, or `std::nullopt` if Newton's method does not converge.
  [[nodiscard]] std::optional<Row> moved(Row point, const std::vector<std::size_t>& rows, Freedom freedom,
                                         const std::vector<std::size_t>& positions = {}) const;

 private:
  struct Equation {
    std::size_t row;
    bool velocity_free;
  };
  /// Returns (phi, Phi, derivatives) at a point, or `std::nullopt` if a value is not finite.
  [[nodiscard]] std::optional<Row> values_at(const Row& point) const;
  /// Returns the derivatives of an equation, from these values.
  [[nodiscard]] SparseRow slopes(const Equation& equation, const Row& values) const;
  [[nodiscard]] std::optional<Row> solved(Row point, const std::vector<Equation>& equations, std::size_t first,
                                          std::size_t last, bool with_z) const;

  std::size_t n_;
  std::size_t r_;
  std::size_t k_;
  std::size_t m_;
  std::vector<Expr> names_;
  std::vector<symbolic::Entry> phi_xwz_;  // derivatives that are not identically zero
  std::vector<symbolic::Entry> Phi_xwz_;
  std::vector<symbolic::Entry> Phi_y_;
  mutable std::optional<symbolic::Evaluation> outputs_;  // phi, Phi, and these derivatives
  std::vector<std::size_t> first_phi_;  // entry of phi_xwz_ with which each row begins, and their number
  std::vector<std::size_t> first_Phi_;
  Row unit_;  // of every coordinate (x, w, z, t): the spread of points about 0
  std::vector<Row> drawn_;
  std::vector<Row> close_;
};

}  // namespace herglotz::mechanics
