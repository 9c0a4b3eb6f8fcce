#include <gtest/gtest.h>

#include <array>

#include "herglotz/analyse/contact_defect.hpp"
#include "herglotz/analyse/order.hpp"
#include "herglotz/integrate/preserves.hpp"
#include "integrate/systems.hpp"

namespace herglotz::analyse {
namespace {

using namespace integrate;
using namespace integrate::testing;

const std::vector<double> start{0.5, 1.2, 0.3};

/// (q, p, z) after one step of a method, and its factor 1/R.
struct OneStep {
  std::string method;
  double h;
  Dynamics dynamics = dynamics_of<NonlinearActionHamiltonian>();

  [[nodiscard]] Sample from(std::span<const double> point) const {
    return testing::run(dynamics, {point.begin(), point.end()}, {.method = method, .t_end = h, .step = h}).back();
  }
  void operator()(std::span<const double> point, std::span<double> image) const {
    const auto state = from(point).state;
    std::copy(state.begin(), state.end(), image.begin());
  }
};

/// The classical Runge-Kutta method on (q, p, z, log lambda).
std::array<double, 4> classical_step(std::span<const double> point, double h) {
  const auto field = [](const std::array<double, 4>& y) {
    const auto motion = NonlinearActionHamiltonian::motion<double>(y);
    return std::array<double, 4>{motion.stage[0], motion.w_dot[0], motion.stage[3], -motion.stage[4]};
  };
  const std::array<double, 4> y{point[0], point[1], point[2], 0.0};
  const auto shifted = [&](const std::array<double, 4>& k, double a) {
    auto moved = y;
    for (std::size_t i = 0; i < 4; ++i) moved[i] += a * k[i];
    return moved;
  };
  const auto k1 = field(y);
  const auto k2 = field(shifted(k1, h / 2));
  const auto k3 = field(shifted(k2, h / 2));
  const auto k4 = field(shifted(k3, h));
  auto end = y;
  for (std::size_t i = 0; i < 4; ++i) end[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return end;
}

class ContactMethod : public ::testing::TestWithParam<std::string> {};
std::vector<std::string> contact_methods() {
  std::vector<std::string> names;
  for (const auto& info : methods_of_the_motion()) {
    if (preserves(info, Preserves::contact_structure)) names.push_back(info.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Declared, ContactMethod, ::testing::ValuesIn(contact_methods()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// Theory, Sec. 4: H = p^2 exp(-z/5)/2 + cos q + z^2/10.
TEST_P(ContactMethod, PullsBackTheContactFormToItselfTimesOneOverTheFactor) {
  const OneStep step{GetParam(), 0.2};
  for (const std::vector<double>& point : {start, {2.0, -0.7, 1.1}, {0.0, 0.1, -0.5}}) {
    const double factor = std::exp(-step.from(point).log_factor);
    EXPECT_GT(std::abs(factor - 1), 1e-3) << "a strict contactomorphism would make this test say less";
    EXPECT_LT(contact_defect(step, point, factor), 1e-10);
    EXPECT_GT(contact_defect(step, point, factor * 1.0001), 5e-5);
  }
}

// The same Lagrangian in velocities: p = exp(z/5) v.
TEST(ContactDefect, OfGalerkinMethodsIsRoundOff) {
  const auto dynamics = dynamics_of<NonlinearAction>();
  for (const char* method : {"contact-galerkin-2", "contact-galerkin-4", "contact-galerkin-6", "contact-galerkin-8"}) {
    const auto from = [&](std::span<const double> point) {
      return testing::run(dynamics, {point[0], point[1] * std::exp(-point[2] / 5), point[2]},
                          {.method = method, .t_end = 0.2, .step = 0.2})
          .back();
    };
    const auto step = [&](std::span<const double> point, std::span<double> image) {
      const auto& state = from(point).state;
      image[0] = state[0];
      image[1] = state[1] * std::exp(state[2] / 5);
      image[2] = state[2];
    };
    for (const std::vector<double>& point : {start, {2.0, -0.7, 1.1}}) {
      const double factor = std::exp(-from(point).log_factor);
      EXPECT_GT(std::abs(factor - 1), 1e-3) << method;
      EXPECT_LT(contact_defect(step, point, factor), 1e-10) << method;
      EXPECT_GT(contact_defect(step, point, factor * 1.0001), 5e-5) << method;
    }
  }
}

TEST(ContactDefect, OfAMethodThatIsNotContactIsItsTruncationError) {
  const double h = 0.2;
  const auto classical = [h](std::span<const double> point, std::span<double> image) {
    const auto end = classical_step(point, h);
    std::copy_n(end.begin(), 3, image.begin());
  };
  const double factor = std::exp(-classical_step(start, h)[3]);
  const double defect = contact_defect(classical, start, factor);
  EXPECT_GT(defect, 1e-7);
  EXPECT_LT(defect, 1e-3);
}

// z -> c z, p -> c p is a conformal contactomorphism with factor c; q -> q + z is none.
TEST(ContactDefect, IsZeroForScalingsAndSeesAWrongMap) {
  const auto scaling = [](std::span<const double> u, std::span<double> to) {
    for (std::size_t i = 0; i < 5; ++i) to[i] = (i < 2 ? 1.0 : 3.0) * u[i];
  };
  const std::vector<double> point{0.3, -0.2, 1.4, 0.8, 0.6};
  EXPECT_LT(contact_defect(scaling, point, 3), 1e-11);
  EXPECT_NEAR(contact_defect(scaling, point, 2), 1.4, 1e-10);
  const auto sheared = [&](std::span<const double> u, std::span<double> to) {
    scaling(u, to);
    to[0] += u[4];
  };
  EXPECT_NEAR(contact_defect(sheared, point, 3), 3 * 1.4, 1e-10);
  EXPECT_THROW(contact_defect(scaling, std::vector<double>(4), 1), std::invalid_argument);
}

class FixedStepMethod : public ::testing::TestWithParam<std::string> {};
std::vector<std::string> fixed_step_methods() {
  std::vector<std::string> names;
  for (const auto& info : methods_of_the_motion()) {
    if (!info.adaptive) names.push_back(info.name);
  }
  return names;
}
INSTANTIATE_TEST_SUITE_P(Declared, FixedStepMethod, ::testing::ValuesIn(fixed_step_methods()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

template <typename System>
void expect_declared_order(const std::string& method, const std::vector<double>& from, double t_end, double fewest,
                           bool constant_rate = false, double on_their_way = 0.9) {
  const auto dynamics = dynamics_of<System>();
  const int order = find_method(method)->order;
  // High orders leave a short way between large steps and round-off, and errors at one time pass zeros on it: the
  // largest of those at three times is taken.
  const bool high = order > 6;
  std::vector<double> ends{t_end};
  if (high) ends.insert(ends.end(), {0.95 * t_end, 0.9 * t_end});
  std::vector<Sample> exact;
  for (const double end : ends)
    exact.push_back(testing::run(dynamics, from, {.method = "reference", .t_end = end, .tolerance = 1e-13}).back());
  std::vector<double> steps;
  std::vector<std::vector<double>> errors(3);
  const double shift = order <= 6 ? 1 : order == 8 ? 0.5 : order == 10 ? 0.35 : 0.3;
  const double first = std::round(fewest * shift);
  for (int k = 0; k < 7; ++k) {
    const double count = first + k * std::max(1.0, std::round(first * (high ? 0.25 : 0.75)));
    steps.push_back(t_end / count);
    for (auto& of : errors) of.push_back(0);
    for (std::size_t e = 0; e < ends.size(); ++e) {
      const auto end =
          testing::run(dynamics, from, {.method = method, .t_end = ends[e], .step = ends[e] / count}).back();
      ASSERT_EQ(end.t, ends[e]) << "with a step of " << ends[e] / count;
      const double found[] = {distance(end.state, exact[e].state), std::abs(end.log_factor - exact[e].log_factor),
                              std::abs(end.budget[0] - exact[e].budget[0])};
      for (std::size_t i = 0; i < 3; ++i) errors[i].back() = std::max(errors[i].back(), found[i]);
    }
  }
  const char* of[] = {"state", "integrating factor", "energy budget"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == 1 && constant_rate) continue;  // its error is that of a number, gamma^(2s + 1), and soon below round-off
    // The energy budget is a small number, whose round-off is smaller too.
    const double round_off = order >= 6 && i < 2 ? 1e-12 : 2e-13;
    const double found = fit_order(steps, errors[i], round_off).order;
    // At steps large enough to be seen above round-off high orders are still on their way down to their slope.
    EXPECT_GT(found, order - (high ? on_their_way : 0.25)) << of[i];
    if (!high) {
      EXPECT_LT(found, order + 0.25) << of[i];
    }
  }
}

TEST_P(FixedStepMethod, ConvergesWithItsDeclaredOrderOnAZNonlinearSystem) {
  // Errors of order 12 change their size by a factor of 3 from one number of steps to the next.
  const double on_their_way = find_method(GetParam())->order == 12 ? 2.5 : 0.9;
  expect_declared_order<NonlinearAction>(GetParam(), start, 10.0, 30, false, on_their_way);
}

TEST_P(FixedStepMethod, ConvergesWithItsDeclaredOrderOnATimeDependentSystem) {
  expect_declared_order<DrivenOscillator>(GetParam(), {0.5, 1.2, 0.3}, 5.0, 14, true);
}

TEST_P(FixedStepMethod, ConvergesWithItsDeclaredOrderOnALieAlgebra) {
  expect_declared_order<RigidBody>(GetParam(), {0.8, 1.9, -0.6, 0.2}, 2.0, 8);
}

// Theory, Sec. 4: the lifted map is symplectic, so lambda times a modified energy is kept; lambda E may oscillate, not
// drift.
TEST_P(ContactMethod, DissipatedEnergyOfTheDampedOscillatorDoesNotDriftOverAMillionSteps) {
  auto dynamics = dynamics_of<DampedOscillator<1000, 1>>();
  dynamics.laws = 0;
  dynamics.balance = {};
  const int order = find_method(GetParam())->order;
  const std::size_t steps = order == 2 ? 1'000'000 : 200'000;
  const double h = 0.05;
  std::vector<double> times;
  std::vector<double> invariants;
  const auto run = testing::run(
      dynamics, {1.0, 0.0, 0.2},
      {.method = GetParam(), .t_end = h * static_cast<double>(steps), .step = h, .schedule = {.every = 97}});
  ASSERT_EQ(run.outcome.status, Status::success) << run.outcome.reason.text();
  for (const auto& sample : run.samples) {
    const double q = sample.state[0];
    const double v = sample.state[1];
    times.push_back(sample.t);
    invariants.push_back(std::exp(sample.log_factor) * (q * q / 2 + v * v / 2 + 0.001 * sample.state[2]));
  }
  ASSERT_GT(run.back().log_factor, 9) << "the factor must have grown much for this to say something";
  const auto fit = fit_drift(times, invariants);
  EXPECT_LT(fit.spread, 2e-3 * std::pow(h, order) + 1e-12) << "bounded at the order of the method";
  EXPECT_LT(std::abs(fit.slope), 4 * fit.standard_error + 1e-17) << "spread " << fit.spread;
  EXPECT_LT(fit.drift, 1e-2 * fit.spread + 1e-12) << "over the whole run, spread " << fit.spread;
}

}  // namespace
}  // namespace herglotz::analyse
