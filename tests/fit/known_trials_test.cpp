// Fits that know trials from before.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

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

/// Measurements of a pendulum, to be fitted.
fit::Request pendulum_request() {
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
  return asked;
}

/// Fits once without and three times with what is known, which is half of it at last.
std::map<std::vector<double>, fit::Evaluation> expect_same_bits(fit::Request asked) {
  const simulate::Simulator simulator(damped_pendulum(2));
  std::vector<double> told;
  asked.tried = [&](double chi_squared) { told.push_back(chi_squared); };
  const auto fitted = [&] {
    told.clear();
    return fit::fit(simulator, asked);
  };
  const auto plain = fitted();
  const std::vector<double> tried = told;
  EXPECT_GT(tried.size(), 5U);
  const auto is_found = [&](double one) { return std::abs(one - plain.chi_squared) < 1e-6; };
  EXPECT_TRUE(std::any_of(tried.begin(), tried.end(), is_found)) << plain.chi_squared;
  Remembered known;
  asked.known = &known;
  const auto first = fitted();
  const std::size_t trials = known.added;
  EXPECT_GT(trials, 20U);
  const auto second = fitted();
  EXPECT_EQ(told, tried) << "known trials are told too";
  EXPECT_EQ(known.added, trials);
  Remembered half;
  half.trials = known.trials;
  asked.known = &half;
  half.trials.erase(std::next(half.trials.begin(), static_cast<std::ptrdiff_t>(half.trials.size() / 2)),
                    half.trials.end());
  const auto third = fitted();
  EXPECT_GT(half.added, 0U);
  for (const auto* found : {&first, &second, &third}) {
    EXPECT_EQ(found->iterations, plain.iterations);
    EXPECT_EQ(found->chi_squared, plain.chi_squared);
    EXPECT_EQ(found->covariance, plain.covariance);
    for (std::size_t p = 0; p < plain.profiles.size(); ++p) EXPECT_EQ(found->profiles[p].rise, plain.profiles[p].rise);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(found->estimates[k].value, plain.estimates[k].value);
  }
  return known.trials;
}

}  // namespace

// Parts of the data, several weighings and a profile.
TEST(KnownTrials, LeadToTheSameBitsWithoutTheirRuns) {
  fit::Request asked = pendulum_request();
  asked.profiles = {"k"};
  asked.parts = 2;
  expect_same_bits(std::move(asked));
}

TEST(KnownTrials, AreShotsToo) {
  fit::Request asked = pendulum_request();
  asked.shots = 3;
  const auto known = expect_same_bits(std::move(asked));
  // Shots have keys that begin with minus infinity, their run, and the rows of the data between which they go.
  std::set<std::vector<double>> of_shots;
  for (const auto& [key, found] : known)
    if (std::isinf(key.front())) of_shots.insert({key.begin() + 1, key.begin() + 4});
  EXPECT_EQ(of_shots, (std::set<std::vector<double>>{{0, 0, 9}, {0, 9, 19}, {0, 19, 29}}));
}
