// Newton's iteration of implicit steps: how it converges, when it ends, when it fails, and which matrices it keeps.

#include "numerics/newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "integrate/two_lanes.hpp"
#include "numerics/lane_lu.hpp"

namespace herglotz::integrate {
namespace {

using Two = Pack<2>;

/// An equation f(u) = 0 of one unknown, with a record of what the iteration asked for.
struct Equation : NewtonDefaults<double> {
  std::function<double(double)> f;
  std::function<double(double)> slope;
  std::vector<double> u;
  double value = 0;
  double matrix = 1;
  double step = 0;
  std::vector<double> sizes{};
  int evaluations = 0;
  int linearisations = 0;
  bool confirming = true;

  bool evaluate(bool) {
    ++evaluations;
    value = f(u[0]);
    return std::isfinite(value);
  }
  bool confirms() const { return confirming; }
  bool linearise(bool) {
    ++linearisations;
    matrix = slope(u[0]);
    return std::isfinite(matrix);
  }
  bool solve(bool) {
    step = value / matrix;
    return std::isfinite(step);
  }
  double update_size() {
    sizes.push_back(std::abs(step) / std::max(std::abs(u[0]), 1e-300));
    return sizes.back();
  }
  std::vector<double>& unknowns() { return u; }
  [[nodiscard]] const double* update() const { return &step; }
  [[nodiscard]] std::size_t count() const { return 1; }
};

Equation square_root_of(double a, double guess) {
  return {{}, [a](double u) { return u * u - a; }, [](double u) { return 2 * u; }, {guess}};
}

struct Ended {
  bool solved;
  bool keeps_matrix;
  double last_update;
  std::size_t iterations;
};

Ended iterate(Equation& equation, const NewtonRules& rules = {}, bool carefully = false, bool factorised = false) {
  Newton<double> newton(rules);
  const bool solved = newton(equation, true, factorised, carefully);
  return {solved, factorised, newton.last_update(), newton.iterations()};
}

TEST(Newton, ConvergesQuadraticallyWithAMatrixForEachIteration) {
  Equation equation = square_root_of(2, 3);
  EXPECT_TRUE(iterate(equation, {.last_update = NewtonRules::no_forecast}, true).solved);
  EXPECT_NEAR(equation.u[0], std::sqrt(2.0), 4e-16);
  ASSERT_GE(equation.sizes.size(), 5U);
  int quadratic = 0;
  for (std::size_t k = 1; k < equation.sizes.size() && equation.sizes[k] > 1e-15; ++k) {
    if (equation.sizes[k - 1] > 0.1) continue;
    EXPECT_NEAR(equation.sizes[k] / std::pow(equation.sizes[k - 1], 2), 0.5, 0.15) << "update " << k;
    ++quadratic;
  }
  EXPECT_GE(quadratic, 3);
  EXPECT_EQ(equation.linearisations, equation.evaluations);
}

TEST(Newton, ConvergesLinearlyWithOneMatrix) {
  Equation equation = square_root_of(2, 1.5);
  EXPECT_TRUE(iterate(equation, {.last_update = NewtonRules::no_forecast}).solved);
  EXPECT_NEAR(equation.u[0], std::sqrt(2.0), 1e-15);
  EXPECT_EQ(equation.linearisations, 1);
  const double ratio = 1 - std::sqrt(2.0) / 1.5;
  for (std::size_t k = 3; k < equation.sizes.size() && equation.sizes[k] > 1e-13; ++k)
    EXPECT_NEAR(equation.sizes[k] / equation.sizes[k - 1], ratio, 0.01) << "update " << k;
}

// A step goes on with what its kernels computed at the solution, so that the last thing is an evaluation.
TEST(Newton, EndsWithAnEvaluationUnlessTheLastUpdateIsMade) {
  Equation evaluated = square_root_of(2, 1.4);
  EXPECT_TRUE(iterate(evaluated).solved);
  EXPECT_EQ(evaluated.value, evaluated.u[0] * evaluated.u[0] - 2);
  Equation moved = square_root_of(2, 1.4);
  EXPECT_TRUE(iterate(moved, {.moves_last = true}).solved);
  EXPECT_NE(moved.value, moved.u[0] * moved.u[0] - 2) << "the last evaluation must be one of an earlier guess";
  EXPECT_NEAR(moved.u[0], std::sqrt(2.0), 4e-16);
  EXPECT_EQ(moved.evaluations, evaluated.evaluations - 1);
}

TEST(Newton, ForecastsNothingFromAGuessOfNoSize) {
  // u + u^3 = 1: the first update from 0 has no relative size, and the second is far from the last.
  Equation equation{{}, [](double u) { return u + u * u * u - 1; }, [](double u) { return 1 + 3 * u * u; }, {0.0}};
  Newton<double> newton({.kept_iterations = 0, .quadratic = true});
  bool factorised = false;
  ASSERT_TRUE(newton(equation, true, factorised, true));
  EXPECT_NEAR(equation.u[0] + std::pow(equation.u[0], 3), 1, 1e-15);
}

TEST(Newton, SparesTheUpdateThatItExpectsToBeRoundOff) {
  const auto updates = [](const NewtonRules& rules) {
    Equation equation = square_root_of(2, 1.4);
    EXPECT_TRUE(iterate(equation, rules, true).solved);
    EXPECT_NEAR(equation.u[0], std::sqrt(2.0), 4e-16);
    return equation.sizes.size();
  };
  const std::size_t all = updates({.last_update = NewtonRules::no_forecast});
  EXPECT_LT(updates({.quadratic = true}), all);
  EXPECT_LE(updates({.quadratic = true}), updates({}));
}

/// u = 1/3, seen only to multiples of `grid`, a power of 2.
Equation seen_to(double grid, double guess) {
  return {{}, [grid](double u) { return std::round(u / grid) * grid - 1.0 / 3; }, [](double) { return 1.0; }, {guess}};
}

TEST(Newton, TakesUpdatesThatStopFallingForRoundOffIfTheyAreSmall) {
  Equation small = seen_to(std::ldexp(1, -33), 0.9);
  EXPECT_TRUE(iterate(small, {.last_update = NewtonRules::no_forecast}).solved);
  EXPECT_NEAR(small.u[0], 1.0 / 3, std::ldexp(1, -33));
  EXPECT_GT(small.sizes.back(), 1e-12) << "the equation must not be solved to the last digit";
  Equation large = seen_to(std::ldexp(1, -20), 0.9);
  const Ended ended = iterate(large);
  EXPECT_FALSE(ended.solved);
  EXPECT_LE(ended.iterations, static_cast<std::size_t>(newton::most_iterations));
  EXPECT_GT(ended.last_update, newton::round_off);
}

// A slope 25 times too large leaves 24/25 of the error each time: 60 updates of 1e-12 add up to the 1e-10 that a guess
// is off, of which 8.6e-12 are left, and that is round-off. Of a larger error more than round-off is left.
TEST(Newton, TakesWhatAnEndlessSeriesOfSmallUpdatesLeavesForRoundOff) {
  const auto off_by = [](double error) {
    return Equation{{}, [](double u) { return u - 1; }, [](double) { return 25.0; }, {1 + error}};
  };
  for (const bool moves_last : {false, true}) {
    Equation near = off_by(1e-10);
    bool factorised = false;
    Newton<double> newton({.moves_last = moves_last});
    EXPECT_TRUE(newton(near, true, factorised, false)) << moves_last;
    EXPECT_LT(std::abs(near.u[0] - 1), 1e-11);
    EXPECT_TRUE(moves_last || near.value == near.u[0] - 1) << "the equations were evaluated at the end";
    Equation far = off_by(1e-3);
    factorised = false;
    EXPECT_FALSE(newton(far, true, factorised, false)) << moves_last;
  }
}

TEST(Newton, EndsWhereThereIsNoRoot) {
  for (const bool carefully : {false, true}) {
    Equation equation{{}, [](double u) { return u * u + 1; }, [](double u) { return 2 * u; }, {0.7}};
    const Ended ended = iterate(equation, {.settling_of_fresh = 9}, carefully);
    EXPECT_FALSE(ended.solved);
    EXPECT_LE(ended.iterations, static_cast<std::size_t>(newton::most_iterations));
    EXPECT_GT(ended.last_update, newton::round_off);
    EXPECT_FALSE(ended.keeps_matrix);
  }
}

/// An equation with these values, one after the other; the slope is 1, and u is large enough to stay as it is.
Equation with_values(std::vector<double> values, double u) {
  auto k = std::make_shared<std::size_t>(0);
  return {{},
          [values = std::move(values), k](double) { return values[std::min((*k)++, values.size() - 1)]; },
          [](double) { return 1.0; },
          {u}};
}

TEST(Newton, CallsUpdatesThatDoubleDivergenceOnceItsMatrixHasSettled) {
  const std::vector<double> values{1000, 500, 250, 1000, 1, 0};
  Equation equation = with_values(values, 1e6);
  const Ended ended = iterate(equation, {.settling = 3, .last_update = NewtonRules::no_forecast});
  EXPECT_FALSE(ended.solved);
  EXPECT_EQ(ended.iterations, 4U);
  EXPECT_NEAR(ended.last_update, 1e-3, 1e-5);
  Equation patient = with_values(values, 1e6);
  EXPECT_TRUE(iterate(patient, {.settling = 4, .last_update = NewtonRules::no_forecast}).solved);
  EXPECT_EQ(patient.linearisations, 2);
  std::vector<double> growing{1e5};
  while (growing.size() < 20) growing.push_back(3 * growing.back());
  Equation careful = with_values(growing, 1e12);
  EXPECT_FALSE(iterate(careful, {.settling_of_fresh = 9}, true).solved);
  EXPECT_EQ(careful.sizes.size(), 10U);
}

TEST(Newton, FailsWithASingularMatrix) {
  Equation equation{{}, [](double u) { return u * u + 1; }, [](double u) { return 2 * u; }, {0.0}};
  const Ended ended = iterate(equation);
  EXPECT_FALSE(ended.solved);
  EXPECT_FALSE(ended.keeps_matrix);
  EXPECT_EQ(equation.u[0], 0) << "an update that is not finite is not made";
}

TEST(Newton, FailsWhereTheEquationsAreNotFinite) {
  Equation equation{{}, [](double u) { return std::log(u); }, [](double u) { return 1 / u; }, {4.0}};
  EXPECT_FALSE(iterate(equation).solved) << "the first update leads to negative numbers";
  EXPECT_EQ(equation.evaluations, 2);
  Equation matrix{{}, [](double u) { return u - 1; }, [](double) { return std::nan(""); }, {4.0}};
  EXPECT_FALSE(iterate(matrix).solved);
}

TEST(Newton, KeepsAMatrixThatServedWell) {
  Equation good = square_root_of(2, 1.41);
  EXPECT_TRUE(iterate(good, {.kept_iterations = 8}).keeps_matrix);
  Equation slow = square_root_of(2, 2.5);
  const Ended ended = iterate(slow, {.kept_iterations = 8});
  EXPECT_TRUE(ended.solved);
  EXPECT_GT(ended.iterations, 8U);
  EXPECT_FALSE(ended.keeps_matrix);
  Equation renewed = square_root_of(2, 2.5);
  EXPECT_TRUE(iterate(renewed, {.kept_contraction = 0.05}).solved);
  EXPECT_GT(renewed.linearisations, 1);
  EXPECT_LT(renewed.sizes.size(), slow.sizes.size());
}

TEST(Newton, TakesANewMatrixIfAKeptOneDoesNotContract) {
  Equation equation = square_root_of(2, 1.4);
  equation.matrix = -3;
  EXPECT_TRUE(iterate(equation, {}, false, true).solved);
  EXPECT_GE(equation.linearisations, 1);
  EXPECT_NEAR(equation.u[0], std::sqrt(2.0), 4e-16);
}

TEST(Newton, GoesOnWithAFreshMatrixIfTheSystemDoesNotConfirmTheEnd) {
  Equation equation = square_root_of(2, 1.41);
  equation.matrix = 2.8;
  equation.confirming = false;
  EXPECT_TRUE(iterate(equation, {.last_update = NewtonRules::no_forecast}, false, true).solved);
  EXPECT_EQ(equation.linearisations, 1);
}

/// u^2 + v^2 = a, u = v^3 in every lane.
template <class P>
struct Pair : NewtonDefaults<P> {
  using M = MaskOf<P>;
  P a{};
  std::vector<P> u{P(1.0), P(1.0)};
  std::vector<P> f{P(0.0), P(0.0)};
  std::vector<P> step{P(0.0), P(0.0)};
  LaneLU<P, 0> matrix;

  explicit Pair(P radius) : a(radius) { matrix.resize(2); }
  M evaluate(M) {
    f[0] = u[0] * u[0] + u[1] * u[1] - a;
    f[1] = u[0] - u[1] * u[1] * u[1];
    return finite_numbers(f.data(), 2);
  }
  M linearise(M lanes) {
    matrix.at(0, 0) = P(2.0) * u[0];
    matrix.at(0, 1) = P(2.0) * u[1];
    matrix.at(1, 0) = P(1.0);
    matrix.at(1, 1) = P(-3.0) * u[1] * u[1];
    return matrix.compute(!lanes);
  }
  M solve(M) {
    matrix.solve(f.data(), step.data());
    return finite_numbers(step.data(), 2);
  }
  P update_size() const {
    return larger(magnitude(step[0]), magnitude(step[1])) / larger(magnitude(u[0]), magnitude(u[1]));
  }
  std::vector<P>& unknowns() { return u; }
  [[nodiscard]] const P* update() const { return step.data(); }
  [[nodiscard]] std::size_t count() const { return 2; }
};

TEST(Newton, GivesLanesThatConvergeAtUnlikeTimesTheBitsOfSingleRuns) {
  for (const bool carefully : {false, true}) {
    Two radii(2.01);
    radii.set(1, 4);
    Pair<Two> pack(radii);
    Newton<Two> newton({});
    Mask<2> factorised = Mask<2>::of(false);
    EXPECT_EQ(bits_of(newton(pack, Mask<2>::of(true), factorised, Mask<2>::of(carefully))), 3U);
    std::vector<std::size_t> iterations;
    for (int lane = 0; lane < 2; ++lane) {
      Pair<double> alone(radii[lane]);
      Newton<double> single({});
      bool kept = false;
      ASSERT_TRUE(single(alone, true, kept, carefully));
      EXPECT_NEAR(alone.u[0] * alone.u[0] + alone.u[1] * alone.u[1], radii[lane], 1e-14 * radii[lane]);
      for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(pack.u[k][lane], alone.u[k]) << "lane " << lane;
      EXPECT_EQ(factorised[lane], kept);
      iterations.push_back(single.iterations());
    }
    EXPECT_GT(iterations[1], iterations[0] + 2) << "lanes must converge at unlike times for this to say something";
    EXPECT_EQ(newton.iterations(), iterations[1]);
  }
}

TEST(Newton, LeavesLanesAloneThatFailOrAreNotActive) {
  Two radii(2.01);
  radii.set(1, std::nan(""));
  Pair<Two> pack(radii);
  Newton<Two> newton({});
  Mask<2> factorised = Mask<2>::of(false);
  EXPECT_EQ(bits_of(newton(pack, Mask<2>::of(true), factorised, Mask<2>::of(false))), 1U);
  EXPECT_EQ(pack.u[0][1], 1);
  Pair<Two> half(Two(3.0));
  EXPECT_EQ(bits_of(newton(half, Mask<2>::of_bits(2), factorised, Mask<2>::of(true))), 2U);
  EXPECT_EQ(half.u[0][0], 1);
  EXPECT_NE(half.u[0][1], 1);
}

}  // namespace
}  // namespace herglotz::integrate
