#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "systems.hpp"

namespace herglotz::integrate {
namespace {

using namespace testing;

/// The structure of a tangent bundle or, with r = 3 and n = 0, of so(3): c^k_ij p_k = eps_ijk p_k.
template <typename System>
std::vector<double> structure_of(const Motion<double>& motion) {
  constexpr std::size_t n = System::n;
  constexpr std::size_t r = System::r;
  std::vector<double> structure(2 * n * r + r * r, 0.0);
  for (std::size_t i = 0; i < n; ++i) structure[i * r + i] = structure[n * r + i * r + i] = 1;
  if (n > 0) return structure;
  for (std::size_t i = 0; i < r; ++i) {
    structure[i * r + (i + 1) % r] = motion.stage[(i + 2) % r];
    structure[((i + 1) % r) * r + i] = -motion.stage[(i + 2) % r];
  }
  return structure;
}

template <typename System>
Dynamics energy_dynamics(std::vector<bool> uses) {
  constexpr std::size_t variables = System::n + System::r + 2;
  Dynamics dynamics = dynamics_of<System>();
  dynamics.energy.energy = kernel::from_function(
      "energy", variables, 0, 3, [](std::span<const double> u, std::span<const double>, std::span<double> out) {
        const auto law = System::template motion<double>(u).balance;
        out[0] = law[0];
        out[1] = law[2];
        out[2] = law[1];
      });
  differentiate<System>(dynamics.energy.jacobian, dynamics.energy.pattern, 2, [](const Motion<Complex>& motion) {
    return std::vector<Complex>{motion.balance[0], motion.balance[2]};
  });
  dynamics.energy.structure =
      kernel::from_function("structure", variables, 0, 2 * System::n * System::r + System::r * System::r,
                            [](std::span<const double> u, std::span<const double>, std::span<double> out) {
                              const auto structure = structure_of<System>(System::template motion<double>(u));
                              std::copy(structure.begin(), structure.end(), out.begin());
                            });
  dynamics.energy.uses = std::move(uses);
  return dynamics;
}

/// L = (v1^2 + (2 + cos q1) v2^2)/2 - q1^4/4 - z/20: q2 is cyclic; its momentum is the second law.
struct CyclicCoordinate {
  static constexpr std::size_t n = 2;
  static constexpr std::size_t r = 2;
  static constexpr std::size_t laws = 2;
  template <typename Number, typename State>
  static Motion<Number> motion(const State& u) {
    using std::cos, std::sin;
    const Number q = u[0];
    const Number v1 = u[2];
    const Number v2 = u[3];
    const Number inertia = 2.0 + cos(q);
    const Number kinetic = (v1 * v1 + inertia * v2 * v2) / 2.0;
    const Number potential = q * q * q * q / 4.0 + u[4] / 20.0;
    const Number force = -sin(q) * v2 * v2 / 2.0 - q * q * q;
    const Number momentum = inertia * v2;
    return {{v1, v2, v1, momentum, force, Number(0), kinetic - potential, Number(-0.05)},
            {force - v1 / 20.0, -v2 / 20.0 + sin(q) * v1 * v2 / inertia},
            {kinetic + potential, std::abs(kinetic) + std::abs(potential), Number(0), momentum, std::abs(momentum),
             Number(0)}};
  }
};

class ContactEnergy : public ::testing::TestWithParam<const char*> {
 protected:
  Settings settings(double t_end, double step, std::size_t every = 1) const {
    return {.method = GetParam(), .t_end = t_end, .step = step, .schedule = {.every = every}};
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ContactEnergy, ::testing::Values("contact-energy-2", "contact-energy-4"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

template <typename System>
double largest_change_of_energy_invariant(const Followed& run) {
  double first = 0;
  double largest = 0;
  for (const Sample& sample : run.samples) {
    std::vector<double> u = sample.state;
    u.push_back(sample.t);
    const double invariant = std::exp(sample.log_factor) * System::template motion<double>(u).balance[0];
    if (sample.t == 0) first = invariant;
    largest = std::max(largest, std::abs(invariant / first - 1));
  }
  return largest;
}

TEST_P(ContactEnergy, HasItsOrder) {
  const auto dynamics = energy_dynamics<NonlinearAction>({true, true});
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto exact = testing::run(dynamics, start, {.method = "reference", .t_end = 3, .tolerance = 1e-13});
  std::vector<double> errors;
  for (const double h : {0.1, 0.05, 0.025})
    errors.push_back(distance(testing::run(dynamics, start, settings(3, h)).back().state, exact.back().state));
  const int order = find_method(GetParam())->order;
  for (std::size_t k = 1; k < errors.size(); ++k) EXPECT_NEAR(std::log2(errors[k - 1] / errors[k]), order, 0.2);
}

// Theory, Sec. 3: lambda E is constant where the energy law has no source.
TEST_P(ContactEnergy, KeepsTheEnergyInvariantToRoundOffOverManySteps) {
  using System = DampedOscillator<1000, 1>;
  const auto dynamics = energy_dynamics<System>({true, true});
  const auto run = testing::run(dynamics, {1.0, 0.3, 0.0}, settings(4000, 0.1, 50));
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  EXPECT_LT(largest_change_of_energy_invariant<System>(run), 2e-14);
  const auto gauss =
      testing::run(dynamics, {1.0, 0.3, 0.0}, {.method = "contact-gauss-2", .t_end = 40, .step = 0.1, .schedule = {1}});
  EXPECT_GT(largest_change_of_energy_invariant<System>(gauss), 1e-9) << "the test would notice a method that does not";
}

TEST_P(ContactEnergy, KeepsTheEnergyInvariantOfANonlinearAction) {
  const auto dynamics = energy_dynamics<PlanarOscillator>({true, true, true});
  const auto run = testing::run(dynamics, {0.5, -0.2, 0.4, 1.1, 0.3}, settings(10, 0.1));
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  EXPECT_LT(largest_change_of_energy_invariant<PlanarOscillator>(run), 1e-14);
}

TEST_P(ContactEnergy, ObeysTheEnergyLawOfADrivenSystemInItsOwnQuadrature) {
  const auto dynamics = energy_dynamics<DrivenOscillator>({true, true});
  const auto run = testing::run(dynamics, {0.4, -0.3, 0.1}, settings(50, 0.1));
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const Sample& sample : run.samples) {
    std::vector<double> u = sample.state;
    u.push_back(sample.t);
    EXPECT_NEAR(sample.budget[0], DrivenOscillator::motion<double>(u).balance[0], 1e-13) << "t = " << sample.t;
  }
}

TEST_P(ContactEnergy, IsItsOwnInverseBackwards) {
  const auto dynamics = energy_dynamics<NonlinearAction>({true, true});
  const std::vector<double> start{0.5, 1.2, 0.3};
  const auto there = testing::run(dynamics, start, settings(3, 0.1));
  const auto back = testing::run(dynamics, there.back().state, settings(0, 0.1), 3);
  EXPECT_LT(distance(back.back().state, start), 1e-12);
  EXPECT_NEAR(back.back().log_factor, -there.back().log_factor, 1e-13);
}

// B is linear in pi: its quadratic Casimirs have the gradient that B(u_m) annihilates.
TEST_P(ContactEnergy, KeepsTheCasimirOfTheRigidBody) {
  const auto dynamics = energy_dynamics<RigidBody>({true});
  const auto run = testing::run(dynamics, {0.4, 0.8, -0.5, 0.2}, settings(40, 0.1, 10));
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  EXPECT_LT(largest_change_of_energy_invariant<RigidBody>(run), 2e-14);
  const auto casimir = [](const Sample& sample) {
    std::vector<double> u = sample.state;
    u.push_back(sample.t);
    const auto p = RigidBody::motion<double>(u).stage;
    return std::exp(2 * sample.log_factor) * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  };
  for (const Sample& sample : run.samples)
    EXPECT_NEAR(casimir(sample) / casimir(run.samples.front()), 1, 1e-13) << "t = " << sample.t;
}

TEST_P(ContactEnergy, KeepsTheMomentumOfACyclicCoordinate) {
  const auto dynamics = energy_dynamics<CyclicCoordinate>({true, false, true});
  const auto run = testing::run(dynamics, {0.7, 0.1, 0.4, 0.9, 0.2}, settings(40, 0.1, 10));
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  EXPECT_LT(largest_change_of_energy_invariant<CyclicCoordinate>(run), 2e-14);
  const double first = run.samples.front().budget[1];
  for (const Sample& sample : run.samples) {
    const double momentum = (2 + std::cos(sample.state[0])) * sample.state[3];
    EXPECT_NEAR(std::exp(sample.log_factor) * momentum, first, 2e-14 * first) << "t = " << sample.t;
  }
}

TEST_P(ContactEnergy, StaysAtRest) {
  const auto dynamics = energy_dynamics<DampedOscillator<1000, 0>>({true, false});
  for (const double q : {0.0, 1e-12, 1e-7}) {
    const auto run = testing::run(dynamics, {q, 0, 0}, settings(10, 0.1, 1));
    ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
    EXPECT_NEAR(run.back().state[0], q * std::cos(10), 0.02 * q) << "small oscillations are those of the middle rule";
  }
}

TEST_P(ContactEnergy, RefusesAStepTooLargeForTheDissipation) {
  const auto dynamics = energy_dynamics<DampedOscillator<1000, 3000>>({true, true});
  const auto run = testing::run(dynamics, {1, 0, 0}, settings(10, 2));
  EXPECT_EQ(run.outcome.status, Status::not_converged);
  EXPECT_THAT(run.outcome.reason.text(), ::testing::HasSubstr("integrating factor of one step is not positive"));
}

TEST_P(ContactEnergy, NamesTheKernelsThatAreMissing) {
  EXPECT_THROW(testing::run(dynamics_of<NonlinearAction>(), {0.5, 1.2, 0.3}, settings(1, 0.1)), std::invalid_argument);
}

}  // namespace
}  // namespace herglotz::integrate
