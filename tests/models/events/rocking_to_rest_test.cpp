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

}  // namespace
}  // namespace herglotz::io
