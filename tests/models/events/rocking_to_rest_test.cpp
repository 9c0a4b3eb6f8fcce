// The block of the gallery that rocks on its corners comes to rest by methods that meet each impact.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "herglotz/io/gallery.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::io {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Returns when the block has stood up, to 1e-9, for the rest of the run.
double time_of_rest(const analyse::Trajectory& made) {
  std::size_t k = made.rows();
  while (k > 0 && std::abs(made["angle"][k - 1]) < 1e-9 && std::abs(made["w"][k - 1]) < 1e-6) --k;
  return made["t"][k];
}

// Its swings become shorter by a constant factor [Hou63], and were followed without end where the height of the corners
// is that of the rounding of their gaps, 3e-16, at t = 8.6908.
TEST(RockingBlock, ComesToRestByEveryMethodAtOneTime) {
  const auto run = [](const std::string& method) {
    simulate::Problem problem = parse_model(std::string(gallery_text("rocking-block")));
    problem.settings.method = method;
    return simulate::simulate(problem);
  };
  const double rest = time_of_rest(run("runge-kutta-4"));
  EXPECT_NEAR(rest, 8.6908, 1e-3);
  for (const std::string method : {"contact-gauss-2", "contact-gauss-4"}) {
    const auto made = run(method);
    EXPECT_TRUE(made.facts.complete) << method;
    EXPECT_THAT(made.facts.notes, Contains(HasSubstr("impacts of 'left', 'right' accumulate at t = 8.6907"))) << method;
    EXPECT_NEAR(time_of_rest(made), rest, 1e-5) << method;
    EXPECT_NEAR(made["angle"].back(), 0, 1e-15) << method;
    EXPECT_NEAR(made["contact.left"].back(), 9.81 / 2, 1e-9) << method;
    EXPECT_NEAR(made["contact.right"].back(), 9.81 / 2, 1e-9) << method;
    EXPECT_LT(made.facts.largest_energy_residual, 1e-9) << method;
  }
}

// A step to the place of an impact may be so short that phi(x1) = 0 tells velocities to 1e-11 only, beside which those
// of the last swings are small. Halves of the step have a quarter of its error.
TEST(RockingBlock, ComesToRestByDiscreteMechanics) {
  const auto run = [](double step) {
    simulate::Problem problem = parse_model(std::string(gallery_text("rocking-block")));
    problem.settings.method = "contact-dla-2";
    problem.settings.step = step;
    const auto made = simulate::simulate(problem);
    EXPECT_TRUE(made.facts.complete) << made.facts.status;
    EXPECT_NEAR(time_of_rest(made), 8.6908, 1e-2) << step;
    EXPECT_NEAR(made["angle"].back(), 0, 1e-15) << step;
    EXPECT_NEAR(made["contact.left"].back() + made["contact.right"].back(), 9.81, 1e-9) << step;
    return made.facts.largest_energy_residual;
  };
  const double coarse = run(2e-3);
  EXPECT_LT(coarse, 2e-7);
  EXPECT_NEAR(coarse / run(1e-3), 4, 0.2);
}

}  // namespace
}  // namespace herglotz::io
