#pragma once
/// Points around a start, moved onto constraints.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "constraints/orthonormal.hpp"
#include "generator.hpp"

namespace herglotz::mechanics {

/// Values at one point: phi and Phi with their derivatives by (x, w, z), and Phi_y.
struct PointValues {
  Row phi;                   ///< velocity-free equations (k)
  Row Phi;                   ///< (m)
  std::vector<Row> phi_xwz;  ///< (k x (n + r + 1))
  std::vector<Row> Phi_xwz;  ///< (m x (n + r + 1))
  std::vector<Row> Phi_y;    ///< (m x r)
};

/// Which coordinates a move may change.
enum class Freedom { positions_then_velocities, everything };

class ConstraintPoints {
 public:
  /// Rows are those of the generator: velocity-free equations first.
  ConstraintPoints(const System& system, const Generator& generator, std::span<const double> parameters,
                   std::span<const double> start, std::uint64_t seed);

  /// Finite points around the start: (x, w, z, t, parameters).
  [[nodiscard]] const std::vector<Row>& drawn() const { return drawn_; }
  /// The same, so close to the start that Newton's method goes where it goes from there.
  [[nodiscard]] const std::vector<Row>& close() const { return close_; }
  [[nodiscard]] const std::vector<Expr>& names() const { return names_; }
  /// Nothing where a value is not finite.
  [[nodiscard]] std::optional<PointValues> at(const Row& point) const;
  /// The point moved onto phi_A (if velocity-free) and Phi_A for the rows A, and onto phi_A alone for A in `positions`;
  /// nothing where Newton's method does not get there.
  [[nodiscard]] std::optional<Row> moved(Row point, const std::vector<std::size_t>& rows, Freedom freedom,
                                         const std::vector<std::size_t>& positions = {}) const;

 private:
  struct Equation {
    std::size_t row;
    bool velocity_free;
  };
  [[nodiscard]] std::optional<Row> solved(Row point, const std::vector<Equation>& equations, std::size_t first,
                                          std::size_t last, bool with_z) const;

  std::size_t n_;
  std::size_t r_;
  std::size_t k_;
  std::size_t m_;
  std::vector<Expr> names_;
  std::vector<Expr> outputs_;
  std::vector<Row> drawn_;
  std::vector<Row> close_;
};

}  // namespace herglotz::mechanics
