// Exact discrete Lagrangians of linear systems as formulas. [ASMLL20, Sec. 4, Eqs. 64, 78].

#include <gtest/gtest.h>

#include <cmath>

#include "discrete_samples.hpp"
#include "herglotz/discrete/exact.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace herglotz::discrete {
namespace {

using samples::system;

/// The exact discrete Lagrangian of a system, which keeps the graph of its formula.
struct Exact {
  Exact(const std::vector<std::string>& base, const std::string& lagrangian)
      : of(system(base, lagrangian)), step(exact_in_closed_form(of)) {}
  /// Returns its value between positions of one coordinate.
  [[nodiscard]] double operator()(double q0, double q1, double z0, double h) const {
    return symbolic::evaluate(step->ell, std::vector<Expr>{step->q0[0], step->q1[0], step->z0, step->h},
                              std::vector<double>{q0, q1, z0, h});
  }

  mechanics::System of;
  std::optional<DiscreteLagrangian> step;
};

/// The action of the motion between q0 = 1.2 and q1 = 0.5 in h = 0.6, found with thirty digits by quadrature of L.
struct Case {
  std::string lagrangian;
  double action;
};
class ExactDiscreteLagrangian : public testing::TestWithParam<Case> {};

}  // namespace

TEST_P(ExactDiscreteLagrangian, IsTheActionOfTheMotionBetweenTwoPositions) {
  const Exact exact({"q"}, GetParam().lagrangian);
  ASSERT_TRUE(exact.step);
  const double growth = std::exp(-0.25 * 0.6);
  EXPECT_NEAR(exact(1.2, 0.5, 0, 0.6), GetParam().action, 1e-14);
  EXPECT_NEAR(exact(1.2, 0.5, 0.7, 0.6), GetParam().action + 0.7 * (growth - 1), 1e-14);  // Eq. 64
}

INSTANTIATE_TEST_SUITE_P(Forms, ExactDiscreteLagrangian,
                         testing::Values(Case{"vq^2 + 3/10*q*vq + 7/10*vq - 3/2*q^2 - 11/10*q + 2/5 - z/4",
                                              -0.827278660003966942799288757473853},
                                         Case{"vq^2 + 3/10*q*vq + 7/10*vq + 3/2*q^2 - 11/10*q + 2/5 - z/4",
                                              0.459214716377478286219308157571829}));

TEST(ExactDiscreteLagrangian, OfTheDampedFreeParticle) {  // [ASMLL20, Ex. 1]
  const Exact exact({"q"}, "vq^2/2 - z/20");
  ASSERT_TRUE(exact.step);
  const double g = -0.05;
  const double h = 0.5;
  const double expected = 0.25 * (std::exp(g * h) - 1) + g * std::exp(g * h) / (std::exp(g * h) - 1) * 0.7 * 0.7 / 2;
  EXPECT_NEAR(exact(1.2, 0.5, 0.25, h), expected, 1e-14);
}

TEST(ExactDiscreteLagrangian, HasTheLimitsWithoutDampingAndForces) {
  EXPECT_NEAR(Exact({"q"}, "vq^2/2")(1, 3, 0.2, 0.5), 4, 1e-15);
  const double h = 0.5;
  EXPECT_NEAR(Exact({"q"}, "vq^2/2 - q^2/2")(1, 3, 0.2, h), ((1 + 9) * std::cos(h) - 2 * 3) / (2 * std::sin(h)), 1e-14);
}

TEST(ExactDiscreteLagrangian, IsASumOverIndependentCoordinates) {
  const Exact pair({"x", "y"}, "vx^2/2 + vy^2 - x^2/2 - 3*y^2 - z/4");
  const Exact x({"x"}, "vx^2/2 - x^2/2 - z/4");
  const Exact y({"y"}, "vy^2 - 3*y^2 - z/4");
  ASSERT_TRUE(pair.step && x.step && y.step);
  const DiscreteLagrangian* both = &*pair.step;
  const double found = symbolic::evaluate(
      both->ell, std::vector<Expr>{both->q0[0], both->q0[1], both->q1[0], both->q1[1], both->z0, both->h},
      std::vector<double>{0.3, 0.8, 1.1, -0.2, 0.0, 0.4});
  EXPECT_NEAR(found, x(0.3, 1.1, 0, 0.4) + y(0.8, -0.2, 0, 0.4), 1e-14);
}

TEST(ExactDiscreteLagrangian, HasNoFormulaForOtherSystems) {
  for (const char* lagrangian : {"vq^2/2 + cos(q)", "vq^2/2 - z^2/4", "vq^2/2 - q*sin(t)", "(1 + q^2)*vq^2/2",
                                 "vq^2/2 - q - z/4", "vq^2/2 - q*z"})
    EXPECT_FALSE(Exact({"q"}, lagrangian).step) << lagrangian;
  EXPECT_FALSE(Exact({"x", "y"}, "(vx^2 + vy^2)/2 - (x - y)^2/2").step);
}

}  // namespace herglotz::discrete
