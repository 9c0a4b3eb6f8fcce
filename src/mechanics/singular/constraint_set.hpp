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
  /// `start` is (v, w, t). Points are drawn around it with the seed.
  ConstraintSet(const System& system, const ImplicitSystem& equations, std::span<const double> parameters,
                const Row& start, std::uint64_t seed);

  /// Functions in the set so far.
  [[nodiscard]] std::size_t size() const { return functions_.size(); }
  [[nodiscard]] const std::vector<Expr>& gradient(std::size_t k) const { return functions_[k].gradient; }
  [[nodiscard]] const Point& start() const { return start_; }
  /// Generic points of the set, which move as it grows.
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }

  /// What adding a function leads to.
  enum class Addition { added, no_points, ineffective };
  /// Adds a function. If no points of the smaller set are found, or its differential is dependent at all of them, the
  /// set stays as it was.
  Addition add(Expr function);
  /// How far the nearest point of the set where the function vanishes too is from the start; nothing where none is
  /// found.
  [[nodiscard]] std::optional<double> distance(Expr function);

  [[nodiscard]] Row values(std::span<const Expr> f, const Point& at) const;
  [[nodiscard]] double value(Expr f, const Point& at) const { return values({&f, 1}, at).front(); }
  /// Whether f is zero at the points, measured by its terms. Throws Undecided where it is so at some of them only.
  [[nodiscard]] bool vanishes(Expr f) const;
  /// The gradients of all functions at a point, one row each, by w alone if asked for.
  [[nodiscard]] std::vector<Row> rows(const Point& at, bool by_w) const;
  /// The lengths of the gradients by (v, w).
  [[nodiscard]] Row lengths(const Point& at) const;
  /// "x = 1, p_v = 0.5", of v and w.
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
