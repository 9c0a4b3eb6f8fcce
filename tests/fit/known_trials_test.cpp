// Fits that know trials from before.

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <map>

#include "herglotz/fit/fit.hpp"
#include "simulate/damped_pendulum.hpp"

namespace {

using namespace herglotz;

/// Trials in memory.
class Remembered : public fit::Evaluations {
 public:
  [[nodiscard]] const fit::Evaluation* find(const std::vector<double>& key) const override {
    const auto known = trials.find(key);
    return known == trials.end() ? nullptr : &known->second;
  }
  void add(const std::vector<double>& key, const fit::Evaluation& found) override {
    trials[key] = found;
    ++added;
  }

  std::map<std::vector<double>, fit::Evaluation> trials{};
  std::size_t added = 0;
};

}  // namespace

// Parts of the data, several weighings and a profile.
TEST(KnownTrials, LeadToTheSameBitsWithoutTheirRuns) {
  const simulate::Simulator simulator(damped_pendulum(2));
  fit::Data data{{}, {{"q", {}}, {"v", {}}}};
  for (int k = 0; k < 30; ++k) {
    data.t.push_back(0.2 * k);
    data.series[0].values.push_back(std::cos(0.25 * k) + 0.01 * std::sin(7.0 * k));
    data.series[1].values.push_back(-1.25 * std::sin(0.25 * k));
  }
  fit::Request asked;
  auto& measured = asked.runs.emplace_back();
  measured.data = data;
  measured.run.initial = {{"q", 1.0}, {"v", 0.0}};
  measured.run.settings.method = "reference";
  measured.run.settings.tolerance = 1e-11;
  asked.unknowns = {{"k"}, {"gamma"}};
  asked.profiles = {"k"};
  asked.parts = 2;
  const auto plain = fit::fit(simulator, asked);
  Remembered known;
  asked.known = &known;
  const auto first = fit::fit(simulator, asked);
  const std::size_t trials = known.added;
  EXPECT_GT(trials, 20U);
  const auto second = fit::fit(simulator, asked);
  EXPECT_EQ(known.added, trials);
  // Half of the trials are forgotten, as behind an interruption.
  known.trials.erase(std::next(known.trials.begin(), static_cast<std::ptrdiff_t>(known.trials.size() / 2)),
                     known.trials.end());
  const auto third = fit::fit(simulator, asked);
  EXPECT_GT(known.added, trials);
  for (const auto* found : {&first, &second, &third}) {
    EXPECT_EQ(found->iterations, plain.iterations);
    EXPECT_EQ(found->chi_squared, plain.chi_squared);
    EXPECT_EQ(found->covariance, plain.covariance);
    EXPECT_EQ(found->profiles.front().rise, plain.profiles.front().rise);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(found->estimates[k].value, plain.estimates[k].value);
  }
}
