// Contact Gauss methods in loops over the sites.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// Springs whose waves cos(2 pi i/N) have the frequency w.
struct Springs {
  std::string name;
  std::string edges{};  ///< a line of [indices]
  std::string potential;
  std::size_t count = 200;
  double w = 0;
};

/// Edges from each site i to i + shift, for all shifts.
Springs circulant(std::string name, std::size_t count, const std::vector<std::size_t>& shifts) {
  Springs springs{std::move(name), {}, "sum(e, 1e6*(q[e.to] - q[e.from])^2/2)", count, 0};
  std::string from;
  std::string to;
  double w2 = 0;
  for (const std::size_t shift : shifts) {
    for (std::size_t i = 0; i < count; ++i) {
      from += fmt::format("{},", i);
      to += fmt::format("{},", (i + shift) % count);
    }
    w2 += 4e6 * std::pow(std::sin(std::numbers::pi * static_cast<double>(shift) / static_cast<double>(count)), 2);
  }
  springs.edges = fmt::format("e = {{ from = [{}], to = [{}] }}\n", from, to);
  springs.w = std::sqrt(w2);
  return springs;
}

class StiffSprings : public testing::TestWithParam<Springs> {};

TEST_P(StiffSprings, SwingAsTheMethodDoes) {
  // A step of the method of order 4 turns an oscillator of frequency w by the angle of the Pade approximant
  // (1 + x/2 + x^2/12)/(1 - x/2 + x^2/12) at x = i h w.
  constexpr double h = 0.05;
  const Springs& springs = GetParam();
  Sample sample;
  sample.count = springs.count;
  sample.method = "contact-gauss-4";
  sample.gamma = "0";
  sample.t_end = 1;
  sample.lagrangian = "sum(i, v[i]^2/2) - " + springs.potential + " - gamma*z";
  sample.more = "columns = [\"q[0]\"]\n";
  std::string text = chain(sample);
  const auto cut = [&](std::string_view from, std::string_view to) { text.replace(text.find(from), from.size(), to); };
  cut("\"q[i]\" = \"sin(2*pi*i/count) + 0.3*cos(6*pi*i/count)\"", "\"q[i]\" = \"cos(2*pi*i/count)\"");
  cut("\"v[i]\" = \"0.2*cos(4*pi*i/count)\"\n\"q[3]\" = 0.7\n", "");
  text.insert(text.find("[algebroid]"), springs.edges);
  Model model = io::parse_family_model(text, "springs.toml");
  ASSERT_TRUE(runs_in_loops(model));
  const analyse::Trajectory waves = in_columns(run(model));
  const std::complex<double> x(0, h * springs.w);
  const double turn = 2 * std::arg(1.0 + x / 2.0 + x * x / 12.0);
  ASSERT_GT(waves.rows(), 10U);
  for (std::size_t step = 0; step < waves.rows(); ++step)
    EXPECT_NEAR(waves["q[0]"][step], std::cos(static_cast<double>(step) * turn), 1e-9) << step;
}

INSTANTIATE_TEST_SUITE_P(
    All, StiffSprings,
    testing::Values(Springs{"ring", {}, "sum(i, 1e6*(q[i+1] - q[i])^2/2)", 200, 2e3 * std::sin(std::numbers::pi / 200)},
                    circulant("ring_of_edges", 200, {1}), circulant("torus_of_edges", 2000, {1, 45}),
                    circulant("many_edges", 3000, {1, 57, 97, 211, 401, 733, 1009, 1301}),
                    Springs{"pairs", {}, "sum(i, j < i, 1e6*(q[i] - q[j])^2/2)/count", 200, 1e3}),
    [](const auto& info) { return info.param.name; });

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

TEST(ContactGaussLoops, ComeToRestAmongForcesThatCancel) {
  // Hanging from the right end under a weight of 1 a site, the site i rests where the springs carry the sites beside
  // it: k (q_{i+1} - q_i) = i + 1, so that q_i = -(N (N + 1) - i (i + 1))/(2 k).
  Sample sample;
  sample.count = 20;
  sample.ends = "fixed";
  sample.gamma = "1";
  sample.step = 0.2;
  sample.t_end = 2000;
  sample.lagrangian = "sum(i, v[i]^2/2 - q[i]) - sum(i, 7*(q[i+1] - q[i])^2/2) - gamma*z";
  for (const std::string method : {"contact-gauss-2", "contact-gauss-4"}) {
    sample.method = method;
    const FieldRun found = chain_run(sample);
    EXPECT_TRUE(found.trajectory.facts.complete) << found.failure;
    const analyse::Trajectory columns = in_columns(found);
    for (const std::size_t i : {0, 7, 19}) {
      const double rest = -static_cast<double>(20 * 21 - i * (i + 1)) / (2 * 7.0);
      EXPECT_NEAR(columns[fmt::format("q[{}]", i)].back(), rest, 1e-11) << method;
    }
  }
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

}  // namespace
}  // namespace herglotz::families
