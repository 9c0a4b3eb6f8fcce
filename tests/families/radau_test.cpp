// Radau IIA of order 5 in loops over the sites.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "families/comparison.hpp"
#include "families/samples.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/families/run.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/simulate/simulate.hpp"

namespace herglotz::families {
namespace {

using testing::HasSubstr;

Model radau_chain(const Sample& sample) {
  return io::parse_family_model(adaptive_chain(sample), "chain.toml");
}

FieldRun radau_run(const Sample& sample) {
  Model model = radau_chain(sample);
  EXPECT_TRUE(runs_in_loops(model));
  return run(model);
}

/// A ring whose waves a cos(2 pi m i/N), m = 1 and 50, decay by themselves:
///   a'' + (gamma + c s) a' + k s a = 0,   s = 4 sin^2(pi m/N).
struct InnerFriction {
  double k = 4e4;
  double c = 1e4;
  double gamma = 0.1;
  double tolerance = 1e-9;
  double t_end = 10;
  double output_step = 0;  ///< a twentieth of the run if it is 0
  std::string method = "radau-5";
  std::string more{};
  std::string edges{};
  std::string potential = "sum(i, k*(q[i+1] - q[i])^2/2)";

  [[nodiscard]] Model model() const {
    Model model = io::parse_family_model(
        fmt::format("[indices]\ni = {{ count = 200, ends = \"periodic\" }}\n{}[algebroid]\nkind = \"tangent\"\nbase = "
                    "[\"q[i]\"]\nfibre = [\"v[i]\"]\n[parameters]\nk = {:.17g}\nc = {:.17g}\ngamma = {:.17g}\n"
                    "[dynamics]\nlagrangian = \"sum(i, v[i]^2/2) - {} - gamma*z\"\n"
                    "forces = {{ \"v[i]\" = \"c*(v[i+1] - 2*v[i] + v[i-1])\" }}\n"
                    "[initial]\n\"q[i]\" = \"cos(2*pi*i/count) + 0.1*cos(2*pi*50*i/count)\"\n"
                    "[simulation]\nmethod = \"{}\"\ntolerance = {}\nt_end = {}\noutput_step = {}\n{}",
                    edges, k, c, gamma, potential, method, tolerance, t_end, output_step > 0 ? output_step : t_end / 20,
                    more),
        "string.toml");
    EXPECT_TRUE(runs_in_loops(model));
    return model;
  }
  [[nodiscard]] FieldRun run() const {
    Model own = model();
    return families::run(own);
  }
  [[nodiscard]] double amplitude(int m, double t) const {
    const double s = 4 * std::pow(std::sin(std::numbers::pi * m / 200), 2);
    const std::complex<double> root = std::sqrt(std::complex<double>(std::pow((gamma + c * s) / 2, 2) - k * s));
    const double half = (gamma + c * s) / 2;
    // The rates -half -+ root, the slow one without cancellation.
    const std::complex<double> fast = -(half + root);
    const std::complex<double> slow = k * s / fast;
    return std::real((slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (slow - fast));
  }
  [[nodiscard]] double largest_error(const FieldRun& found) const {
    double largest = 0;
    const std::vector<double>& t = found.trajectory.columns.front().values;
    for (std::size_t row = 0; row < t.size(); ++row)
      for (std::size_t i = 0; i < 200; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / 200;
        const double q = amplitude(1, t[row]) * std::cos(angle) + 0.1 * amplitude(50, t[row]) * std::cos(50 * angle);
        largest = std::max(largest, std::abs(found.fields[0].values[row * 200 + i] - q));
      }
    return largest;
  }
};

// The fastest rate is 4e4, the slowest waves live for some seconds.
TEST(RadauLoops, TakeLongStepsWhereWavesHaveDecayed) {
  const InnerFriction string;
  const FieldRun found = string.run();
  EXPECT_LT(string.largest_error(found), 1e-8);
  EXPECT_LT(found.trajectory.facts.steps, 2000U);
  EXPECT_TRUE(found.trajectory.facts.complete);
  EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-9);
}

TEST(RadauLoops, TakeEdgesAndPairsThatAreStiff) {
  std::string from;
  std::string to;
  for (int i = 0; i < 200; ++i) {
    from += fmt::format("{},", i);
    to += fmt::format("{},", (i + 1) % 200);
  }
  InnerFriction string;
  string.edges = fmt::format("e = {{ from = [{}], to = [{}] }}\n", from, to);
  string.potential = "sum(e, k*(q[e.to] - q[e.from])^2/2)";
  EXPECT_LT(string.largest_error(string.run()), 1e-8);
  // Pairs pull each wave back by k, as the sum over all sites vanishes.
  string.edges = {};
  string.t_end = 0.5;
  string.potential = "sum(i, k*(q[i+1] - q[i])^2/2) - sum(i, j < i, k*(q[i] - q[j])^2/2)/count";
  const FieldRun found = string.run();
  const std::vector<double>& t = found.trajectory.columns.front().values;
  const double s = 4 * std::pow(std::sin(std::numbers::pi / 200), 2);
  const double half = (string.gamma + string.c * s) / 2;
  const std::complex<double> root = std::sqrt(std::complex<double>(half * half - string.k * (1 + s)));
  for (std::size_t row = 1; row < t.size(); ++row) {
    double amplitude = 0;
    for (std::size_t i = 0; i < 200; ++i)
      amplitude +=
          found.fields[0].values[row * 200 + i] * std::cos(2 * std::numbers::pi * static_cast<double>(i) / 200) / 100;
    const std::complex<double> a =
        std::exp(-half * t[row]) * (std::cosh(root * t[row]) + half * std::sinh(root * t[row]) / root);
    EXPECT_NEAR(amplitude, a.real(), 2e-7) << t[row];
  }
}

TEST(RadauLoops, HaveErrorsThatFollowTheTolerance) {
  InnerFriction string;
  string.c = 0;
  string.t_end = 0.5;
  double last = 1;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    string.tolerance = tolerance;
    const double error = string.largest_error(string.run());
    EXPECT_LT(error, 10 * tolerance);
    EXPECT_LT(error, last / 20) << tolerance;
    last = error;
  }
}

// A decay by L_z far faster than the steps: p' = F + L_z p is solved, not multiplied by a factor that grows.
TEST(RadauLoops, TakeDissipationThatIsStiff) {
  InnerFriction string;
  string.gamma = 1e5;
  string.c = 0;
  const FieldRun found = string.run();
  EXPECT_LT(string.largest_error(found), 1e-9);
  EXPECT_LT(found.trajectory.facts.steps, 1500U);
  EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-8);
}

TEST(RadauLoops, TakeGridsWithTwoFamilies) {
  const std::string text = R"toml(
[indices]
i = { count = 6, ends = "periodic" }
j = { count = 5, ends = "fixed" }
[algebroid]
kind = "tangent"
base = ["q[i,j]", "u[i,j]"]
fibre = ["v[i,j]", "w[i,j]"]
[parameters]
k = 900
gamma = 0.3
[dynamics]
lagrangian = "sum(i, j, (1 + q[i,j]^2)*v[i,j]^2/2 + w[i,j]^2/2 - q[i,j]^2*u[i,j]^2 - cos(t)*u[i,j]) - sum(i, j, k*(q[i+1,j] - q[i,j])^2/2 + k*(q[i,j+1] - q[i,j])^2/2 + (u[i+1,j] - q[i,j])^2) - gamma*z*cos(t)^2"
forces = { "v[i,j]" = "-50*v[i,j]" }
[initial]
"q[i,j]" = "sin(2*pi*i/6)*(j + 1)/5"
"u[i,j]" = "0.1*i"
[simulation]
method = "radau-5"
tolerance = 1e-12
t_end = 2
output_step = 0.1
)toml";
  Model model = io::parse_family_model(text, "grid.toml");
  ASSERT_TRUE(runs_in_loops(model));
  const analyse::Trajectory loops = in_columns(run(model));
  model.settings.method = "reference";
  model.settings.tolerance = 1e-13;
  expect_equal(loops, simulate::simulate(flat(model)), 1e-10);
}

TEST(RadauLoops, RunBackwards) {
  Sample sample;
  sample.method = "radau-5";
  sample.more = "tolerance = 1e-11\noutput_step = 0.25\n";
  const analyse::Trajectory there = in_columns(radau_run(sample));
  sample.t_end = -3;
  Model model = radau_chain(sample);
  Model other = radau_chain(sample);
  other.settings.method = "reference";
  expect_equal(in_columns(run(model)), in_columns(run(other)), 1e-9);
  EXPECT_EQ(there["t"].back(), 3);
}

// A hanging chain comes to rest, where the forces cancel and velocities fall below their rounding.
TEST(RadauLoops, ComeToRestAmongForcesThatCancel) {
  Sample sample;
  sample.count = 20;
  sample.ends = "fixed";
  sample.gamma = "1";
  sample.t_end = 2000;
  sample.method = "radau-5";
  sample.lagrangian = "sum(i, v[i]^2/2 - q[i]) - sum(i, 7e6*(q[i+1] - q[i])^2/2) - gamma*z";
  sample.forces = "forces = { \"v[i]\" = \"3e5*(v[i+1] - 2*v[i] + v[i-1])\" }";
  sample.more = "tolerance = 1e-13\noutput_step = 100\n";
  const FieldRun found = radau_run(sample);
  EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
  EXPECT_LT(found.trajectory.facts.steps, 20'000U);
  const analyse::Trajectory columns = in_columns(found);
  for (const std::size_t i : {0, 7, 19}) {
    const double rest = -static_cast<double>(20 * 21 - i * (i + 1)) / (2 * 7e6);
    EXPECT_NEAR(columns[fmt::format("q[{}]", i)].back(), rest, 1e-15);
  }
}

TEST(RadauLoops, HaveTheSameBitsForAnyNumberOfThreads) {
  Sample sample;
  sample.count = 30'000;
  sample.method = "radau-5";
  sample.t_end = 0.5;
  sample.more = "output_step = 0.25\ncolumns = [\"q[::1000]\", \"v[7]\", \"energy\", \"z\"]\n";
  expect_same_bits_for_any_threads([&] { return in_columns(radau_run(sample)); });
}

InnerFriction stiff_by_auto() {
  InnerFriction string;
  string.method = "auto";
  string.t_end = 100;
  return string;
}

TEST(AutoLoops, GoOnByRadauWhereTheMotionIsStiff) {
  const InnerFriction string = stiff_by_auto();
  const FieldRun found = string.run();
  EXPECT_LT(string.largest_error(found), 1e-8);
  EXPECT_LT(found.trajectory.facts.steps, 30'000U);
  EXPECT_GT(found.trajectory.facts.newton_iterations, 100U);
  EXPECT_LT(found.trajectory.facts.largest_energy_residual, 1e-8);
  ASSERT_EQ(found.trajectory.facts.notes.size(), 1U);
  EXPECT_THAT(found.trajectory.facts.notes[0], HasSubstr("radau-5 took steps from t = "));
}

TEST(AutoLoops, GoOnWhereRowsLeaveRoomForLongSteps) {
  InnerFriction string = stiff_by_auto();
  string.t_end = 20;
  // The trial ends many rows behind the time from which the run goes on.
  string.output_step = 0.02;
  const FieldRun found = string.run();
  EXPECT_EQ(found.trajectory.facts.notes.size(), 1U);
  EXPECT_LT(string.largest_error(found), 1e-8);
  // Explicit steps are 1.3e-4 long, so that steps of 0.004 would not pay.
  string.output_step = 0.004;
  EXPECT_TRUE(string.run().trajectory.facts.notes.empty());
}

TEST(AutoLoops, HaveTheBitsOfARunWithoutEvents) {
  InnerFriction string = stiff_by_auto();
  const FieldRun plain = string.run();
  string.more = "[events]\nturn = \"v[0]\"\nlow = \"q[0] - 0.3\"\n";
  const FieldRun watched = string.run();
  EXPECT_GT(watched.trajectory.events[0].count() + watched.trajectory.events[1].count(), 0U);
  EXPECT_EQ(watched.trajectory.facts.notes, plain.trajectory.facts.notes);
  EXPECT_EQ(watched.trajectory.facts.steps, plain.trajectory.facts.steps);
  for (std::size_t f = 0; f < plain.fields.size(); ++f) EXPECT_EQ(plain.fields[f].values, watched.fields[f].values);
}

TEST(AutoLoops, HaveTheSameBitsWhenTheyRunAgain) {
  Model model = stiff_by_auto().model();
  Runs runs(model);
  const FieldRun first = runs.run();
  const FieldRun second = runs.run();
  for (std::size_t f = 0; f < first.fields.size(); ++f) EXPECT_EQ(first.fields[f].values, second.fields[f].values);
  EXPECT_EQ(first.trajectory.facts.notes, second.trajectory.facts.notes);
  EXPECT_EQ(first.trajectory.facts.steps, second.trajectory.facts.steps);
}

TEST(AutoLoops, KeepTheBitsOfTheExplicitMethodWhereWavesSwing) {
  // A trial is made after 4096 of some 130 000 steps.
  const auto found = [](const std::string& method) {
    Model model = io::parse_family_model(
        "[indices]\ni = { count = 4, ends = \"free\" }\n[algebroid]\nkind = \"tangent\"\nbase = [\"q[i]\"]\nfibre = "
        "[\"v[i]\"]\n[dynamics]\nlagrangian = \"sum(i, v[i]^2/2 - (i + 1)^2*q[i]^2/2)\"\n[initial]\n\"q[i]\" = "
        "1\n[simulation]\nmethod = \"" +
            method + "\"\ntolerance = 1e-8\nt_end = 60000\noutput_step = 6000\n",
        "oscillators.toml");
    return run(model);
  };
  const FieldRun own = found("auto");
  const FieldRun reference = found("reference");
  EXPECT_GT(own.trajectory.facts.steps, 105'000U);
  EXPECT_TRUE(own.trajectory.facts.notes.empty());
  for (std::size_t f = 0; f < own.fields.size(); ++f) EXPECT_EQ(own.fields[f].values, reference.fields[f].values);
}

TEST(RadauLoops, SayWhyTheyEnd) {
  Sample sample;
  sample.count = 30;
  sample.method = "radau-5";
  std::string massless = adaptive_chain(sample);
  massless.replace(massless.find("1 + 0.3*cos(2*pi*i/count)"), 25, "abs(i - 7)");
  Model model = io::parse_family_model(massless, "chain.toml");
  EXPECT_THAT(run(model).failure, HasSubstr("the inertia of a site is 0"));

  // Every site runs to infinity in a finite time.
  sample.t_end = 200;
  sample.lagrangian = "sum(i, v[i]^2/2 + q[i]^4) - gamma*z";
  const FieldRun lost = radau_run(sample);
  EXPECT_THAT(lost.failure, HasSubstr("no step is small enough for the tolerance at t = "));
  EXPECT_FALSE(lost.trajectory.facts.complete);
}

}  // namespace
}  // namespace herglotz::families
