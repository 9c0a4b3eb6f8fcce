// Derivatives of many implicit steps at once, against the adjoints of single steps.

#include "herglotz/sensitivity/step_maps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "sensitivity/lifted_form.hpp"

namespace {

using namespace herglotz;
using sensitivity::AdjointSteps;
using sensitivity::ImplicitTableau;

constexpr std::size_t steps = 11;
constexpr std::array<double, 1> map_theta{0.7};

/// A path of steps of one size, or of sizes that alternate.
struct Given {
  std::vector<double> t;
  std::vector<double> h;
  std::vector<double> y{0.9, -0.4};

  Given(const ImplicitTableau& tableau, double change) {
    const auto single = sensitivity::implicit_adjoint(sensitivity::lifted_form(), tableau);
    std::vector<double> kept(single->kept());
    double time = 0.3;
    for (std::size_t k = 0; k < steps; ++k) {
      t.push_back(time);
      h.push_back(k % 2 == 0 ? 0.1 : 0.1 + change);
      y.resize(y.size() + 2);
      const std::span<double> all = y;
      EXPECT_TRUE(single->forward({t[k], h[k], h[k], all.subspan(2 * k, 2), map_theta}, kept, all.last(2)));
      time += h[k];
    }
  }
  [[nodiscard]] sensitivity::Path path() const { return {t, h, y, map_theta}; }
};

}  // namespace

// Row e of the matrix is the cotangent of entry e, which the adjoint of the single step takes back.
TEST(StepMaps, AreTheAdjointsOfSingleStepsForEveryEntry) {
  for (const double change : {0.0, 0.03})
    for (const ImplicitTableau& tableau :
         {sensitivity::gauss_tableau(1), sensitivity::gauss_tableau(3), sensitivity::lobatto_tableau(3)}) {
      const Given given(tableau, change);
      const auto maps = sensitivity::implicit_maps(sensitivity::lifted_form(), tableau);
      ASSERT_EQ(maps->columns(), 5U);
      std::vector<double> found(steps * maps->numbers());
      ASSERT_TRUE(maps->linearise(given.path(), 0, steps, found, {}));
      const auto single = sensitivity::implicit_adjoint(sensitivity::lifted_form(), tableau);
      std::vector<double> kept(single->kept());
      for (std::size_t k = 0; k < steps; ++k)
        for (std::size_t e = 0; e < 2; ++e) {
          const AdjointSteps::Step step{given.t[k], given.h[k], given.h[k],
                                        std::span<const double>(given.y).subspan(2 * k, 2), map_theta};
          std::array<double, 2> reached{};
          ASSERT_TRUE(single->forward(step, kept, reached));
          std::array<double, 2> cotangent{};
          cotangent[e] = 1;
          std::array<double, 1> by_theta{};
          const auto by = single->backward(step, kept, cotangent, by_theta).value();
          const double* const row = found.data() + (2 * k + e) * maps->columns();
          EXPECT_NEAR(row[0], cotangent[0], 1e-14) << k;
          EXPECT_NEAR(row[1], cotangent[1], 1e-14) << k;
          EXPECT_NEAR(row[2], by_theta[0], 1e-14) << k;
          EXPECT_NEAR(row[3], by.t, 1e-14) << k;
          EXPECT_NEAR(row[4], by.part, 1e-14) << k;
        }
    }
}

// The pairing of both ways through a step: <e, J v> by the equations of variations, <J^T e, v> by the matrices.
TEST(StepMaps, PairWithVariations) {
  const ImplicitTableau tableau = sensitivity::gauss_tableau(2);
  const Given given(tableau, 0);
  const auto maps = sensitivity::implicit_maps(sensitivity::lifted_form(), tableau);
  sensitivity::MappedPath path(*maps, given.t, given.h, given.y, map_theta);
  ASSERT_TRUE(path.linearise(2, 9, true));
  const std::array<double, 2> direction{-0.6, 0.45};
  const std::array<double, 2> dy{0.3, 0.8};
  const auto varied = path.vary(2, 9, dy, direction);
  ASSERT_EQ(varied.size(), 20U);
  std::vector<double> at(dy.begin(), dy.end());
  std::array<double, 2> cotangent{0.7, -1.1};
  for (std::size_t k = 0; k < 9; ++k) {
    path.go_on(2 + k, at, direction, 1);
    EXPECT_NEAR(at[0], varied[2 * k + 2], 1e-14);
    EXPECT_NEAR(at[1], varied[2 * k + 3], 1e-14);
  }
  const double at_end = cotangent[0] * varied[18] + cotangent[1] * varied[19];
  std::array<double, 1> by_theta{};
  double by_t = 0;
  for (std::size_t k = 9; k-- > 0;) by_t += path.go_back(2 + k, cotangent, by_theta).t;
  EXPECT_NEAR(cotangent[0] * dy[0] + cotangent[1] * dy[1] + by_theta[0] * direction[0] + by_t * direction[1], at_end,
              1e-14);
  // Two directions at once are each of them.
  std::array<double, 4> both{dy[0], 1, dy[1], 0};
  const std::array<double, 4> along{direction[0], 0, direction[1], 0};
  path.go_on(2, both, along, 2);
  EXPECT_NEAR(both[0], varied[2], 1e-14);
  EXPECT_NEAR(both[2], varied[3], 1e-14);
}

// A lane does not depend on those beside it.
TEST(StepMaps, HaveTheSameBitsInEveryNumberOfLanes) {
  const ImplicitTableau tableau = sensitivity::gauss_tableau(2);
  const Given given(tableau, 0);
  std::vector<double> alone;
  for (const int lanes : {1, 4, 8}) {
#if defined(__x86_64__)
    if ((lanes == 4 && !__builtin_cpu_supports("avx2")) || (lanes == 8 && !__builtin_cpu_supports("avx512dq")))
      continue;
#endif
    const auto maps = sensitivity::implicit_maps(sensitivity::lifted_form(lanes), tableau);
    std::vector<double> found(steps * maps->numbers());
    ASSERT_TRUE(maps->linearise(given.path(), 0, steps, found, {}));
    if (lanes == 1) alone = found;
    EXPECT_EQ(found, alone) << lanes;
  }
}

TEST(StepMaps, SaySoWhereStepsAreNotThoseOfThePath) {
  const ImplicitTableau tableau = sensitivity::gauss_tableau(2);
  Given given(tableau, 0);
  const auto maps = sensitivity::implicit_maps(sensitivity::lifted_form(), tableau);
  std::vector<double> found(steps * maps->numbers());
  given.y[8] += 1e-3;
  EXPECT_TRUE(maps->linearise(given.path(), 0, 3, found, {}));
  EXPECT_FALSE(maps->linearise(given.path(), 3, 1, found, {}));
  given.y[8] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(maps->linearise(given.path(), 0, steps, found, {}));
  EXPECT_EQ(sensitivity::implicit_maps(sensitivity::lifted_form(), sensitivity::radau_tableau()), nullptr);
}
