#include "groupoid/retraction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>

#include "integrate/two_lanes.hpp"

namespace herglotz::integrate {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A group by the matrices of its basis, in the order of the model files.
struct Matrices {
  std::string group;
  std::vector<MatrixXd> basis;

  [[nodiscard]] Eigen::Index r() const { return static_cast<Eigen::Index>(basis.size()); }
  [[nodiscard]] MatrixXd matrix(const VectorXd& v) const {
    MatrixXd sum = MatrixXd::Zero(basis[0].rows(), basis[0].cols());
    for (Eigen::Index a = 0; a < r(); ++a) sum += v(a) * basis[static_cast<std::size_t>(a)];
    return sum;
  }
  /// The element whose matrix this is; its distance from the algebra must be round-off.
  [[nodiscard]] VectorXd element(const MatrixXd& V) const {
    MatrixXd columns(V.size(), r());
    for (Eigen::Index a = 0; a < r(); ++a) columns.col(a) = basis[static_cast<std::size_t>(a)].reshaped();
    const VectorXd v = columns.colPivHouseholderQr().solve(VectorXd(V.reshaped()));
    EXPECT_LT((matrix(v) - V).cwiseAbs().maxCoeff(), 1e-6 * (1 + V.cwiseAbs().maxCoeff())) << group;
    return v;
  }
  [[nodiscard]] std::vector<double> structure() const {
    const auto size = static_cast<std::size_t>(r());
    std::vector<double> c(size * size * size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const VectorXd bracket = element(basis[i] * basis[j] - basis[j] * basis[i]);
        for (std::size_t k = 0; k < size; ++k)
          c[(k * size + i) * size + j] = std::round(bracket(static_cast<Eigen::Index>(k)));
      }
    }
    return c;
  }
  [[nodiscard]] MatrixXd tau(RetractionKind kind, const VectorXd& v) const {
    const MatrixXd V = matrix(v);
    if (kind == RetractionKind::exponential) return V.exp();
    const MatrixXd one = MatrixXd::Identity(V.rows(), V.cols());
    return (one - V / 2).partialPivLu().solve(one + V / 2);
  }
};

MatrixXd unit(Eigen::Index size, std::initializer_list<std::array<int, 3>> entries) {
  MatrixXd matrix = MatrixXd::Zero(size, size);
  for (const auto& [i, j, value] : entries) matrix(i, j) = value;
  return matrix;
}

std::vector<Matrices> groups() {
  std::vector<Matrices> all;
  const auto rotations = [](Eigen::Index size) {
    return std::vector<MatrixXd>{unit(size, {{2, 1, 1}, {1, 2, -1}}), unit(size, {{0, 2, 1}, {2, 0, -1}}),
                                 unit(size, {{1, 0, 1}, {0, 1, -1}})};
  };
  all.push_back({"so3", rotations(3)});
  all.push_back({"se2", {unit(3, {{1, 0, 1}, {0, 1, -1}}), unit(3, {{0, 2, 1}}), unit(3, {{1, 2, 1}})}});
  auto se3 = rotations(4);
  for (int i = 0; i < 3; ++i) se3.push_back(unit(4, {{i, 3, 1}}));
  all.push_back({"se3", se3});
  // Half the quaternion units as real 4 x 4 matrices of left multiplication.
  std::vector<MatrixXd> su2{unit(4, {{1, 0, 1}, {0, 1, -1}, {3, 2, 1}, {2, 3, -1}}),
                            unit(4, {{2, 0, 1}, {0, 2, -1}, {1, 3, 1}, {3, 1, -1}}),
                            unit(4, {{3, 0, 1}, {0, 3, -1}, {2, 1, 1}, {1, 2, -1}})};
  for (auto& matrix : su2) matrix /= 2;
  all.push_back({"su2", su2});
  all.push_back({"sl2", {unit(2, {{0, 0, 1}, {1, 1, -1}}), unit(2, {{0, 1, 1}}), unit(2, {{1, 0, 1}})}});
  all.push_back({"heisenberg", {unit(3, {{0, 1, 1}}), unit(3, {{1, 2, 1}}), unit(3, {{0, 2, 1}})}});
  all.push_back({"abelian", {unit(3, {{0, 2, 1}}), unit(3, {{1, 2, 1}})}});
  return all;
}

/// At the identity, near it, and at random places, elliptic and hyperbolic.
std::vector<VectorXd> places(Eigen::Index r, double size) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-size, size);
  std::vector<VectorXd> all{VectorXd::Zero(r), VectorXd::Constant(r, 1e-9), VectorXd::Constant(r, -0.05)};
  for (int k = 0; k < 6; ++k) all.push_back(VectorXd::NullaryExpr(r, [&] { return uniform(random); }));
  return all;
}

MatrixXd dense(const SmallMatrix<double>& matrix) {
  MatrixXd result(matrix.rows(), matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j)
      result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = matrix(i, j);
  return result;
}

/// The retraction of one run, by its matrices.
class TestedRetraction {
 public:
  TestedRetraction(RetractionKind kind, std::size_t r, const std::vector<double>& c,
                   const std::vector<GroupoidKernels::Factor>& factors)
      : r_(r), map_(kind, r) {
    map_.take(0, group_structure(kind, r, c, factors));
  }
  bool at(const double* v) { return map_.at(v); }
  [[nodiscard]] bool trivial() const { return map_.trivial(); }
  [[nodiscard]] MatrixXd ad() const { return dense(map_.ad()); }
  [[nodiscard]] MatrixXd inverse_differential() const { return dense(map_.inverse_differential()); }
  [[nodiscard]] std::vector<double> logarithm() const { return {map_.logarithm(), map_.logarithm() + r_}; }
  void differentiate(const VectorXd& m, MatrixXd& derivative) {
    SmallMatrix<double> found;
    found.resize(r_, r_);
    map_.differentiate(m.data(), found);
    derivative = dense(found);
  }
  /// Ad_tau(v) = 1 + D^-1 ad.
  [[nodiscard]] MatrixXd adjoint() const {
    const auto r = static_cast<Eigen::Index>(r_);
    if (trivial()) return MatrixXd::Identity(r, r);
    return MatrixXd::Identity(r, r) + inverse_differential().partialPivLu().solve(ad());
  }

 private:
  std::size_t r_;
  Retraction<double> map_;
};

TestedRetraction retraction_of(const Matrices& group, RetractionKind kind) {
  const auto r = static_cast<std::size_t>(group.r());
  return {kind, r, group.structure(), {{group.group, 0, r}}};
}

VectorXd vector(const std::vector<double>& entries) {
  return Eigen::Map<const VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size()));
}

class RetractionOf : public ::testing::TestWithParam<RetractionKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, RetractionOf, ::testing::Values(RetractionKind::exponential, RetractionKind::cayley),
                         [](const auto& tested) {
                           return tested.param == RetractionKind::cayley ? "cayley" : "exponential";
                         });

TEST_P(RetractionOf, IsTheMapOfTheDefiningMatrices) {
  for (const Matrices& group : groups()) {
    TestedRetraction retraction = retraction_of(group, GetParam());
    for (const VectorXd& v : places(group.r(), 0.9)) {
      ASSERT_TRUE(retraction.at(v.data())) << group.group;
      const MatrixXd expected = group.tau(GetParam(), v);
      const MatrixXd found = group.matrix(vector(retraction.logarithm())).exp();
      EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 4e-15 * (1 + expected.cwiseAbs().maxCoeff()))
          << group.group << " at " << v.transpose();
    }
  }
}

TEST_P(RetractionOf, GivesTheAdjointActionOfTheMatrices) {
  for (const Matrices& group : groups()) {
    TestedRetraction retraction = retraction_of(group, GetParam());
    for (const VectorXd& v : places(group.r(), 0.9)) {
      ASSERT_TRUE(retraction.at(v.data()));
      const MatrixXd tau = group.tau(GetParam(), v);
      const MatrixXd Ad = retraction.adjoint();
      for (Eigen::Index a = 0; a < group.r(); ++a) {
        const VectorXd expected = group.element(tau * group.basis[static_cast<std::size_t>(a)] * tau.inverse());
        EXPECT_LT((Ad.col(a) - expected).cwiseAbs().maxCoeff(), 2e-14) << group.group << " at " << v.transpose();
      }
    }
  }
}

TEST_P(RetractionOf, HasAnAdjointActionThatKeepsBrackets) {
  for (const Matrices& group : groups()) {
    TestedRetraction retraction = retraction_of(group, GetParam());
    const VectorXd v = places(group.r(), 0.9).back();
    ASSERT_TRUE(retraction.at(v.data()));
    const MatrixXd Ad = retraction.adjoint();
    const VectorXd u = places(group.r(), 0.9)[3];
    const VectorXd w = places(group.r(), 0.9)[4];
    const auto bracket = [&](const VectorXd& a, const VectorXd& b) {
      retraction.at(a.data());
      return retraction.trivial() ? VectorXd(VectorXd::Zero(group.r())) : VectorXd(retraction.ad() * b);
    };
    const VectorXd before = Ad * bracket(u, w);
    EXPECT_LT((bracket(Ad * u, Ad * w) - before).cwiseAbs().maxCoeff(), 1e-13) << group.group;
  }
}

// (d/ds) tau(v + s w) tau(v)^-1 = (D^-1 w): the right-trivialised differential.
TEST_P(RetractionOf, HasTheInverseOfItsRightTrivialisedDifferential) {
  constexpr double s = 1e-5;
  for (const Matrices& group : groups()) {
    TestedRetraction retraction = retraction_of(group, GetParam());
    for (const VectorXd& v : places(group.r(), 0.9)) {
      ASSERT_TRUE(retraction.at(v.data()));
      const MatrixXd inverse = group.tau(GetParam(), v).inverse();
      for (Eigen::Index a = 0; a < group.r(); ++a) {
        const VectorXd e = VectorXd::Unit(group.r(), a);
        const MatrixXd slope =
            (group.tau(GetParam(), v + s * e) - group.tau(GetParam(), v - s * e)) / (2 * s) * inverse;
        EXPECT_LT((retraction.inverse_differential() * group.element(slope) - e).cwiseAbs().maxCoeff(), 1e-9)
            << group.group << " at " << v.transpose();
      }
    }
  }
}

TEST_P(RetractionOf, HasTheDerivativeOfTheTransposedDifferential) {
  const bool exact = GetParam() == RetractionKind::cayley;
  for (const Matrices& group : groups()) {
    if (group.group == "abelian") continue;
    TestedRetraction retraction = retraction_of(group, GetParam());
    // The exponential leaves out |v|^3/180.
    for (const VectorXd& v : places(group.r(), exact ? 0.9 : 0.02)) {
      if (v.norm() > 0.1 && !exact) continue;
      const VectorXd m = places(group.r(), 1.3)[5];
      MatrixXd derivative(group.r(), group.r());
      ASSERT_TRUE(retraction.at(v.data()));
      retraction.differentiate(m, derivative);
      constexpr double s = 1e-5;
      for (Eigen::Index a = 0; a < group.r(); ++a) {
        VectorXd shifted = v + s * VectorXd::Unit(group.r(), a);
        retraction.at(shifted.data());
        VectorXd slope = retraction.inverse_differential().transpose() * m;
        shifted = v - s * VectorXd::Unit(group.r(), a);
        retraction.at(shifted.data());
        slope -= retraction.inverse_differential().transpose() * m;
        EXPECT_LT((slope / (2 * s) - derivative.col(a)).cwiseAbs().maxCoeff(), exact ? 1e-9 : 2e-5)
            << group.group << " at " << v.transpose();
      }
    }
  }
}

TEST_P(RetractionOf, IsInvertedByTheOppositeElement) {
  for (const Matrices& group : groups()) {
    TestedRetraction retraction = retraction_of(group, GetParam());
    for (const VectorXd& v : places(group.r(), 0.9)) {
      const VectorXd opposite = -v;
      retraction.at(v.data());
      const MatrixXd there = retraction.adjoint();
      retraction.at(opposite.data());
      EXPECT_LT((there * retraction.adjoint() - MatrixXd::Identity(group.r(), group.r())).cwiseAbs().maxCoeff(), 4e-14)
          << group.group;
    }
  }
}

// Far from the identity and near it, beyond the first pole, where series take different numbers of terms, and in a
// group with brackets of another size.
TEST_P(RetractionOf, HasTheBitsOfASingleRunInEveryLane) {
  for (const Matrices& group : groups()) {
    const auto r = static_cast<std::size_t>(group.r());
    Retraction<Pack<2>> lanes(GetParam(), r);
    std::vector<Retraction<double>> single(2, Retraction<double>(GetParam(), r));
    std::vector<Pack<2>> v(r);
    std::vector<Pack<2>> m(r);
    std::vector<std::vector<double>> alone(2, std::vector<double>(r));
    std::vector<double> momentum(r);
    for (int lane = 0; lane < 2; ++lane) {
      const auto k = static_cast<std::size_t>(lane);
      auto constants = group.structure();
      if (lane == 1 && GetParam() == RetractionKind::exponential)
        for (double& c : constants) c *= 1.5;
      const GroupStructure structure = group_structure(GetParam(), r, constants, {{group.group, 0, r}});
      lanes.take(lane, structure);
      single[k].take(0, structure);
    }
    const double all[] = {0.0, 1e-9, 1e-3, 0.02, 0.1, 0.3, 0.7, 1.1, 2.0, 3.9, 5.5, 30.0};
    for (std::size_t pair = 0; pair < 144; ++pair) {
      const std::array<double, 2> sizes{all[pair / 12], all[pair % 12]};
      for (std::size_t a = 0; a < r; ++a) {
        momentum[a] = 1 - 0.3 * static_cast<double>(a);
        m[a] = Pack<2>(momentum[a]);
        for (int lane = 0; lane < 2; ++lane) {
          const auto k = static_cast<std::size_t>(lane);
          alone[k][a] = sizes[k] * (0.6 - 0.35 * static_cast<double>(a) + 0.01 * static_cast<double>(lane));
          v[a].set(lane, alone[k][a]);
        }
      }
      const Mask<2> good = lanes.at(v.data());
      SmallMatrix<Pack<2>> change;
      change.resize(r, r);
      lanes.differentiate(m.data(), change);
      for (int lane = 0; lane < 2; ++lane) {
        Retraction<double>& map = single[static_cast<std::size_t>(lane)];
        ASSERT_EQ(map.at(alone[static_cast<std::size_t>(lane)].data()), good[lane]) << group.group;
        if (!good[lane]) continue;
        SmallMatrix<double> expected;
        expected.resize(r, r);
        map.differentiate(momentum.data(), expected);
        for (std::size_t e = 0; e < r * r; ++e) {
          EXPECT_EQ(lanes.inverse_differential().entries()[e][lane], map.inverse_differential().entries()[e]);
          EXPECT_EQ(lanes.ad().entries()[e][lane], map.ad().entries()[e]);
          EXPECT_EQ(change.entries()[e][lane], expected.entries()[e]);
        }
        for (std::size_t a = 0; a < r; ++a) EXPECT_EQ(lanes.logarithm()[a][lane], map.logarithm()[a]) << group.group;
      }
    }
  }
}

// The poles of dexp^-1 are at eigenvalues 2 pi i k of ad, k != 0 [HLW06, III.4.2].
TEST(Retraction, FollowsTheExponentialUpToItsFirstPole) {
  const Matrices so3 = groups()[0];
  TestedRetraction retraction = retraction_of(so3, RetractionKind::exponential);
  const VectorXd axis = Eigen::Vector3d(2, -1, 2) / 3;
  for (const double angle : {0.5, 1.5, 3.0, 3.1415926, 4.5, 5.9, 6.2}) {
    const VectorXd v = angle * axis;
    ASSERT_TRUE(retraction.at(v.data())) << angle;
    EXPECT_LT((retraction.adjoint() - so3.tau(RetractionKind::exponential, v)).cwiseAbs().maxCoeff(), 1e-12) << angle;
  }
  for (const double angle : {6.2831853, 7.0, 20.0}) {
    const VectorXd v = angle * axis;
    EXPECT_FALSE(retraction.at(v.data())) << angle;
  }
}

// (1 - v/2) is singular where a hyperbolic v of sl2 has the eigenvalue 2.
TEST(Retraction, KnowsWhereTheCayleyMapEnds) {
  TestedRetraction retraction = retraction_of(groups()[4], RetractionKind::cayley);
  const VectorXd inside = Eigen::Vector3d(1.9, 0, 0);
  const VectorXd outside = Eigen::Vector3d(2.1, 0, 0);
  EXPECT_TRUE(retraction.at(inside.data()));
  EXPECT_FALSE(retraction.at(outside.data()));
}

TEST(Retraction, WorksFactorByFactor) {
  // so3 in front of heisenberg, with commuting blocks.
  std::vector<double> c(6 * 6 * 6);
  const auto set = [&c](std::size_t i, std::size_t j, std::size_t k) {
    c[(k * 6 + i) * 6 + j] = 1;
    c[(k * 6 + j) * 6 + i] = -1;
  };
  set(0, 1, 2);
  set(1, 2, 0);
  set(2, 0, 1);
  set(3, 4, 5);
  TestedRetraction product(RetractionKind::cayley, 6, c, {{"so3", 0, 3}, {"heisenberg", 3, 3}});
  VectorXd v(6);
  v << 0.3, -0.2, 0.7, 0.4, 0.9, -0.1;
  ASSERT_TRUE(product.at(v.data()));
  const MatrixXd Ad = product.adjoint();
  TestedRetraction first = retraction_of(groups()[0], RetractionKind::cayley);
  TestedRetraction second = retraction_of(groups()[5], RetractionKind::cayley);
  first.at(v.data());
  second.at(v.data() + 3);
  EXPECT_LT((Ad.topLeftCorner(3, 3) - first.adjoint()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LT((Ad.bottomRightCorner(3, 3) - second.adjoint()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(Ad.topRightCorner(3, 3).cwiseAbs().maxCoeff(), 0);
}

TEST(Retraction, RefusesACayleyMapThatItDoesNotKnow) {
  const auto refusal = [](const std::vector<double>& c, const std::vector<GroupoidKernels::Factor>& factors) {
    try {
      TestedRetraction(RetractionKind::cayley, 3, c, factors);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const auto so3 = groups()[0].structure();
  EXPECT_THAT(refusal(so3, {}), ::testing::HasSubstr("lie-hph-2"));
  EXPECT_THAT(refusal(so3, {{"sp4", 0, 3}}), ::testing::HasSubstr("known are so3"));
  EXPECT_THAT(refusal(so3, {{"heisenberg", 0, 3}}), ::testing::HasSubstr("not those of the group heisenberg"));
  EXPECT_THAT(refusal(so3, {{"so3", 1, 3}}), ::testing::HasSubstr("reaches beyond rank 3"));
  EXPECT_EQ(refusal(so3, {{"so3", 0, 3}}), "accepted");
}

}  // namespace
}  // namespace herglotz::integrate
