// Motions through two positions as numbers. [ASMLL20, Sec. 3].

#include "herglotz/discrete/discrete_motion.hpp"

#include <gtest/gtest.h>

#include "discrete_samples.hpp"
#include "herglotz/error.hpp"

namespace herglotz::discrete::samples {
namespace {

/// The discrete oscillator of [ASMLL20, Ex. 2] on the tangent bundle of the line.
struct Oscillator {
  System of = system({"q"}, "vq^2/2 - q^2/2 - z/20");
  DiscreteLagrangian step = given(of, "(q1 - q0)^2/(2*h) - h*(q0 + q1)^2/8 - h*z0/20");
};

TEST(DiscreteMotion, SolvesTheDiscreteHerglotzEquationsWithANegativeFactor) {
  // [ASMLL20, Eq. 39, Thm 3.9]: D1(q_k, q_k+1) + sigma D2(q_k-1, q_k) = 0, solved here by hand.
  constexpr double gamma = -0.05;
  constexpr double h = 25;
  constexpr double factor = 1 + gamma * h;
  static_assert(factor < 0);
  const Oscillator oscillator;
  const std::vector<double> q0{1};
  const std::vector<double> q1{2};
  const DiscreteMotion motion = discrete_motion(oscillator.of, oscillator.step, {}, q0, q1, 0.3, 0, h, 5);
  double before = 1;
  double now = 2;
  double z = 0.3;
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(motion.q[k + 1][0], now, 1e-12);
    EXPECT_NEAR(motion.sigma[k], factor, 1e-14);
    const double p1 = (now - before) / h - h * (before + now) / 4;
    EXPECT_NEAR(motion.p[k + 1][0], p1, 1e-12);
    z += (now - before) * (now - before) / (2 * h) - h * (before + now) * (before + now) / 8 + h * gamma * z;
    EXPECT_NEAR(motion.z[k + 1], z, 1e-12 * (1 + std::abs(z)));
    const double next = (factor * p1 + now / h - h * now / 4) / (1 / h + h / 4);
    before = now;
    now = next;
  }
}

TEST(DiscreteMotion, RefusesAFactorThatIsZeroAndPositionsOfAnotherSize) {
  const Oscillator oscillator;
  const std::vector<double> one{1};
  const std::vector<double> two{2, 3};
  EXPECT_THROW(discrete_motion(oscillator.of, oscillator.step, {}, one, one, 0, 0, 20, 2), Refused);
  EXPECT_THROW(discrete_motion(oscillator.of, oscillator.step, {}, one, two, 0, 0, 0.5, 2), Refused);
  EXPECT_THROW(discrete_motion(oscillator.of, oscillator.step, {}, one, one, 0, 0, 0.5, 0), Refused);
}

TEST(DiscreteMotion, IsTheOneOfTheReferenceSolverOnEverySample) {
  // [ASMLL20, Eqs. 39-41]: F-(q_k, q_k+1) = F+(q_k-1, q_k), by the independent solver of the tests; with z1 too.
  for (const Sample& sample : all()) {
    const Flow flow(sample);
    std::mt19937_64 engine(5);
    const Vector q0 = random_vector(flow.n, engine, 0.5, 1);
    const Vector q1 = q0 + 0.05 * random_vector(flow.n, engine);
    const std::vector<double> first(q0.begin(), q0.end());
    const std::vector<double> second(q1.begin(), q1.end());
    const DiscreteMotion motion = discrete_motion(sample.of, sample.step, {}, first, second, 0.2, 0, flow.h, 4);
    for (std::size_t k = 0; k + 1 < motion.q.size(); ++k) {
      const auto at = [&](const std::vector<double>& v) {
        return Vector(Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size())));
      };
      const Step step = flow.at(at(motion.q[k]), at(motion.q[k + 1]), motion.z[k], static_cast<double>(k) * flow.h);
      EXPECT_LT((step.p0 - at(motion.p[k])).norm(), 1e-11) << sample.name;
      EXPECT_LT((step.p1 - at(motion.p[k + 1])).norm(), 1e-11) << sample.name;
      EXPECT_NEAR(step.z1, motion.z[k + 1], 1e-12) << sample.name;
    }
  }
}

}  // namespace
}  // namespace herglotz::discrete::samples
