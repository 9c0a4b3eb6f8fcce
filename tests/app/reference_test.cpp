#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "herglotz/analyse/order.hpp"
#include "herglotz/io/model_file.hpp"
#include "herglotz/simulate/simulate.hpp"
#include "reference_case.hpp"

namespace {

using namespace herglotz;
using app::testing::ReferenceCase;
using app::testing::ReferenceState;

class Reference : public ::testing::TestWithParam<ReferenceCase> {};

/// The largest |difference| at the end of a run, relative to values above 1.
double error(const analyse::Trajectory& run, const ReferenceState& expected) {
  double largest = 0;
  for (const auto& [name, value] : expected.values) {
    const double difference = std::abs(run[name].back() - value) / std::max(1.0, std::abs(value));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

simulate::Settings settings(std::string method, double t_end) {
  simulate::Settings s;
  s.method = std::move(method);
  s.t_end = t_end;
  s.output_every = 1'000'000;
  return s;
}

}  // namespace

TEST_P(Reference, IsReproducedToTenDigitsByTheReferenceMethod) {
  const auto problem = io::parse_model(GetParam().model, GetParam().name + ".toml");
  const simulate::Simulator simulator(problem.system);
  for (const auto& expected : GetParam().states) {
    auto s = settings("reference", expected.t);
    s.tolerance = 1e-13;
    EXPECT_LT(error(simulator.run(problem.initial, s), expected), 1e-10) << "t = " << expected.t;
  }
}

TEST_P(Reference, IsReproducedByTheContactMethodsAtTheirOrder) {
  const auto problem = io::parse_model(GetParam().model, GetParam().name + ".toml");
  const simulate::Simulator simulator(problem.system);
  const auto expected = std::find_if(GetParam().states.begin(), GetParam().states.end(),
                                     [](const ReferenceState& s) { return s.t >= 1; });
  ASSERT_NE(expected, GetParam().states.end());
  constexpr double floor = 2e-12;
  for (const int order : {2, 4, 6}) {
    std::vector<double> steps;
    std::vector<double> errors;
    for (double step = expected->t / std::ceil(expected->t * 6); step > 4e-4; step /= 2) {
      auto s = settings(fmt::format("contact-gauss-{}", order), expected->t);
      s.step = step;
      steps.push_back(step);
      errors.push_back(error(simulator.run(problem.initial, s), *expected));
      if (errors.back() < floor) break;
    }
    EXPECT_LT(errors.back(), order == 2 ? 1e-6 : 1e-10) << "order " << order;
    // The coarsest steps are not asymptotic; motions that the method follows exactly leave nothing to fit.
    const std::size_t usable =
        static_cast<std::size_t>(std::count_if(errors.begin(), errors.end(), [](double e) { return e > floor; }));
    if (usable < 3) continue;
    const std::size_t skipped = std::min<std::size_t>(usable - 3, 2);
    const auto fit = analyse::fit_order(std::span(steps).subspan(skipped), std::span(errors).subspan(skipped), floor);
    // The bound has one side: the leading error of a method may vanish along one motion. The law suite bounds both.
    EXPECT_GT(fit.order, order - 0.2) << "contact-gauss-" << order;
  }
}

INSTANTIATE_TEST_SUITE_P(Unconstrained, Reference, ::testing::ValuesIn(app::testing::reference_cases()),
                         [](const auto& each) { return each.param.name; });
