// Events of models with an index.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "families/samples.hpp"
#include "herglotz/families/flat.hpp"
#include "herglotz/io/family_file.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::families {
namespace {

Sample with_events(const std::string& method, std::string events) {
  Sample sample;
  sample.count = 6;
  sample.method = method;
  sample.t_end = 6;
  sample.more = std::move(events);
  return sample;
}

const std::vector<double>& times(const FieldRun& run, std::size_t event) {
  return run.trajectory.events.at(event).columns.front().values;
}

class Events : public testing::TestWithParam<const char*> {};

TEST_P(Events, AreThoseOfTheModelWrittenOut) {
  const std::string method = GetParam();
  const std::string events =
      "[events]\nturn = \"v[0]\"\ncentre = { at = \"sum(i, q[i]) - 0.4*t\", direction = \"falling\" }\n"
      "low = \"cos(t) + 0.01*energy + 0.01*z\"\n";
  Sample sample = with_events(method, events);
  const bool adaptive = method == "reference" || method == "radau-5";
  Model model = io::parse_family_model(adaptive ? adaptive_chain(sample) : chain(sample), "chain.toml");
  if (adaptive) model.settings.tolerance = 1e-12;
  const FieldRun loops = run(model);
  const FieldRun written = run_flat(model);
  ASSERT_EQ(loops.trajectory.events.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& own = loops.trajectory.events[k];
    const auto& other = written.trajectory.events[k];
    EXPECT_EQ(own.name, other.name);
    ASSERT_EQ(own.count(), other.count()) << own.name;
    EXPECT_GT(own.count(), 0U) << own.name;
    ASSERT_EQ(own.columns.size(), other.columns.size());
    for (std::size_t c = 0; c < own.columns.size(); ++c) {
      EXPECT_EQ(own.columns[c].name, other.columns[c].name);
      if (own.columns[c].role == analyse::Role::residual) continue;
      for (std::size_t row = 0; row < own.count(); ++row)
        EXPECT_NEAR(own.columns[c].values[row], other.columns[c].values[row], 1e-9) << own.columns[c].name;
    }
  }
  // The rows of the run have the bits of a run without events.
  model.events.clear();
  const FieldRun plain = run(model);
  ASSERT_EQ(plain.trajectory.rows(), loops.trajectory.rows());
  for (std::size_t f = 0; f < plain.fields.size(); ++f) EXPECT_EQ(plain.fields[f].values, loops.fields[f].values);
  for (std::size_t c = 0; c < plain.trajectory.columns.size(); ++c)
    EXPECT_EQ(plain.trajectory.columns[c].values, loops.trajectory.columns[c].values);
}

INSTANTIATE_TEST_SUITE_P(All, Events,
                         testing::Values("contact-splitting-4", "contact-lobatto-2", "runge-kutta-4", "contact-gauss-4",
                                         "reference", "radau-5"));

constexpr const char* kOscillators = R"toml(
[indices]
i = { count = 5, ends = "free" }
[algebroid]
kind = "tangent"
base = ["q[i]"]
fibre = ["v[i]"]
[dynamics]
lagrangian = "sum(i, v[i]^2/2 - (i + 1)^2*q[i]^2/2) + 0*z"
[events]
down = { at = "q[0]", direction = "falling" }
last = { at = "q[4] + q[3]/1000 - q[3]/1000", direction = "rising" }
end = { at = "sum(i, q[i]^2) - 5 + 10*(t - 2)", stop = true }
[initial]
"q[i]" = 1
[simulation]
method = "reference"
tolerance = 1e-13
t_end = 20
columns = ["q[4]", "energy"]
)toml";

TEST(EventsOfOscillators, HappenWhenTheClosedFormSays) {
  Model model = io::parse_family_model(kOscillators, "oscillators.toml");
  const FieldRun found = run(model);
  ASSERT_EQ(times(found, 0).size(), 1U);
  EXPECT_NEAR(times(found, 0)[0], std::numbers::pi / 2, 1e-12);
  ASSERT_EQ(times(found, 1).size(), 2U);
  EXPECT_NEAR(times(found, 1)[0], 3 * std::numbers::pi / 10, 1e-12);
  EXPECT_NEAR(times(found, 1)[1], 7 * std::numbers::pi / 10, 1e-12);
  // Sites that columns choose stand at the events too.
  ASSERT_EQ(found.trajectory.events[0].columns.size(), 3U);
  EXPECT_EQ(found.trajectory.events[0].columns[1].name, "q[4]");
  EXPECT_NEAR(found.trajectory.events[0].columns[1].values[0], std::cos(5 * std::numbers::pi / 2), 1e-11);
  // The last event ends the run.
  ASSERT_EQ(times(found, 2).size(), 1U);
  const double t = times(found, 2)[0];
  double function = -5 + 10 * (t - 2);
  for (int i = 1; i <= 5; ++i) function += std::pow(std::cos(i * t), 2);
  EXPECT_NEAR(function, 0, 1e-11);
  EXPECT_EQ(found.trajectory["t"].back(), t);
  EXPECT_TRUE(found.trajectory.facts.complete);
  EXPECT_NE(found.trajectory.facts.notes.back().find("ended by the event 'end' at t = "), std::string::npos);
}

TEST(EventsOfOscillators, AreFoundBackwardsInTheirOrder) {
  Model model = io::parse_family_model(kOscillators, "oscillators.toml");
  model.events.pop_back();
  model.settings.t_end = -5;
  const FieldRun found = run(model);
  ASSERT_EQ(times(found, 0).size(), 1U);
  EXPECT_NEAR(times(found, 0)[0], -3 * std::numbers::pi / 2, 1e-12);
}

TEST(EventsOfChains, AreReadWithTheirErrors) {
  const auto expect = [](const std::string& event, const std::string& reason) {
    try {
      io::parse_family_model(chain(with_events("contact-splitting-2", "[events]\n" + event)), "chain.toml");
      FAIL() << event;
    } catch (const io::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  expect("a = { at = \"q[0]\", set = { v = \"-v\" } }", "the event 'a' changes the state");
  expect("a = { direction = \"any\" }", "the event 'a' has no 'at'");
  expect("a = { at = \"q[0]\", direction = \"up\" }", "unknown direction 'up'");
  expect("a = { at = \"q[0]\", stop = 1 }", "stop");
  expect("a = \"q[i]\"", "q[i] stands outside a sum");
  expect("energy = \"q[0]\"", "energy");
}

}  // namespace
}  // namespace herglotz::families
