#pragma once
/// Functions of one variable that are given by a table of values.

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace herglotz::symbolic {

enum class Interpolation {
  hold,    ///< constant from each knot to the next one
  linear,  ///< straight lines between the knots
  spline   ///< the cubic spline that is not a knot at the second and the last but one abscissa [Boo01, Ch. IV]
};

/// A piecewise polynomial through points (knots[i], values[i]). On piece i, which begins at rows[0][i], its value is
/// c0 + s (c1 + s (c2 + s c3)) with s = t - rows[0][i] and c_k = rows[1 + k][i]. The first and the last piece go on
/// beyond the ends.
struct Table {
  std::string name;
  Interpolation interpolation = Interpolation::spline;
  std::vector<double> knots;  ///< two or more, ascending
  std::array<std::vector<double>, 5> rows;

  [[nodiscard]] std::size_t pieces() const { return rows[0].size(); }
  /// Returns the degree of the pieces: derivatives of a higher order are zero inside every piece.
  [[nodiscard]] int degree() const;
  /// Returns the lowest order of a derivative that jumps at knots; order 0 is the function itself.
  [[nodiscard]] int first_jump() const;
  /// Returns the derivative of that order at t; at a knot it belongs to the piece that begins there.
  [[nodiscard]] double operator()(double t, int order = 0) const;
};

/// Returns the table through these points. A spline through two points is a straight line, and one through three is a
/// parabola. Throws Refused for fewer than two points, values that are not finite, and times that do not
/// ascend; the text is "what is wrong; what would be right".
Table make_table(std::string name, Interpolation interpolation, std::vector<double> knots,
                 const std::vector<double>& values);

}  // namespace herglotz::symbolic
