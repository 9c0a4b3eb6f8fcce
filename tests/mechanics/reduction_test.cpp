// Systems on the algebroid of their linear constraints; runs of both are compared in python/tests/test_related.py.
#include "herglotz/mechanics/reduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using namespace herglotz::mechanics::samples;
using testing::HasSubstr;

/// The generic system on an algebroid with y_2 = f(x) y_1 as a constraint.
System constrained_sample(const Kind& kind) {
  System system = generic_system(kind.algebroid);
  const auto& x = system.algebroid.x;
  const auto& y = system.algebroid.y;
  const Expr slope = x.empty() ? system.graph().number(0.5) : 1.0 + x.front() * x.back() / 3;
  constrain(system, Rule::nonholonomic, {y[1] - slope * y[0]});
  return system;
}

class Reduction : public testing::TestWithParam<Kind> {};

// [GG08, Ex. 2, Eqs. 5.14-5.20]: the reduced accelerations are those of the constrained system, on every algebroid and
// for a Lagrangian that is not a kinetic energy.
TEST_P(Reduction, HasTheAccelerationsOfTheConstrainedSystem) {
  const System full = constrained_sample(GetParam());
  const auto reduction = reduce_by_constraints(full, {});
  const System& reduced = reduction.system;
  ASSERT_EQ(reduced.r(), full.r() - 1);
  EXPECT_TRUE(reduced.constraints.equations.empty());
  const Flow of_full(full);
  const Flow of_reduced(reduced);
  std::mt19937_64 engine{5};
  std::uniform_real_distribution<double> uniform(0.15, 0.9);
  for (int k = 0; k < 3; ++k) {
    Values u;
    for (std::size_t i = 0; i < reduced.n() + reduced.r() + 2; ++i) u.push_back(uniform(engine));
    Values v(u.begin(), u.begin() + static_cast<std::ptrdiff_t>(full.n()));
    const Values eta(u.begin() + static_cast<std::ptrdiff_t>(full.n()), u.end() - 2);
    const Values S = of_reduced.evaluate(reduction.span.entries, u);
    for (std::size_t a = 0; a < full.r(); ++a) {
      double y = 0;
      for (std::size_t b = 0; b < eta.size(); ++b) y += eta[b] * S[b * full.r() + a];
      v.push_back(y);
    }
    v.insert(v.end(), u.end() - 2, u.end());
    v.push_back(0);  // the multiplier, which the flow finds
    const Values rates = of_full(v);
    const Values own = of_reduced(u);
    for (std::size_t i = 0; i < full.n(); ++i) EXPECT_NEAR(own[i], rates[i], 1e-11 * (1 + std::abs(rates[i])));
    for (std::size_t b = 0; b < eta.size(); ++b) {
      // The kinds here are solved for y2, so that the others remain.
      const double expected = rates[full.n() + (b == 0 ? 0 : b + 1)];
      EXPECT_NEAR(own[full.n() + b], expected, 1e-10 * (1 + std::abs(expected)));
    }
    EXPECT_NEAR(own[full.n() + eta.size()], rates[full.n() + full.r()], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Reduction, testing::ValuesIn([] {
                           std::vector<Kind> kinds;
                           for (const auto& kind : every_algebroid())
                             if (kind.algebroid.r() > 1 && kind.algebroid.r() < 5) kinds.push_back(kind);
                           return kinds;
                         }()),
                         [](const auto& given) { return given.param.name; });

// A holonomic constraint has the reduced system of its rate, and is kept as an invariant. [GG08, Sec. 5.4, Thm 6].
TEST(Reduction, OfAHolonomicConstraintIsThatOfItsRate) {
  const auto kinds = every_algebroid();
  const auto tangent =
      std::find_if(kinds.begin(), kinds.end(), [](const Kind& kind) { return kind.name == "tangent"; });
  ASSERT_NE(tangent, kinds.end());
  System holonomic = generic_system(tangent->algebroid);
  const auto& x = holonomic.algebroid.x;
  const auto& y = holonomic.algebroid.y;
  const Expr surface = x[1] - x[0] * x[0] / 3;
  System linear = holonomic;
  constrain(holonomic, Rule::nonholonomic, {surface});
  constrain(linear, Rule::nonholonomic, {y[1] - x[0] * y[0] * 2 / 3});
  const System a = reduce_by_constraints(holonomic, {}).system;
  const System b = reduce_by_constraints(linear, {}).system;
  const Flow of_a(a);
  const Flow of_b(b);
  const Values u(a.n() + a.r() + 2, 0.6);
  const Values rates = of_a(u);
  const Values expected = of_b(u);
  for (std::size_t i = 0; i < rates.size(); ++i) EXPECT_NEAR(rates[i], expected[i], 1e-13);
  ASSERT_EQ(a.invariants.size(), 1U);
  EXPECT_EQ(a.invariants.front().value, surface);
  EXPECT_TRUE(b.invariants.empty());
}

TEST(Reduction, RefusesWhatIsNotLinear) {
  const auto kinds = every_algebroid();
  System system = generic_system(kinds.front().algebroid);
  EXPECT_THROW((void)reduce_by_constraints(system, {}), std::invalid_argument);
  const auto& y = system.algebroid.y;
  for (const Expr& equation : {y[0] * y[0] - y[1], y[0] - 1.0, y[0] - system.z * y[1], y[0] - system.t * y[1]}) {
    System constrained = system;
    constrain(constrained, Rule::nonholonomic, {equation});
    try {
      (void)reduce_by_constraints(constrained, {});
      ADD_FAILURE();
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("constraint 1 is not linear"));
    }
  }
}

}  // namespace
