// Derivatives of steps that end with a projection, with equations whose solution is known.

#include "herglotz/sensitivity/projected_tangent.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

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
