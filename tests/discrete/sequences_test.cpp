// Sequences of positions that are not motions. [ASMLL20, Sec. 3].

#include "herglotz/discrete/sequences.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "discrete_samples.hpp"
#include "herglotz/error.hpp"

namespace herglotz::discrete::samples {
namespace {

Components random_sequence(std::size_t n, std::size_t positions, double from, double step, std::mt19937_64& engine) {
  Components q;
  const Vector start = random_vector(n, engine, from, from + 0.5);
  for (std::size_t k = 0; k < positions; ++k) {
    const Vector at = start + step * random_vector(n, engine);
    q.emplace_back(at.begin(), at.end());
  }
  return q;
}

TEST(Sequence, HasTheActionOfItsRecursion) {
  // [ASMLL20, Ex. 2, Eq. 35], by hand.
  const System of = system({"q"}, "vq^2/2 - q^2/2 - z/20");
  const DiscreteLagrangian step = given(of, "(q1 - q0)^2/(2*h) - h*(q0 + q1)^2/8 - h*z0/20");
  constexpr double h = 0.5;
  const Components q{{1}, {1.3}, {1.1}, {0.7}};
  const auto steps = steps_along(of, step, {}, q, 0.3, 0, h);
  double z = 0.3;
  for (std::size_t k = 0; k < 3; ++k) {
    const double difference = q[k + 1][0] - q[k][0];
    const double sum = q[k + 1][0] + q[k][0];
    z += difference * difference / (2 * h) - h * sum * sum / 8 - h * z / 20;
    EXPECT_NEAR(steps[k].z1, z, 1e-15);
    EXPECT_NEAR(steps[k].sigma, 1 - h / 20, 1e-15);
  }
}

TEST(Sequence, HasTheDifferentialOfItsAction) {
  // [ASMLL20, Eqs. 36-38] against central differences, on every sample without discrete forces.
  for (const Sample& sample : all()) {
    if (has_forces(sample.step)) continue;
    std::mt19937_64 engine(11);
    const std::size_t n = sample.of.n();
    const Components q = random_sequence(n, 5, 0.5, 0.05, engine);
    const Components dq = random_sequence(n, 5, 0, 1, engine);
    const double h = Flow(sample).h;
    const auto moved = [&](double s) {
      Components at = q;
      for (std::size_t k = 0; k < at.size(); ++k)
        for (std::size_t i = 0; i < n; ++i) at[k][i] += s * dq[k][i];
      return steps_along(sample.of, sample.step, {}, at, 0.2, 0, h).back().z1;
    };
    constexpr double s = 1e-4;  // Richardson's extrapolation of two central differences
    const double coarse = (moved(s) - moved(-s)) / (2 * s);
    const double fine = (moved(s / 2) - moved(-s / 2)) / s;
    const double variation = action_variation(steps_along(sample.of, sample.step, {}, q, 0.2, 0, h), dq);
    EXPECT_NEAR(variation, (4 * fine - coarse) / 3, 1e-9 * (1 + std::abs(variation))) << sample.name;
  }
}

TEST(Sequence, OfFixedEndsVariesByTheRowsWithTheFactorsOfTheStepsAfterThem) {
  // [ASMLL20, Def. 3.3, Thm 3.4]: dz_N = sum_k (prod_{j > k} sigma_d(j)) row_k . dq_k.
  for (const Sample& sample : all()) {
    std::mt19937_64 engine(12);
    const std::size_t n = sample.of.n();
    const Components q = random_sequence(n, 5, 0.5, 0.05, engine);
    Components dq = random_sequence(n, 5, 0, 1, engine);
    dq.front().assign(n, 0);
    dq.back().assign(n, 0);
    const auto steps = steps_along(sample.of, sample.step, {}, q, 0.2, 0, Flow(sample).h);
    const Components rows = herglotz_rows(steps);
    double sum = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double factor = 1;
      for (std::size_t j = k + 2; j < steps.size(); ++j) factor *= steps[j].sigma;
      for (std::size_t i = 0; i < n; ++i) sum += factor * rows[k][i] * dq[k + 1][i];
    }
    EXPECT_NEAR(action_variation(steps, dq), sum, 1e-12 * (1 + std::abs(sum))) << sample.name;
  }
}

TEST(Sequence, OfADiscreteMotionIsCriticalAndOthersAreNot) {
  for (const Sample& sample : all()) {
    std::mt19937_64 engine(13);
    const std::size_t n = sample.of.n();
    const Components q = random_sequence(n, 2, 0.5, 0.02, engine);
    const double h = Flow(sample).h;
    Components motion = discrete_motion(sample.of, sample.step, {}, q[0], q[1], 0.2, 0, h, 4).q;
    const auto largest = [&] {
      double found = 0;
      for (const auto& row : herglotz_rows(steps_along(sample.of, sample.step, {}, motion, 0.2, 0, h)))
        for (const double one : row) found = std::max(found, std::abs(one));
      return found;
    };
    EXPECT_LT(largest(), 1e-11) << sample.name;
    motion[2][0] += 1e-3;
    EXPECT_GT(largest(), 1e-5) << sample.name;
  }
}

TEST(Sequence, RefusesOnePositionOtherSizesAndAFactorThatIsZero) {
  const System of = system({"q"}, "vq^2/2 - q^2/2 - z/20");
  const DiscreteLagrangian step = given(of, "(q1 - q0)^2/(2*h) - h*z0/20");
  EXPECT_THROW(steps_along(of, step, {}, {{1}}, 0, 0, 0.5), Refused);
  EXPECT_THROW(steps_along(of, step, {}, {{1}, {1, 2}}, 0, 0, 0.5), Refused);
  EXPECT_THROW(steps_along(of, step, {}, {{1}, {2}}, 0, 0, 20), Refused);
  const auto steps = steps_along(of, step, {}, {{1}, {2}}, 0, 0, 0.5);
  EXPECT_THROW(action_variation(steps, {{1}}), Refused);
  EXPECT_THROW(action_variation(steps, {{1}, {1, 2}}), Refused);
}

}  // namespace
}  // namespace herglotz::discrete::samples
