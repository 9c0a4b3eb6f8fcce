// Contact Gauss methods in loops over the sites.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
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

FieldRun chain_run(const Sample& sample) {
  Model model = io::parse_family_model(chain(sample), "chain.toml");
  return run(model);
}

/// A chain whose fastest wave has an angle of 2 h sqrt(k) = 2000 in a step.
Sample stiff_chain(const std::string& ends) {
  Sample sample;
  sample.count = 40;
  sample.ends = ends;
  sample.method = "contact-gauss-2";
  sample.lagrangian = "sum(i, m[i]*v[i]^2/2 - (1 - cos(q[i]))) - sum(i, 4e8*(q[i+1] - q[i])^2/2) - gamma*z";
  return sample;
}

TEST(ContactGaussLoops, TakeStepsThatAreLongBesideTheFastestWave) {
  for (const std::string ends : {"periodic", "fixed", "free"}) {
    const Sample sample = stiff_chain(ends);
    Model model = io::parse_family_model(chain(sample), "chain.toml");
    ASSERT_TRUE(runs_in_loops(model));
    // The forces of 1e8 leave their rounding in the velocities.
    expect_equal(in_columns(run(model)), simulate::simulate(flat(model)), 1e-6);
  }
}

TEST(ContactGaussLoops, DampAStandingWaveAsTheMethodDoes) {
  // Of a linear ring each wave is an oscillator of frequency 2 sqrt(k) sin(pi/N), and a step of the midpoint rule of
  // q'' = -w^2 q turns it by 2 atan(h w/2).
  constexpr double k = 1e6;
  constexpr double h = 0.05;
  Sample sample;
  sample.count = 200;
  sample.method = "contact-gauss-2";
  sample.gamma = "0";
  sample.lagrangian = "sum(i, v[i]^2/2 - 1e6*(q[i+1] - q[i])^2/2) - gamma*z";
  std::string text = chain(sample);
  const auto cut = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  cut("\"q[i]\" = \"sin(2*pi*i/count) + 0.3*cos(6*pi*i/count)\"", "\"q[i]\" = \"cos(2*pi*i/count)\"");
  cut("\"v[i]\" = \"0.2*cos(4*pi*i/count)\"\n\"q[3]\" = 0.7\n", "");
  Model model = io::parse_family_model(text, "ring.toml");
  const analyse::Trajectory waves = in_columns(run(model));
  const double w = 2 * std::sqrt(k) * std::sin(std::numbers::pi / 200);
  const double turn = 2 * std::atan(h * w / 2);
  for (std::size_t step = 0; step < waves.rows(); ++step)
    EXPECT_NEAR(waves["q[0]"][step], std::cos(static_cast<double>(step) * turn), 1e-9) << step;
}

TEST(ContactGaussLoops, TakeShortRingsAndWideSprings) {
  for (const std::size_t count : {4, 5, 6, 7, 8, 9, 11, 12})
    for (const std::string ends : {"periodic", "free"}) {
      Sample sample;
      sample.count = count;
      sample.ends = ends;
      sample.method = "contact-gauss-4";
      sample.t_end = 1;
      sample.lagrangian = "sum(i, m[i]*v[i]^2/2) - sum(i, k*(q[i+2] - q[i])^4/2 - q[i+1]*q[i]^2/5) - gamma*z";
      Model model = io::parse_family_model(chain(sample), "chain.toml");
      ASSERT_TRUE(runs_in_loops(model));
      expect_equal(in_columns(run(model)), simulate::simulate(flat(model)), 1e-12);
    }
}

TEST(ContactGaussLoops, HaveTheSameBitsForAnyNumberOfThreads) {
  Sample sample;
  sample.count = 30'000;
  sample.method = "contact-gauss-4";
  sample.t_end = 0.5;
  sample.more = "columns = [\"q[::1000]\", \"v[7]\", \"energy\", \"z\"]\n";
  expect_same_bits_for_any_threads([&] { return in_columns(chain_run(sample)); });
}

TEST(ContactGaussLoops, SayWhyAStepIsNotMade) {
  Sample sample;
  sample.count = 30;
  sample.method = "contact-gauss-2";
  sample.gamma = "50";
  const FieldRun negative = chain_run(sample);
  EXPECT_THAT(negative.failure, HasSubstr("the factor 1 + h L_z of a step of 0.05 is not positive at t = 0"));
  EXPECT_EQ(negative.trajectory.facts.steps, 0U);

  std::string massless = chain(sample);
  massless.replace(massless.find("1 + 0.3*cos(2*pi*i/count)"), 25, "abs(i - 7)");
  Model model = io::parse_family_model(massless, "chain.toml");
  EXPECT_THAT(run(model).failure, HasSubstr("the inertia of a site is 0"));

  sample.gamma = "0.1";
  sample.step = 0.5;
  sample.t_end = 200;
  sample.lagrangian = "sum(i, v[i]^2/2 + q[i]^4) - gamma*z";
  const FieldRun lost = chain_run(sample);
  EXPECT_THAT(lost.failure, HasSubstr("take a smaller step"));
  EXPECT_FALSE(lost.trajectory.facts.complete);
  EXPECT_GE(lost.trajectory.rows(), 1U);
}

TEST(ContactGaussLoops, LeaveEdgesToTheModelWrittenOut) {
  const std::string text = R"toml(
[indices]
i = { count = 3, ends = "free" }
e = { from = [0, 1], to = [1, 2] }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[dynamics]
lagrangian = "sum(i, v[i]^2/2) - sum(e, (q[e.to] - q[e.from])^2/2)"
[initial]
"q[0]" = 1
[simulation]
method = "contact-gauss-2"
step = 0.1
t_end = 1
)toml";
  Model model = io::parse_family_model(text, "graph.toml");
  EXPECT_FALSE(runs_in_loops(model));
}

}  // namespace
}  // namespace herglotz::families
