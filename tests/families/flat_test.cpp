#include "herglotz/families/flat.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "families/comparison.hpp"
#include "families/samples.hpp"
#include "herglotz/error.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {
namespace {

/// Runs a model in loops and written out flat, and compares all columns.
void expect_equal_chain_runs(const Sample& sample, double tolerance) {
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  expect_equal(in_columns(run(model)), simulate::simulate(flat(model)), tolerance);
}

class FlatRuns : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(FlatRuns, AreTheSameAsLoops) {
  const auto [method, ends] = GetParam();
  Sample sample;
  sample.count = 6;
  sample.method = method;
  sample.ends = ends;
  expect_equal_chain_runs(sample, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(All, FlatRuns,
                         testing::Combine(testing::Values("contact-splitting-2", "contact-lobatto-2"),
                                          testing::Values("periodic", "fixed", "free")));
INSTANTIATE_TEST_SUITE_P(RungeKutta, FlatRuns,
                         testing::Combine(testing::Values("runge-kutta-4", "runge-kutta-8"),
                                          testing::Values("periodic", "fixed", "free")));
INSTANTIATE_TEST_SUITE_P(ContactGauss, FlatRuns,
                         testing::Combine(testing::Values("contact-gauss-2", "contact-gauss-4", "contact-gauss-6"),
                                          testing::Values("periodic", "fixed", "free")));
INSTANTIATE_TEST_SUITE_P(Compositions, FlatRuns,
                         testing::Combine(testing::Values("contact-splitting-4", "contact-splitting-6",
                                                          "contact-splitting-8"),
                                          testing::Values("free")));

TEST(FlatRuns, AreTheSameWithHundredsOfSites) {
  Sample sample;
  sample.count = 200;
  sample.method = "runge-kutta-4";
  sample.ends = "periodic";
  expect_equal_chain_runs(sample, 1e-13);
}

class FlatRunsOfTwoFamilies : public testing::TestWithParam<const char*> {};

TEST_P(FlatRunsOfTwoFamilies, AreTheSameAsLoops) {
  Sample sample;
  sample.count = 6;
  sample.method = GetParam();
  std::string text = chain(sample);
  const auto put = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  put("[\"q[i]\"]", "[\"q[i]\", \"u[i]\"]");
  put("[\"v[i]\"]", "[\"v[i]\", \"w[i]\"]");
  put("- gamma*z", "+ sum(i, w[i]^2 - q[i-2]*u[i+1]^2 - 0.5*u[i]^2) - gamma*z");
  put("\"q[3]\" = 0.7", "\"q[3]\" = 0.7\n\"u[i]\" = \"0.1*cos(i)\"\n\"w[count-1]\" = 0.3");
  Model model = io::parse_family_model(text, "two.toml");
  const auto loops = in_columns(run(model));
  const auto written = simulate::simulate(flat(model));
  for (const auto& column : written.columns) {
    if (column.role == analyse::Role::residual) continue;
    EXPECT_LT(difference(loops[column.name], column.values), 1e-13) << column.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FlatRunsOfTwoFamilies, testing::Values("contact-splitting-2", "contact-gauss-4"));

TEST(FlatRuns, AreTheSameWithTermsAtSingleSites) {
  for (const auto& [method, ends] :
       {std::pair{"contact-splitting-2", "periodic"}, std::pair{"contact-splitting-2", "fixed"},
        std::pair{"contact-splitting-2", "free"}, std::pair{"contact-gauss-2", "free"}}) {
    Sample sample;
    sample.count = 9;
    sample.ends = ends;
    sample.method = method;
    sample.lagrangian += " - 0.7*q[0]^2/2 - (q[count-1] - q[0])^2/4 - q[4]*sin(q[6])/3";
    expect_equal_chain_runs(sample, 1e-13);
  }
}

/// A chain that is driven in time, by forces at every site and at single ones, with a section that is not a symmetry.
Sample driven_chain(const std::string& ends) {
  Sample sample;
  sample.count = 7;
  sample.ends = ends;
  sample.method = "runge-kutta-8";
  sample.lagrangian += " + sum(i, 0.3*sin(2*t)*q[i]) + t*z/50";
  sample.forces =
      R"(forces = { "v[i]" = "-0.1*v[i]*sqrt(1 + v[i]^2) + 0.2*(q[i+1] - q[i-1])*m[i]", "v[1]" = "0.5*cos(t) - q[0]*v[2]", )"
      R"("v[count-1]" = "0.1*q[0]" })";
  sample.more = "[symmetries]\nshift = [\"1 + q[i]^2\"]\n";
  return sample;
}

TEST(FlatRuns, HaveTheSameObservables) {
  for (const std::string ends : {"periodic", "fixed", "free"})
    for (const std::string method : {"contact-splitting-2", "runge-kutta-4", "contact-lobatto-2"}) {
      Sample sample;
      sample.count = 9;
      sample.ends = ends;
      sample.method = method;
      sample.more =
          "[observables]\norder = \"sqrt(sum(i, cos(q[i]))^2 + sum(i, sin(q[i]))^2)/count\"\n"
          "flux = \"sum(i, k*(q[i+1] - q[i])*v[i+1]) + z*t\"\nends = \"q[count-1]*m[0] - v[0]\"\n";
      expect_equal_chain_runs(sample, 1e-12);
    }
}

TEST(FlatRuns, AreTheSameWithForcesAndTime) {
  for (const std::string ends : {"periodic", "fixed", "free"})
    for (const std::string method : {"runge-kutta-8", "contact-gauss-2", "contact-gauss-4"}) {
      Sample sample = driven_chain(ends);
      sample.method = method;
      expect_equal_chain_runs(sample, 1e-12);
    }
}

TEST(FlatRuns, HaveTheSameEnergyBudgetByContactGauss) {
  Sample sample = driven_chain("fixed");
  sample.method = "contact-gauss-2";
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  const auto loops = in_columns(run(model));
  const auto written = simulate::simulate(flat(model));
  for (std::size_t row = 0; row < written.rows(); ++row)
    EXPECT_NEAR(loops["energy_residual"][row], written["energy_residual"][row], 1e-11) << row;
  EXPECT_GT(std::abs(written["energy_residual"].back()), 1e-6);
}

TEST(FlatRuns, KeepDrivenLawsToTheOrderOfContactGauss) {
  const auto facts = [](double step) {
    Sample sample = driven_chain("fixed");
    sample.method = "contact-gauss-4";
    sample.step = step;
    Model model = io::parse_family_model(chain(sample), "chain.toml");
    return run(model).trajectory.facts;
  };
  const auto coarse = facts(0.1);
  const auto fine = facts(0.05);
  EXPECT_NEAR(std::log2(coarse.largest_energy_residual / fine.largest_energy_residual), 4, 0.2);
  EXPECT_NEAR(std::log2(std::abs(coarse.largest_momentum_residuals.at(0).second /
                                 fine.largest_momentum_residuals.at(0).second)),
              4, 0.2);
}

TEST(FlatRuns, AreTheSameWithVelocityDependentPotentials) {
  Sample sample;
  sample.count = 6;
  sample.method = "runge-kutta-4";
  sample.lagrangian = "sum(i, (1 + q[i+1]^2)*v[i]^2/2 + 0.2*q[i-1]*v[i] + v[i]^4/8 - k*(q[i+1] - q[i])^2/2) - gamma*z";
  expect_equal_chain_runs(sample, 1e-12);
  sample.method = "contact-gauss-4";
  sample.lagrangian = "sum(i, (1 + q[i+1]^2)*v[i]^2/2 + 0.2*q[i-1]*v[i] - k*(q[i+1] - q[i])^2/2) - gamma*z";
  expect_equal_chain_runs(sample, 1e-12);
}

TEST(FlatRuns, AreTheSameByAdaptiveSteps) {
  for (const std::string method : {"reference", "radau-5"}) {
    const double bound = method == "reference" ? 1e-12 : 1e-11;
    Sample sample = driven_chain("periodic");
    sample.method = method;
    sample.more = "tolerance = 1e-13\noutput_step = 0.25\n" + sample.more;
    Model model = io::parse_family_model(adaptive_chain(sample), "chain.toml");
    ASSERT_TRUE(runs_in_loops(model));
    const auto loops = in_columns(run(model));
    const auto written = simulate::simulate(flat(model));
    ASSERT_EQ(loops.rows(), 13U);
    for (const auto& column : written.columns) {
      if (column.role == analyse::Role::residual) continue;
      EXPECT_LT(difference(loops[column.name], column.values), bound) << column.name;
    }
    EXPECT_LT(loops.facts.largest_energy_residual, bound / 10);
  }
}

TEST(FlatRuns, AreTheSameWithSpringsToSitesFarAway) {
  for (const std::string method : {"contact-splitting-2", "contact-lobatto-2", "runge-kutta-4", "contact-gauss-2"}) {
    Sample sample;
    sample.count = 90;
    sample.t_end = 1;
    sample.method = method;
    sample.lagrangian = "sum(i, v[i]^2/2 - k*(q[i+60] - q[i])^2/2) - gamma*z";
    sample.more = "[observables]\nfar = \"sum(i, q[i]*v[i+50])\"\n";
    expect_equal_chain_runs(sample, 1e-12);
  }
}

TEST(FlatRuns, AreTheSameWithoutDissipation) {
  Sample sample;
  sample.count = 6;
  sample.gamma = "0";
  expect_equal_chain_runs(sample, 1e-13);
}

TEST(FlatRuns, AreRefusedByMethodsOnGroupoidsIfTheyAreLarge) {
  Sample sample;
  sample.count = 300;
  sample.method = "contact-dla-2";
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  ASSERT_FALSE(runs_in_loops(model));
  try {
    simulate::simulate(flat(model));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("take at most 256 velocities"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("this system has 300"), std::string::npos) << error.what();
  }
}

TEST(FlatRuns, FollowTheTotalMomentumAlike) {
  Sample sample;
  sample.count = 6;
  sample.lagrangian = "sum(i, m[i]*v[i]^2/2 - k*(q[i+1] - q[i])^4/4) - gamma*z";
  sample.more = "[symmetries]\nshift = [\"1\"]\n";
  expect_equal_chain_runs(sample, 1e-12);
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  const auto facts = run(model).trajectory.facts;
  ASSERT_EQ(facts.largest_momentum_residuals.size(), 1U);
  EXPECT_LT(std::abs(facts.largest_momentum_residuals[0].second), 1e-13);
}

}  // namespace
}  // namespace herglotz::families
