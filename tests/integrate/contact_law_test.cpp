// The laws of several contacts at once.

#include "moreau/contact_law.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "moreau/complementarity.hpp"

namespace herglotz::integrate {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// Returns D = H H^T and b = H y of contacts between bodies with random directions.
void draw(std::mt19937& random, const std::vector<ContactRows>& contacts, Eigen::Index velocities, Matrix& D,
          Vector& b) {
  std::normal_distribution<double> normal;
  Eigen::Index rows = 0;
  for (const auto& contact : contacts) rows += 1 + static_cast<Eigen::Index>(contact.slips);
  const Matrix H = Matrix::NullaryExpr(rows, velocities, [&] { return normal(random); });
  D = H * H.transpose();
  b = H * Vector::NullaryExpr(velocities, [&] { return normal(random); });
}

TEST(ContactLaw, IsObeyedToRoundOff) {
  std::mt19937 random(20261123);
  int open = 0;
  int closed = 0;
  for (int k = 0; k < 400; ++k) {
    const std::size_t slips = static_cast<std::size_t>(k) % 3;
    const std::vector<ContactRows> contacts(1 + static_cast<std::size_t>(k) % 4, {slips, slips == 0 ? 0 : 0.15});
    Matrix D;
    Vector b;
    draw(random, contacts, 14, D, b);
    const auto found = solve_contacts(D, b, contacts, Vector::Zero(b.size()));
    ASSERT_TRUE(found.solved) << "case " << k << ": " << found.residual;
    const Vector u = D * found.J + b;
    for (std::size_t c = 0, row = 0; c < contacts.size(); ++c, row += 1 + slips) {
      const auto n = static_cast<Eigen::Index>(row);
      EXPECT_GE(u[n], -1e-11);
      EXPECT_GE(found.J[n], 0);
      EXPECT_NEAR(u[n] * found.J[n], 0, 1e-10);
      const Vector J_t = found.J.segment(n + 1, static_cast<Eigen::Index>(slips));
      const Vector u_t = u.segment(n + 1, static_cast<Eigen::Index>(slips));
      EXPECT_LE(J_t.norm(), 0.15 * found.J[n] + 1e-12);
      EXPECT_NEAR(J_t.dot(u_t), -J_t.norm() * u_t.norm(), 1e-9);
      if (u_t.norm() > 1e-9) {
        EXPECT_NEAR(J_t.norm(), 0.15 * found.J[n], 1e-9);
      }
      ++(found.J[n] > 0 ? closed : open);
    }
  }
  EXPECT_GT(open, 100);
  EXPECT_GT(closed, 100);
}

// A rod that lies down on both ends at an angle of 1e-5: the slips of its ends differ by so little that sweeps take
// 1e5 turns to find which end sticks, and no impulses stop both.
TEST(ContactLaw, TellsNearlyEqualSlipsFromEachOther) {
  const std::vector<ContactRows> ends(2, {1, 0.9});
  for (const double angle : {1e-2, 1e-4, 1e-5, -1e-6, 1e-8}) {
    Matrix H(4, 3);  // gap and slip of the left and the right end, in the velocities x, y and the rate of turning
    H << 0, 1, -0.5 * std::cos(angle), 1, 0, 0.5 * std::sin(angle), 0, 1, 0.5 * std::cos(angle), 1, 0,
        -0.5 * std::sin(angle);
    Matrix inverse = Matrix::Identity(3, 3);
    inverse(2, 2) = 12;
    const Matrix D = H * inverse * H.transpose();
    for (const double spin : {-0.0136, 0.01, 0.3})
      for (const double slip : {7e-8, -1e-3, 0.0}) {
        Vector b = H * Eigen::Vector3d(slip, -0.02, spin);
        b[0] += 0.7 * (H.row(0) * Eigen::Vector3d(slip, -0.01, spin)).value();
        b[2] += 0.7 * (H.row(2) * Eigen::Vector3d(slip, -0.01, spin)).value();
        const auto found = solve_contacts(D, b, ends, Vector::Zero(4));
        EXPECT_LT(found.residual, 1e-11) << angle << " " << spin << " " << slip;
      }
  }
}

/// Returns the largest defect of the laws of a linear complementarity problem.
double complementarity_defect(const Matrix& M, const Vector& q, const Vector& z) {
  const Vector w = M * z + q;
  return std::max({-z.minCoeff(), -w.minCoeff(), z.cwiseProduct(w).cwiseAbs().maxCoeff()});
}

TEST(Complementarity, IsSolvedByPivots) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (Eigen::Index m = 1; m <= 24; ++m) {
    const Matrix A = Matrix::NullaryExpr(m, m, [&] { return normal(random); });
    const Matrix M = A * A.transpose() + Matrix::Identity(m, m) * 0.1 + 0.3 * (A - A.transpose());
    const Vector q = Vector::NullaryExpr(m, [&] { return normal(random); });
    const auto z = solve_complementarity(M, q);
    ASSERT_TRUE(z);
    EXPECT_LT(complementarity_defect(M, q, *z), 1e-10) << m;
  }
  EXPECT_EQ(*solve_complementarity(Matrix::Identity(2, 2), Eigen::Vector2d(1, 2)), Eigen::Vector2d(0, 0));
  EXPECT_FALSE(solve_complementarity(Matrix::Zero(2, 2), Eigen::Vector2d(-1, 2))) << "no z helps";
}

// Four feet on the floor: their forces are not determined, what they do is.
TEST(ContactLaw, TakesDirectionsThatDependOnEachOther) {
  Matrix H(4, 3);  // of the velocity up and two rates of turning
  H << 1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1;
  const Matrix D = H * H.transpose();
  const Vector b = H * Vector{{-2.0, 0.1, 0.0}};
  const auto found = solve_contacts(D, b, std::vector<ContactRows>(4), Vector::Zero(4));
  EXPECT_TRUE(found.solved);
  EXPECT_NEAR((D * found.J + b).norm(), 0, 1e-13);
  EXPECT_NEAR(found.J.sum(), 2, 1e-13);
}

// The impulse of the second contact closes the first one, whose slip is 0 until its own force turns it further than
// friction can.
TEST(ContactLaw, FindsTheForceOfAContactThatAnotherOneCloses) {
  const Matrix D{{1.0, 0.5, -0.8}, {0.5, 1.0, 0.0}, {-0.8, 0.0, 1.0}};
  const auto found = solve_contacts(D, Vector{{0.5, 0.0, -1.0}}, {{1, 0.1}, {0, 0}}, Vector::Zero(3));
  EXPECT_TRUE(found.solved) << found.residual;
  // J_t = -J_n/10 with 0.95 J_n - 0.8 J = -0.5 and J = 1 + 0.8 J_n.
  const double J_n = 0.3 / (0.95 - 0.64);
  EXPECT_NEAR((found.J - Vector{{J_n, -0.1 * J_n, 1 + 0.8 * J_n}}).norm(), 0, 1e-13);
}

// A table lands on feet that are not level. Its bounce leaves the feet different rates of their gaps, and as the
// distance of two feet is constant, so are parts of their slips different: no impulses stop all of them, and a few of
// the feet slip by what is left, at the rims of their cones.
TEST(ContactLaw, FindsWhichFeetOfATableSlip) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> between(-1, 1);
  for (int k = 0; k < 200; ++k) {
    const Eigen::Index feet = 2 + k % 3;
    const double tilt = std::pow(10.0, -1 - k % 7);
    const double friction = 0.3 + 0.3 * (k % 5);
    Matrix H(3 * feet, 6);  // gap and slips in the velocity and the angular velocity of the table
    for (Eigen::Index foot = 0; foot < feet; ++foot) {
      const Eigen::Vector3d r(foot % 2 == 0 ? 0.5 : -0.5, foot < 2 ? 0.3 : -0.3, -0.4 + tilt * between(random));
      for (Eigen::Index row = 0; row < 3; ++row) {
        const Eigen::Vector3d along = Eigen::Vector3d::Unit((row + 2) % 3);
        H.row(3 * foot + row) << along.transpose(), r.cross(along).transpose();
      }
    }
    const Eigen::Vector<double, 6> inverse(0.5, 0.5, 0.5, 3.0, 2.0, 1.5);
    const Matrix D = H * inverse.asDiagonal() * H.transpose();
    const Vector before = Vector{{1.0, 1.0, -20.0, 1.0, 1.0, 0.1}}.cwiseProduct(
        Vector::NullaryExpr(6, [&] { return 1e-3 * (1.5 + between(random)); }));
    Vector b = H * before;
    for (Eigen::Index foot = 0; foot < feet; ++foot) b[3 * foot] *= 1.3;
    const std::vector<ContactRows> contacts(static_cast<std::size_t>(feet), {2, friction});
    const auto found = solve_contacts(D, b, contacts, Vector::Zero(3 * feet));
    EXPECT_LT(found.residual, 1e-10) << k << ": " << feet << " feet, " << tilt << ", " << friction;
  }
}

// Painleve's rod: sliding friction presses more than the contact parts, so that no impulse obeys both laws with a slip
// that goes on; one that stops the slip does [GB99].
TEST(ContactLaw, FindsTheImpulseThatStopsASlidingRod) {
  const Matrix D{{1.0, 2.0}, {2.0, 5.0}};
  const Vector b{{-1.0, 3.0}};
  const std::vector<ContactRows> contacts{{1, 3.0}};
  const auto found = solve_contacts(D, b, contacts, Vector::Zero(2));
  ASSERT_TRUE(found.solved);
  const Vector u = D * found.J + b;
  EXPECT_NEAR(u.norm(), 0, 1e-12) << "it sticks";
  EXPECT_LE(std::abs(found.J[1]), 3 * found.J[0]);
}

TEST(ContactLaw, SaysWhatItLeavesWhereThereIsNoImpulse) {
  const Matrix D = Matrix::Zero(1, 1);  // no impulse changes the rate of the gap
  const Vector b = Vector::Constant(1, -1.0);
  const auto found = solve_contacts(D, b, {{0, 0}}, Vector::Zero(1));
  EXPECT_FALSE(found.solved);
  EXPECT_NEAR(found.residual, 1, 1e-12);
}

/// Returns D of contacts of a body in the plane, of mass and inertia 1, at these places on the floor: rows (gap, slip).
Matrix standing(const std::vector<double>& places) {
  Matrix H(2 * static_cast<Eigen::Index>(places.size()), 3);
  for (Eigen::Index k = 0; k < H.rows() / 2; ++k)
    H.middleRows(2 * k, 2) << 0, 1, places[static_cast<std::size_t>(k)], 1, 0, 0.5;
  return H * H.transpose();
}

// Two corners that stick share their horizontal load in any way; that of one that slides is known, and so are all
// others. Of three on a line any may carry less. A contact that does not press takes no part.
TEST(ContactLaw, NamesContactsWhoseImpulsesAreChosen) {
  using Places = std::vector<std::size_t>;
  const std::vector<ContactRows> two(2, {1, 0.5});
  Vector J(4);
  J << 1, 0.1, 1, 0.2;
  EXPECT_EQ(contacts_with_choice(standing({-1, 1}), J, two), (Places{0, 1}));
  J << 1, 0.5, 1, 0.2;
  EXPECT_EQ(contacts_with_choice(standing({-1, 1}), J, two), Places{});
  J << 1, 0.1, 0, 0;
  EXPECT_EQ(contacts_with_choice(standing({-1, 1}), J, two), Places{});
  const std::vector<ContactRows> three(3, {1, 0.5});
  J.resize(6);
  J << 1, 0.5, 2, 1, 3, 1.5;
  EXPECT_EQ(contacts_with_choice(standing({-1, 0, 1}), J, three), (Places{0, 1, 2}));
  J << 1, 0.5, 0, 0, 3, 1.5;
  EXPECT_EQ(contacts_with_choice(standing({-1, 0, 1}), J, three), Places{});
}

}  // namespace
}  // namespace herglotz::integrate
