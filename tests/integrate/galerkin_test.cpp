#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "herglotz/integrate/galerkin_rule.hpp"
#include "order_of.hpp"
#include "order_slope.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

const std::vector<double> galerkin_start{0.5, 1.2, 0.3};

/// L = exp(z/5) v^2/2 - cos q + q sin 3t/2 - z^2/10, with the force -v^3/20.
struct DrivenNonlinearAction {
  static constexpr std::size_t n = 1;
  static constexpr std::size_t r = 1;
  static constexpr std::size_t laws = 1;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::cos, std::exp, std::sin;
    const Number q = u[0];
    const Number v = u[1];
    const Number z = u[2];
    const Number growth = exp(z / 5.0);
    const Number potential = cos(q) - q * sin(3.0 * u[3]) / 2.0 + z * z / 10.0;
    const Number L = growth * v * v / 2.0 - potential;
    const Number L_z = growth * v * v / 10.0 - z / 5.0;
    const Number F = -v * v * v / 20.0;
    const Number f = sin(q) + sin(3.0 * u[3]) / 2.0 + F;
    const Number E = growth * v * v / 2.0 + potential;
    return {{v, growth * v, f, L, L_z},
            {(f + L_z * growth * v) / growth - v * L / 5.0},
            {E, Number(1), F * v - 1.5 * q * cos(3.0 * u[3])}};
  }
};

Settings by_rule(std::size_t degree, const std::string& quadrature, double t_end, double step) {
  return {.method = "discrete-galerkin", .t_end = t_end, .step = step, .galerkin = galerkin_rule(degree, quadrature)};
}

void expect_same(const Followed& a, const Followed& b, const std::string& what) {
  ASSERT_EQ(a.outcome.status, Status::success) << a.outcome.reason.text();
  ASSERT_EQ(b.outcome.status, Status::success) << b.outcome.reason.text();
  EXPECT_LT(distance(everything(a.back()), everything(b.back())), 2e-13) << what;
}

// J. Hall, M. Leok, Numer. Math. 130 (2015); J. E. Marsden, M. West, Acta Numerica 10 (2001), Sec. 2.6.6.
TEST(Galerkin, WithAsManyGaussNodesAsTheDegreeIsContactGauss) {
  for (const int s : {1, 2, 3, 4, 5, 6}) {
    const std::string name = "contact-gauss-" + std::to_string(2 * s);
    const auto rule = by_rule(static_cast<std::size_t>(s), "gauss-" + std::to_string(s), 4, 0.2);
    const Settings settings{.method = name, .t_end = 4, .step = 0.2};
    expect_same(run(dynamics_of<DrivenNonlinearAction>(), galerkin_start, rule),
                run(dynamics_of<DrivenNonlinearAction>(), galerkin_start, settings), name);
    const std::vector<double> plane{1.0, 0.0, 0.3, 0.8, 0.1};
    expect_same(run(dynamics_of<PlanarOscillator>(), plane, rule),
                run(dynamics_of<PlanarOscillator>(), plane, settings), name + " in the plane");
  }
}

// As many free velocities as nodes: the collocation polynomial of Lobatto IIIA.
TEST(Galerkin, WithAsManyLobattoNodesAsTheDegreeIsContactLobatto) {
  for (const int s : {2, 3, 4, 5}) {
    const std::string name = "contact-lobatto-" + std::to_string(2 * s - 2);
    const auto rule = by_rule(static_cast<std::size_t>(s), "lobatto-" + std::to_string(s), 4, 0.1);
    expect_same(run(dynamics_of<DrivenNonlinearAction>(), galerkin_start, rule),
                run(dynamics_of<DrivenNonlinearAction>(), galerkin_start, {.method = name, .t_end = 4, .step = 0.1}),
                name);
  }
}

// Where mass and weights are constant, the highest coefficient of that polynomial vanishes: the integral of the
// Legendre polynomial of degree s is 0 at the s + 1 Lobatto points. The two stages of order 2 have the same factor R.
TEST(Galerkin, WithOneLobattoNodeMoreThanTheDegreeIsContactLobattoInConservativeMotionsOfConstantMass) {
  const auto dynamics = dynamics_of<DampedOscillator<1000, 0>>();
  for (const int s : {1, 2, 3}) {
    const std::string name = "contact-lobatto-" + std::to_string(2 * s);
    const auto rule = by_rule(static_cast<std::size_t>(s), "lobatto-" + std::to_string(s + 1), 4, 0.1);
    expect_same(run(dynamics, galerkin_start, rule),
                run(dynamics, galerkin_start, {.method = name, .t_end = 4, .step = 0.1}), name);
  }
  expect_same(
      run(dynamics_of<DrivenOscillator>(), galerkin_start, by_rule(1, "lobatto-2", 4, 0.1)),
      run(dynamics_of<DrivenOscillator>(), galerkin_start, {.method = "contact-lobatto-2", .t_end = 4, .step = 0.1}),
      "trapezoid rule");
}

/// The slope of the errors in state, factor and budget.
void expect_slope(const Settings& of, int order) {
  const auto dynamics = dynamics_of<DrivenNonlinearAction>();
  const auto exact = run(dynamics, galerkin_start, {.method = "reference", .t_end = 4, .tolerance = 1e-13});
  const auto error_of = [&](double step) {
    Settings settings = of;
    settings.t_end = 4;
    settings.step = step;
    const auto found = run(dynamics, galerkin_start, settings);
    if (found.outcome.status != Status::success) return std::numeric_limits<double>::infinity();
    return distance(everything(found.back()), everything(exact.back()));
  };
  const auto found = test::observed_order(error_of, 4, order, true, 7);
  ASSERT_GE(found.used, 4U) << "too few errors above round-off:" << found.seen;
  // Over so short a time few errors of order 8 are above round-off; the law suite sees its slope within 0.2.
  EXPECT_NEAR(found.slope, order, order < 8 ? 0.2 : 0.5) << found.seen;
}

TEST(Galerkin, HasTheSmallerOneOfTwiceTheDegreeAndTheOrderOfTheQuadrature) {
  expect_slope(by_rule(1, "gauss-3", 4, 1), 2);
  expect_slope(by_rule(2, "gauss-4", 4, 1), 4);
  expect_slope(by_rule(3, "gauss-3", 4, 1), 6);
  expect_slope(by_rule(3, "lobatto-3", 4, 1), 4);
  expect_slope(by_rule(2, "lobatto-5", 4, 1), 4);
}

class ContactGalerkin : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactGalerkin,
                         ::testing::Values("contact-galerkin-2", "contact-galerkin-4", "contact-galerkin-6",
                                           "contact-galerkin-8"),
                         underscored);

TEST_P(ContactGalerkin, ConvergesWithItsDeclaredOrderWithForcesAndExplicitTime) {
  expect_slope({.method = GetParam()}, find_method(GetParam())->order);
}

TEST_P(ContactGalerkin, IsItsOwnInverseBackwards) {
  const auto dynamics = dynamics_of<DrivenNonlinearAction>();
  const auto there = run(dynamics, galerkin_start, {.method = GetParam(), .t_end = 3, .step = 0.1});
  const auto back = run(dynamics, there.back().state, {.method = GetParam(), .t_end = 0, .step = 0.1}, 3);
  EXPECT_LT(distance(back.back().state, galerkin_start), 1e-13);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-13);
}

// [ASMLL20, Thm 3]: momenta of symmetries are dissipated by sigma_d.
TEST_P(ContactGalerkin, DissipatesMomentaOfSymmetriesByItsFactorToRoundOff) {
  const auto line = run(dynamics_of<DampedOscillator<0, 300>>(), {0.7, 1.3, -0.4},
                        {.method = GetParam(), .t_end = 100, .step = 0.1, .schedule = {.every = 10}});
  ASSERT_EQ(line.outcome.status, Status::success) << line.outcome.reason.text();
  for (const auto& sample : line.samples) EXPECT_NEAR(std::exp(sample.log_factor) * sample.state[1], 1.3, 4e-14);
  const auto plane = run(dynamics_of<PlanarOscillator>(), {1.0, 0.0, 0.3, 0.8, 0.1},
                         {.method = GetParam(), .t_end = 10, .step = 0.05, .schedule = {.every = 10}});
  ASSERT_EQ(plane.outcome.status, Status::success) << plane.outcome.reason.text();
  for (const auto& sample : plane.samples) {
    const auto& u = sample.state;
    const double J = std::exp(u[4] / 5) * (u[0] * u[3] - u[1] * u[2]);
    EXPECT_NEAR(std::exp(sample.log_factor) * J, 0.8 * std::exp(0.1 / 5), 2e-13) << "t = " << sample.t;
    EXPECT_NEAR(J, sample.budget[1], 2e-13) << "t = " << sample.t;
  }
  EXPECT_GT(std::abs(plane.back().log_factor), 0.1) << "without dissipation the test says less";
}

TEST_P(ContactGalerkin, RefusesAStepWhoseFactorIsNotPositive) {
  const auto run = testing::run(dynamics_of<DampedOscillator<1000, 3000>>(), {1.0, 0.0, 0.0},
                                {.method = GetParam(), .t_end = 10, .step = 3.0});
  EXPECT_EQ(run.outcome.status, Status::not_converged);
  EXPECT_THAT(run.outcome.reason.text(), ::testing::HasSubstr("too large for the dissipation"));
  EXPECT_THAT(run.outcome.reason.text(), ::testing::HasSubstr("take a step below 0.33"));
}

TEST(Galerkin, RefusesWhatIsNoLagrangianOfVelocitiesAndRulesThatDoNotFit) {
  auto hamiltonian = dynamics_of<NonlinearActionHamiltonian>();
  hamiltonian.lagrangian = false;
  EXPECT_THROW(run(hamiltonian, galerkin_start, {.method = "contact-galerkin-2", .t_end = 1, .step = 0.1}),
               std::invalid_argument);
  const auto dynamics = dynamics_of<NonlinearAction>();
  EXPECT_THROW(run(dynamics, galerkin_start, {.method = "discrete-galerkin", .t_end = 1, .step = 0.1}),
               std::invalid_argument);
  Settings settings = by_rule(2, "gauss-2", 1, 0.1);
  settings.galerkin->degree = 3;
  EXPECT_THROW(run(dynamics, galerkin_start, settings), std::invalid_argument);
  settings.galerkin->degree = 2;
  settings.galerkin->A.pop_back();
  EXPECT_THROW(run(dynamics, galerkin_start, settings), std::invalid_argument);
  for (const char* name : {"gauss-", "gauss-0", "gauss-17", "lobatto-1", "gauss-2x", "simpson"})
    EXPECT_THROW(galerkin_rule(1, name), std::invalid_argument) << name;
  EXPECT_THROW(galerkin_rule(0, "gauss-2"), std::invalid_argument);
  EXPECT_THROW(galerkin_rule(3, "gauss-2"), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::integrate
