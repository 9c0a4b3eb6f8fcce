// Derivatives of steps that end with a projection, with equations whose solution is known, and their adjoints.

#include "herglotz/sensitivity/projected_steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace {

using namespace herglotz;

/// Steps that change nothing, in one lane.
class Rest final : public sensitivity::TangentSteps {
 public:
  [[nodiscard]] std::size_t lanes() const override { return 1; }
  bool step(double, double, std::span<const double> y, std::span<const double>, std::span<double>,
            std::span<double> reached) override {
    std::copy(y.begin(), y.end(), reached.begin());
    return true;
  }
  bool by_part(double, double, double, std::span<const double>, std::span<const double>,
               std::span<double> slope) override {
    std::fill(slope.begin(), slope.end(), 0.0);
    return true;
  }
};

/// The steps (y0, y1) -> (y0 + theta h y1, y1 + h y0^2 t) backwards.
class PlainAdjoint final : public sensitivity::AdjointSteps {
 public:
  [[nodiscard]] std::size_t states() const override { return 2; }
  [[nodiscard]] std::size_t kept() const override { return 1; }
  bool forward(const Step& s, std::span<double> kept, std::span<double> reached) override {
    kept[0] = s.y[0];
    reached[0] = s.y[0] + s.theta[0] * s.part * s.y[1];
    reached[1] = s.y[1] + s.part * s.y[0] * s.y[0] * s.t;
    return true;
  }
  std::optional<ByTimes> backward(const Step& s, std::span<const double> kept, std::span<double> cotangent,
                                  std::span<double> by_theta) override {
    by_theta[0] += cotangent[0] * s.part * s.y[1];
    const double square = kept[0] * kept[0];
    const ByTimes by{cotangent[1] * s.part * square, cotangent[0] * s.theta[0] * s.y[1] + cotangent[1] * square * s.t};
    const double c = cotangent[0] + 2 * cotangent[1] * s.part * kept[0] * s.t;
    cotangent[1] += cotangent[0] * s.theta[0] * s.part;
    cotangent[0] = c;
    return by;
  }
};

using Function = std::function<double(double)>;

/// Projects the one entry y onto F(w', y) = f(w') - share y = 0.
std::unique_ptr<sensitivity::TangentSteps> onto(const Function& f, const Function& slope, double share) {
  sensitivity::ProjectionForm form;
  form.kernel = kernel::from_function("projection", 3, 0, 3,
                                      [=](std::span<const double> v, std::span<const double>, std::span<double> out) {
                                        out[0] = f(v[0]) - share * v[1];
                                        out[1] = slope(v[0]);
                                        out[2] = -share;
                                      });
  form.row = {0, 0};
  form.col = {0, 1};
  form.states = 1;
  form.replaced = 1;
  return sensitivity::projected_tangent(std::make_unique<Rest>(), std::move(form));
}

struct Projected {
  bool found = false;
  std::array<double, 1> at{};
  std::array<double, 1> along{1};
};

Projected project(sensitivity::TangentSteps& steps, double y) {
  Projected result;
  const std::array<double, 1> start{y};
  const std::array<double, 1> parameters{0};  // dt
  result.found = steps.step(0, 0.1, start, parameters, result.along, result.at);
  return result;
}

}  // namespace

TEST(ProjectedTangent, FollowsTheSolutionOfItsEquations) {
  const auto steps = onto([](double w) { return w * w * w + w; }, [](double w) { return 3 * w * w + 1; }, 1);
  const Projected found = project(*steps, 2);
  ASSERT_TRUE(found.found);
  EXPECT_NEAR(found.at[0], 1, 1e-15);
  EXPECT_NEAR(found.along[0], 0.25, 1e-15);
  // Nothing moves at rest.
  EXPECT_TRUE(project(*steps, 0).found);
}

// Newton's method for w^3 - 2 w + 2 = 0 goes from 0 to 1 and back for ever: changes that do not fall are not a
// solution.
TEST(ProjectedTangent, SaysSoWhereNewtonsMethodCycles) {
  const auto steps = onto([](double w) { return w * w * w - 2 * w + 2; }, [](double w) { return 3 * w * w - 2; }, 0);
  EXPECT_FALSE(project(*steps, 0).found);
}

// The second entry of y goes to the solution u of u^3 + u = y0 y1 + theta sin t + k, k = u/3. Expected are differences.
TEST(ProjectedAdjoint, HasTheDerivativesOfStepAndProjection) {
  sensitivity::ProjectionForm form;
  form.kernel = kernel::from_function("projection", 5, 1, 10,
                                      [](std::span<const double> v, std::span<const double> p, std::span<double> out) {
                                        const double u = v[0];
                                        out[0] = u * u * u + u - v[2] * v[3] - p[0] * std::sin(v[4]) - v[1];
                                        out[1] = v[1] - u / 3;
                                        out[2] = 3 * u * u + 1;
                                        out[3] = -1;
                                        out[4] = -v[3];
                                        out[5] = -v[2];
                                        out[6] = -std::sin(v[4]);
                                        out[7] = -p[0] * std::cos(v[4]);
                                        out[8] = -1.0 / 3;
                                        out[9] = 1;
                                      });
  form.row = {0, 0, 0, 0, 0, 0, 1, 1};
  form.col = {0, 1, 2, 3, 4, 5, 0, 1};
  form.states = 2;
  form.first = 1;
  form.replaced = 1;
  form.others = 1;
  const auto steps = sensitivity::projected_adjoint(std::make_unique<PlainAdjoint>(), std::move(form));
  std::vector<double> kept(steps->kept());
  const std::array<double, 5> at{0.8, 1.3, 0.7, 0.4, 0.3};  // y, theta, t, part
  const std::array<double, 2> c{0.6, -1.4};
  const auto value = [&](const std::array<double, 5>& v) {
    std::array<double, 2> reached{};
    const std::span<const double> all(v);
    EXPECT_TRUE(steps->forward({v[3], 1, v[4], all.first(2), all.subspan(2, 1)}, kept, reached));
    return c[0] * reached[0] + c[1] * reached[1];
  };
  value(at);
  std::array<double, 2> cotangent = c;
  std::array<double, 1> by_theta{0.5};
  const std::span<const double> all(at);
  const auto by =
      steps->backward({at[3], 1, at[4], all.first(2), all.subspan(2, 1)}, kept, cotangent, by_theta).value();
  const std::array<double, 5> found{cotangent[0], cotangent[1], by_theta[0] - 0.5, by.t, by.part};
  for (std::size_t k = 0; k < at.size(); ++k) {
    const auto beside = [&](double e) {
      auto moved = at;
      moved[k] += e;
      return value(moved);
    };
    const double e = 1e-3;
    const double expected =
        (45 * (beside(e) - beside(-e)) - 9 * (beside(2 * e) - beside(-2 * e)) + (beside(3 * e) - beside(-3 * e))) /
        (60 * e);
    EXPECT_NEAR(found.at(k), expected, 1e-12) << k;
  }
}
