#pragma once
/// The common zeros of some functions near a start: their points, gradients and ranks.

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "constraints/orthonormal.hpp"
#include "herglotz/mechanics/singular.hpp"
#include "singular/ranks.hpp"

namespace herglotz::mechanics {

/// Values of (v, w, t, parameters).
using Point = Row;

class ConstraintSet {
 public:
  /// `start` is (v, w, t). Points are drawn around the start; `seed` seeds the draws.
  ConstraintSet(const System& system, const ImplicitSystem& equations, std::span<const double> parameters,
                const Row& start, std::uint64_t seed);

  /// Returns the number of functions in the set so far.
  [[nodiscard]] std::size_t size() const { return functions_.size(); }
  [[nodiscard]] const std::vector<Expr>& gradient(std::size_t k) const { return functions_[k].gradient; }
  [[nodiscard]] const Point& start() const { return start_; }
  /// Returns generic points of the set; the points move when the set grows.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

  /// The outcomes of adding a function.
  enum class Addition { added, no_points, ineffective };
  /// Adds a function. If the smaller set has no points that can be found, or if the differential of the function is
  /// dependent at all of them, the set does not change.
  Addition add(Expr function);
  /// Returns the distance from the start to the nearest point of the set at which the function vanishes too, or
  /// `std::nullopt` if no such point is found.
  [[nodiscard]] std::optional<double> distance(Expr function);

  [[nodiscard]] Row values(std::span<const Expr> f, const Point& at) const;
  [[nodiscard]] double value(Expr f, const Point& at) const { return values({&f, 1}, at).front(); }
  /// Returns true if f is zero at the points, compared with its terms. Throws Undecided if f is zero at some points
  /// only.
  [[nodiscard]] bool vanishes(Expr f) const;
  /// Returns the gradients of all functions at a point, one row each; with `by_w` the gradients by w alone.
  [[nodiscard]] std::vector<Row> rows(const Point& at, bool by_w) const;
  /// Returns the lengths of the gradients by (v, w).
  [[nodiscard]] Row lengths(const Point& at) const;
  /// Returns the point as text in v and w: "x = 1, p_v = 0.5".
  [[nodiscard]] std::string place(const Point& at) const;

 private:
  struct Function {
    Expr value;
    std::vector<Expr> gradient;  ///< by (v, w)
  };
  struct Moved {
    Point point;
    bool found = false;
  };

  [[nodiscard]] Function function_of(Expr f) const;
  [[nodiscard]] Point drawn(double spread);
  [[nodiscard]] Moved moved(Point from, const std::vector<Function>& functions) const;
  [[nodiscard]] std::vector<Point> found(const std::vector<Point>& from, const std::vector<Function>& functions);
  [[nodiscard]] bool is_effective(const Function& function, const std::vector<Point>& before,
                                  const std::vector<Point>& after) const;

  std::vector<Expr> state_;  ///< (v, w)
  std::size_t first_w_;
  std::vector<Expr> names_;
  Point start_;
  std::mt19937_64 engine_;
  std::vector<Function> functions_;
  std::vector<Point> points_;
};

}  // namespace herglotz::mechanics
