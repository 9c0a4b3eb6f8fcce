#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/tableau.hpp"
#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

template <int S>
void expect_gauss_conditions() {
  const auto tableau = gauss<S>();
  for (int k = 1; k <= 2 * S; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < S; ++i) sum += tableau.b[i] * std::pow(tableau.c[i], k - 1);
    EXPECT_NEAR(sum, 1.0 / k, 5e-16) << "B(" << k << ")";
  }
  for (std::size_t i = 0; i < S; ++i) {
    for (int k = 1; k <= S; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < S; ++j) sum += tableau.A[i][j] * std::pow(tableau.c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(tableau.c[i], k) / k, 4e-16) << "C(" << k << "), stage " << i;
    }
    for (std::size_t j = 0; j < S; ++j) {
      EXPECT_NEAR(tableau.b[i] * tableau.A[i][j] + tableau.b[j] * tableau.A[j][i], tableau.b[i] * tableau.b[j], 1e-16);
    }
  }
}

// B(2s), C(s) and symplecticity: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, II.1.3, VI.4.
TEST(Gauss, SatisfiesItsOrderConditionsAndIsSymplectic) {
  expect_gauss_conditions<1>();
  expect_gauss_conditions<2>();
  expect_gauss_conditions<3>();
  expect_gauss_conditions<4>();
  expect_gauss_conditions<5>();
  expect_gauss_conditions<6>();
}

class ContactGauss : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactGauss,
                         ::testing::Values("contact-gauss-2", "contact-gauss-4", "contact-gauss-6", "contact-gauss-8",
                                           "contact-gauss-10", "contact-gauss-12"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(ContactGauss, IsTheSameMapInVelocitiesAndInMomenta) {
  const std::vector<double> start{0.5, 1.2, 0.3};
  const Settings settings{.method = GetParam(), .t_end = 5, .step = 0.1};
  const auto lagrangian = testing::run(dynamics_of<NonlinearAction>(), start, settings);
  std::vector<double> dual = start;
  dual[1] *= std::exp(start[2] / 5);
  const auto hamiltonian = testing::run(dynamics_of<NonlinearActionHamiltonian>(), dual, settings);
  const auto& a = lagrangian.back().state;
  const auto& b = hamiltonian.back().state;
  EXPECT_NEAR(a[0], b[0], 1e-13 * std::abs(b[0]));
  EXPECT_NEAR(a[1] * std::exp(a[2] / 5), b[1], 1e-13 * std::abs(b[1]));
  EXPECT_NEAR(a[2], b[2], 1e-13 * std::abs(b[2]));
  EXPECT_NEAR(lagrangian.back().log_factor, hamiltonian.back().log_factor, 1e-13);
}

TEST_P(ContactGauss, IsItsOwnInverseBackwards) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto there = testing::run(dynamics, start, {.method = GetParam(), .t_end = 3, .step = 0.1});
  const auto back = testing::run(dynamics, there.back().state, {.method = GetParam(), .t_end = 0, .step = 0.1}, 3);
  EXPECT_LT(distance(back.back().state, start), 1e-13);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-14);
}

// Theory, Sec. 4: P = R p is a linear first integral of the lifted free particle.
TEST_P(ContactGauss, KeepsADissipatedMomentumExactly) {
  const auto run = testing::run(dynamics_of<DampedOscillator<0, 300>>(), {0.7, 1.3, -0.4},
                                {.method = GetParam(), .t_end = 100, .step = 0.1, .schedule = {.every = 10}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    const double momentum = sample.state[1];
    EXPECT_NEAR(std::exp(sample.log_factor) * momentum, 1.3, 2e-14) << "t = " << sample.t;
    EXPECT_NEAR(sample.budget[1], momentum, 2e-14 * std::abs(momentum)) << "the budget is the same quadrature";
  }
}

// On so(3) the Casimir |lambda p|^2 is quadratic in P = R p. Theory, Sec. 4; [ASC25, Ex. 4.6].
TEST_P(ContactGauss, KeepsTheCasimirOfTheRigidBody) {
  const std::vector<double> start{0.4, 0.9, -0.3, 0.2};
  const auto run = testing::run(dynamics_of<RigidBody>(), start,
                                {.method = GetParam(), .t_end = 200, .step = 0.002, .schedule = {.every = 5000}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  ASSERT_EQ(run.outcome.steps, 100'000u);
  double first = 0;
  for (const auto& sample : run.samples) {
    double casimir = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double p = std::exp(sample.state[3] / 8) * RigidBody::I[a] * sample.state[a];
      casimir += p * p;
    }
    const double log_casimir = std::log(casimir) + 2 * sample.log_factor;
    if (sample.t == 0) first = log_casimir;
    EXPECT_NEAR(log_casimir, first, 1e-12) << "t = " << sample.t;
  }
}

// [ASC25, Prop. 4.4, Eq. 22]: lambda J is a quadratic first integral of the lifted system.
TEST_P(ContactGauss, KeepsTheDissipatedAngularMomentum) {
  const std::vector<double> start{1.0, 0.0, 0.3, 0.8, 0.1};
  const auto run = testing::run(dynamics_of<PlanarOscillator>(), start,
                                {.method = GetParam(), .t_end = 10, .step = 0.05, .schedule = {.every = 10}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  const double initial = 0.8 * std::exp(0.1 / 5);
  double largest_factor = 0;
  for (const auto& sample : run.samples) {
    const auto& u = sample.state;
    const double J = std::exp(u[4] / 5) * (u[0] * u[3] - u[1] * u[2]);
    EXPECT_NEAR(std::exp(sample.log_factor) * J, initial, 2e-13) << "t = " << sample.t;
    EXPECT_NEAR(std::exp(sample.log_factor) * sample.budget[1], initial, 2e-13);
    largest_factor = std::max(largest_factor, std::abs(sample.log_factor));
  }
  EXPECT_GT(largest_factor, 0.1) << "without dissipation the test says less";
}

TEST_P(ContactGauss, FollowsTheReferenceOnALieAlgebra) {
  const std::vector<double> start{0.4, 0.9, -0.3, 0.2};
  const auto exact =
      testing::run(dynamics_of<RigidBody>(), start, {.method = "reference", .t_end = 5, .tolerance = 1e-12});
  const auto run = testing::run(dynamics_of<RigidBody>(), start, {.method = GetParam(), .t_end = 5, .step = 0.01});
  const double order = find_method(GetParam())->order;
  EXPECT_LT(distance(run.back().state, exact.back().state), 10 * std::pow(0.01, order) + 1e-12);
  EXPECT_NEAR(run.back().log_factor, exact.back().log_factor, 10 * std::pow(0.01, order) + 1e-12);
  EXPECT_NEAR(run.back().budget[0], exact.back().budget[0], 10 * std::pow(0.01, order) + 1e-12);
}

TEST_P(ContactGauss, ShortensOnlyTheLastStepToEndInTime) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto whole = testing::run(dynamics, start, {.method = GetParam(), .t_end = 1, .step = 0.1});
  EXPECT_EQ(whole.outcome.steps, 10u);
  const auto longer = testing::run(dynamics, start, {.method = GetParam(), .t_end = 1.05, .step = 0.1});
  EXPECT_EQ(longer.outcome.steps, 11u);
  EXPECT_EQ(longer.back().t, 1.05);
  const auto rest = testing::run(dynamics, whole.back().state, {.method = GetParam(), .t_end = 1.05, .step = 0.05}, 1);
  EXPECT_LT(distance(longer.back().state, rest.back().state), 1e-14);
}

TEST(ContactGauss, RefusesAStepWhoseIntegratingFactorIsNotPositive) {
  // gamma = 3: the factor at the midpoint, 1/(1 + h L_z/2) = 1/(1 - 3h/2), is positive for h < 2/3 only.
  const auto run = testing::run(dynamics_of<DampedOscillator<1000, 3000>>(), {1.0, 0.0, 0.0},
                                {.method = "contact-gauss-2", .t_end = 10, .step = 1.0});
  EXPECT_EQ(run.outcome.status, Status::not_converged);
  EXPECT_THAT(run.outcome.reason.text(), ::testing::HasSubstr("integrating factor of one step is not positive"));
  EXPECT_THAT(run.outcome.reason.text(), ::testing::HasSubstr("take a step below 0.33"));
  const auto shorter = testing::run(dynamics_of<DampedOscillator<1000, 3000>>(), {1.0, 0.0, 0.0},
                                    {.method = "contact-gauss-2", .t_end = 10, .step = 0.33});
  EXPECT_EQ(shorter.outcome.status, Status::success) << shorter.outcome.reason.text();
}

TEST(ContactGauss, SolvesItsEquationsOnSystemsOfAnySize) {
  // Uncoupled copies move as one does, whichever size the elimination is compiled for, also where it is sparse.
  struct Copies {
    static Dynamics make(std::size_t count) {
      // L = sum of (v_i^2/2 - cos q_i) - z/10.
      Dynamics d;
      d.n = d.r = count;
      const auto stage = [count](const auto& u, auto& out) {
        using std::cos, std::sin;
        auto L = u[0] * 0.0;
        for (std::size_t i = 0; i < count; ++i) {
          out[i] = u[count + i];
          out[count + i] = u[count + i];
          out[2 * count + i] = sin(u[i]);
          L += u[count + i] * u[count + i] / 2.0 - cos(u[i]);
        }
        out[3 * count] = L - 0.1 * u[2 * count];
        out[3 * count + 1] = u[0] * 0.0 - 0.1;
      };
      const std::size_t rows = 3 * count + 2;
      const std::size_t cols = 2 * count + 1;
      d.stage = kernel::from_function(
          "stage", cols + 1, 0, rows,
          [stage](std::span<const double> u, std::span<const double>, std::span<double> out) { stage(u, out); });
      // A copy has entries of its own alone, but for L.
      const auto has_entry = [count](std::size_t i, std::size_t j) {
        return i == 3 * count || (i < 3 * count && j < 2 * count && i % count == j % count);
      };
      d.stage_pattern = {rows, cols, {}, {}};
      for (std::size_t j = 0; j < cols; ++j) {
        for (std::size_t i = 0; i < rows; ++i) {
          if (!has_entry(i, j)) continue;
          d.stage_pattern.row.push_back(i);
          d.stage_pattern.col.push_back(j);
        }
      }
      d.stage_jacobian =
          kernel::from_function("stage_jacobian", cols + 1, 0, d.stage_pattern.row.size(),
                                [=](std::span<const double> u, std::span<const double>, std::span<double> out) {
                                  std::vector<Complex> shifted(u.begin(), u.end());
                                  std::vector<Complex> values(rows);
                                  std::size_t e = 0;
                                  for (std::size_t j = 0; j < cols; ++j) {
                                    shifted[j] += Complex(0, 1e-120);
                                    stage(shifted, values);
                                    for (std::size_t i = 0; i < rows; ++i)
                                      if (has_entry(i, j)) out[e++] = values[i].imag() / 1e-120;
                                    shifted[j] = u[j];
                                  }
                                });
      return d;
    }
  };
  for (const char* method : {"contact-gauss-2", "contact-gauss-4", "contact-gauss-6", "contact-gauss-12"}) {
    const Settings settings{.method = method, .t_end = 5, .step = 0.1};
    const auto one = testing::run(Copies::make(1), {0.5, 1.2, 0.0}, settings);
    for (const std::size_t count : {2u, 3u, 6u, 100u}) {
      std::vector<double> start(2 * count + 1, 0.0);
      for (std::size_t i = 0; i < count; ++i) {
        start[i] = 0.5;
        start[count + i] = 1.2;
      }
      const auto many = testing::run(Copies::make(count), start, settings);
      ASSERT_EQ(many.outcome.status, Status::success) << many.outcome.reason.text();
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(many.back().state[i], one.back().state[0], 1e-12) << method << ", " << count << " copies";
        EXPECT_NEAR(many.back().state[count + i], one.back().state[1], 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace herglotz::integrate
