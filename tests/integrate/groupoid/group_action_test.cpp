#include "groupoid/group_action.hpp"

#include <gtest/gtest.h>

#include <array>
#include <unsupported/Eigen/MatrixFunctions>

#include "integrate/two_lanes.hpp"

namespace herglotz::integrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double none[4] = {};

template <typename Generators>
GroupoidKernels action(std::size_t n, std::size_t r, bool affine, Generators generators) {
  GroupoidKernels map;
  map.affine_action = affine;
  map.generators = kernel::from_function("generators", n, 0, n * r,
                                         [generators](std::span<const double> x, std::span<const double>,
                                                      std::span<double> out) { generators(x.data(), out.data()); });
  return map;
}

/// The action of one run.
class TestedAction {
 public:
  TestedAction(const GroupoidKernels& map, std::size_t n, std::size_t r) : action_(map, n, r, none) {
    action_.take(0, action_numbers(map, n, r, none));
  }
  bool displace(const double* x, const double* rest, const double* psi, VectorXd& displacement, bool exactly = true) {
    const bool followed = action_.displace(x, rest, psi, exactly);
    std::copy_n(action_.displacement(), displacement.size(), displacement.data());
    return followed;
  }
  [[nodiscard]] const double* rounded() const { return action_.rounded(); }

 private:
  GroupAction<double> action_;
};

/// The plane under rotations about (1, 2), and both translations.
GroupoidKernels motions(bool affine) {
  return action(2, 3, affine, [](const double* x, double* rho) {
    const double values[6] = {-(x[1] - 2), 1, 0, x[0] - 1, 0, 1};
    std::copy_n(values, 6, rho);
  });
}

VectorXd by_exponential(const VectorXd& x, const VectorXd& psi) {
  MatrixXd generator = MatrixXd::Zero(3, 3);
  generator << 0, -psi(0), 2 * psi(0) + psi(1), psi(0), 0, -psi(0) + psi(2), 0, 0, 0;
  VectorXd augmented(3);
  augmented << x, 1;
  return (generator.exp() * augmented).head(2);
}

TEST(GroupAction, FollowsAffineFlowsByTheMatrixExponential) {
  const GroupoidKernels map = motions(true);
  TestedAction plane(map, 2, 3);
  const VectorXd x = Eigen::Vector2d(0.3, -0.7);
  VectorXd displacement(2);
  for (const double size : {1e-9, 0.1, 1.0, 6.0}) {
    const VectorXd psi = size * Eigen::Vector3d(0.8, -0.4, 1.1);
    ASSERT_TRUE(plane.displace(x.data(), none, psi.data(), displacement));
    EXPECT_LT((x + displacement - by_exponential(x, psi)).norm(), 4e-15 * (1 + size)) << size;
  }
}

TEST(GroupAction, FollowsOtherFlowsToTheSameRoundOff) {
  const GroupoidKernels exact_map = motions(true);
  const GroupoidKernels map = motions(false);
  TestedAction exact(exact_map, 2, 3);
  TestedAction followed(map, 2, 3);
  const VectorXd x = Eigen::Vector2d(0.3, -0.7);
  VectorXd expected(2);
  VectorXd displacement(2);
  for (const double size : {1e-9, 0.1, 1.0, 6.0}) {
    const VectorXd psi = size * Eigen::Vector3d(0.8, -0.4, 1.1);
    ASSERT_TRUE(exact.displace(x.data(), none, psi.data(), expected));
    ASSERT_TRUE(followed.displace(x.data(), none, psi.data(), displacement));
    EXPECT_LT((displacement - expected).norm(), 1e-14 * expected.norm() * (1 + size)) << size;
  }
}

// x' = a - c x^2 with a = c: tanh.
TEST(GroupAction, FollowsAMoebiusFlow) {
  const GroupoidKernels map = action(1, 3, false, [](const double* x, double* rho) {
    rho[0] = -2 * x[0];
    rho[1] = 1;
    rho[2] = -x[0] * x[0];
  });
  TestedAction line(map, 1, 3);
  const double x = 0.2;
  VectorXd displacement(1);
  for (const double size : {0.01, 0.3, 2.0}) {
    const double psi[3] = {0, size, size};
    ASSERT_TRUE(line.displace(&x, none, psi, displacement));
    EXPECT_NEAR(x + displacement(0), std::tanh(std::atanh(x) + size), 4e-15) << size;
  }
  // x' = -x^2 from -1 leaves at 1.
  const double start = -1;
  const double away[3] = {0, 0, 2};
  EXPECT_FALSE(line.displace(&start, none, away, displacement));
}

TEST(GroupAction, IsInvertedByTheOppositeElement) {
  for (const bool affine : {true, false}) {
    const GroupoidKernels map = motions(affine);
    TestedAction plane(map, 2, 3);
    const VectorXd x = Eigen::Vector2d(0.3, -0.7);
    VectorXd there(2);
    VectorXd back(2);
    const VectorXd psi = Eigen::Vector3d(0.3, -0.4, 1.1);
    const VectorXd opposite = -psi;
    ASSERT_TRUE(plane.displace(x.data(), none, psi.data(), there));
    const VectorXd end = x + there;
    ASSERT_TRUE(plane.displace(end.data(), none, opposite.data(), back));
    EXPECT_LT((there + back).norm(), affine ? 4e-16 : 2e-15);
  }
}

// With the digits of doubles alone the errors would be some hundred times larger.
TEST(GroupAction, KnowsMoreDigitsOfItsDisplacementThanADouble) {
  const GroupoidKernels map = action(2, 1, true, [](const double* x, double* rho) {
    rho[0] = -x[1];
    rho[1] = x[0];
  });
  TestedAction plane(map, 2, 1);
  const double angle = 0.0625;
  long double x[2] = {1, 0};
  for (int k = 0; k < 100; ++k) {
    const double at[2] = {static_cast<double>(x[0]), static_cast<double>(x[1])};
    const double rest[2] = {static_cast<double>(x[0] - at[0]), static_cast<double>(x[1] - at[1])};
    VectorXd displacement(2);
    ASSERT_TRUE(plane.displace(at, rest, &angle, displacement));
    for (int i = 0; i < 2; ++i) x[i] += static_cast<long double>(displacement(i)) + plane.rounded()[i];
  }
  EXPECT_LT(std::abs(x[0] - std::cos(6.25L)), 1e-18L);
  EXPECT_LT(std::abs(x[1] - std::sin(6.25L)), 1e-18L);
}

TEST(GroupAction, HasTheBitsOfASingleRunInEveryLane) {
  for (const bool affine : {true, false}) {
    for (const auto& pair : {std::array<double, 2>{1e-9, 6.0}, {0.03, 1.0}, {1.0, 1e-9}, {6.0, 0.03}}) {
      for (const bool exactly : {true, false}) {
        const GroupoidKernels map = motions(affine);
        GroupAction<Pack<2>> lanes(map, 2, 3, none);
        TestedAction single(map, 2, 3);
        std::array<Pack<2>, 2> x;
        std::array<Pack<2>, 2> rest;
        std::array<Pack<2>, 3> psi;
        const std::array<double, 2> sizes = pair;
        const auto start = [](int lane, std::size_t i) { return 0.3 - static_cast<double>(i) + 0.1 * lane; };
        const auto element = [&](int lane, std::size_t a) {
          return sizes[static_cast<std::size_t>(lane)] * (0.8 - 0.7 * static_cast<double>(a));
        };
        for (int lane = 0; lane < 2; ++lane) {
          lanes.take(lane, action_numbers(map, 2, 3, none));
          for (std::size_t i = 0; i < 2; ++i) {
            x[i].set(lane, start(lane, i));
            rest[i].set(lane, 3e-17);
          }
          for (std::size_t a = 0; a < 3; ++a) psi[a].set(lane, element(lane, a));
        }
        const Mask<2> good = lanes.displace(x.data(), rest.data(), psi.data(), exactly);
        for (int lane = 0; lane < 2; ++lane) {
          const double from[2] = {start(lane, 0), start(lane, 1)};
          const double below[2] = {3e-17, 3e-17};
          const double by[3] = {element(lane, 0), element(lane, 1), element(lane, 2)};
          VectorXd displacement(2);
          ASSERT_EQ(single.displace(from, below, by, displacement, exactly), good[lane]);
          for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(lanes.displacement()[i][lane], displacement(static_cast<Eigen::Index>(i)));
            EXPECT_EQ(lanes.rounded()[i][lane], single.rounded()[i]);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace herglotz::integrate
