// Convex programmes with cones against closed forms.

#include "switches/cone_programme.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace herglotz::simulate {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// The smallest circle around three points: of an obtuse triangle it has the longest side as diameter, of an equilateral
// one with the side 1 the radius 1/sqrt(3).
TEST(ConeProgramme, FindsTheSmallestCircleAroundPoints) {
  const auto radius = [](const Matrix& points) {
    ConeProgramme programme{Matrix::Zero(3, 3), Vector::Unit(3, 0), {}};
    Matrix place = Matrix::Zero(2, 3);
    place.rightCols(2) = -Matrix::Identity(2, 2);
    for (Eigen::Index k = 0; k < points.cols(); ++k)
      programme.cones.push_back({place, points.col(k), Vector::Unit(3, 0), 0});
    return solve(programme, 10 * Vector::Unit(3, 0)).x[0];
  };
  Matrix points(2, 3);
  points << -1, 1, 0.3, 0, 0, 0.2;
  EXPECT_NEAR(radius(points), 1, 1e-11);
  points << 0, 1, 0.5, 0, 0, std::sqrt(0.75);
  EXPECT_NEAR(radius(points), 1 / std::sqrt(3), 1e-11);
}

// The nearest point of a disc to a point outside is on its rim, and a point inside is its own.
TEST(ConeProgramme, FindsTheNearestPointOfADisc) {
  const auto nearest = [](const Vector& to) {
    const Matrix one = Matrix::Identity(2, 2);
    return solve({one, -to, {{one, Vector::Zero(2), Vector::Zero(2), 0.5}}}, Vector::Zero(2)).x;
  };
  EXPECT_NEAR((nearest(Eigen::Vector2d(3, 4)) - Eigen::Vector2d(0.3, 0.4)).norm(), 0, 1e-11);
  EXPECT_NEAR((nearest(Eigen::Vector2d(0.2, -0.1)) - Eigen::Vector2d(0.2, -0.1)).norm(), 0, 1e-11);
}

// The least x + y on the unit disc is -sqrt(2), and multipliers prove it. Where x is not bounded below, nothing does.
TEST(ConeProgramme, ProvesWhatItFinds) {
  const Matrix none = Matrix::Zero(2, 2);
  const Matrix one = Matrix::Identity(2, 2);
  const ConeSolution bounded =
      solve({none, Vector::Ones(2), {{one, Vector::Zero(2), Vector::Zero(2), 1}}}, Vector::Zero(2));
  EXPECT_NEAR(bounded.value, -std::sqrt(2), 1e-11);
  EXPECT_GE(bounded.gap, 0);
  EXPECT_TRUE(bounded.is_proved());
  const Matrix second = one.bottomRows(1);
  EXPECT_FALSE(
      solve({none, Vector::Unit(2, 0), {{second, Vector::Zero(1), Vector::Zero(2), 1}}}, Vector::Zero(2)).is_proved());
}

}  // namespace
}  // namespace herglotz::simulate
