// The gallery as a user runs it.

#include <cmath>

#include "gallery.hpp"

namespace herglotz::test {

using Trajectories = Gallery;
using AllTrajectories = Gallery;

TEST_P(AllTrajectories, RunAsTheirFilesSayAndAreVerified) {
  auto given = problem();
  const auto run = simulate::simulate(given);
  EXPECT_TRUE(run.facts.complete);
  EXPECT_EQ(run.columns.front().values.back(), given.settings.t_end);
  // A discrete motion is only as near to the energy law of continuous time as its step is small.
  EXPECT_LT(run.facts.largest_energy_residual, run.facts.order == 0 ? 0.1 * run.facts.step : 1e-5);
  for (const auto& column : run.columns) {
    for (const double value : column.values) ASSERT_TRUE(std::isfinite(value)) << column.name;
  }
}

TEST_P(AllTrajectories, AreTheSameToTheBitWhenRunAgain) {
  const auto run = [this] {
    auto given = problem();  // parsed, derived and compiled anew
    given.settings.t_end = std::min(given.settings.t_end, 2.0);
    return simulate::simulate(given);
  };
  const auto once = run();
  const auto again = run();
  ASSERT_EQ(once.rows(), again.rows());
  for (std::size_t c = 0; c < once.columns.size(); ++c) {
    EXPECT_EQ(once.columns[c].values, again.columns[c].values) << once.columns[c].name;
  }
}

TEST_P(Trajectories, AgreeBetweenReferenceAndContactGauss) {
  auto given = continuous_problem();
  given.settings.t_end = std::min(given.settings.t_end, 2.0);
  given.settings.output_every.reset();
  given.settings.output_step.reset();
  given.settings.step.reset();
  given.settings.method = "reference";
  given.settings.tolerance = 1e-12;
  const auto reference = simulate::simulate(given);
  given.settings.method = "contact-gauss-6";
  given.settings.tolerance.reset();
  given.settings.step = 0.002;
  const auto gauss = simulate::simulate(given);
  for (const auto& column : reference.columns) {
    const bool state = column.role == analyse::Role::base || column.role == analyse::Role::fibre ||
                       column.role == analyse::Role::action || column.role == analyse::Role::energy ||
                       column.role == analyse::Role::multiplier;
    if (!state) continue;
    const double value = column.values.back();
    EXPECT_NEAR(gauss[column.name].back(), value, 1e-8 * std::max(1.0, std::abs(value))) << column.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, AllTrajectories, testing::ValuesIn(smooth_gallery_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Models, Trajectories, testing::ValuesIn(gallery_names()), test_name);

}  // namespace herglotz::test
