// The rate at which motions change the volume of phase space. [LJL21, Prop. 5].

#include "herglotz/mechanics/derive/volume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/error.hpp"
#include "samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;

class VolumeOnEveryAlgebroid : public testing::TestWithParam<samples::Kind> {};

// The divergence of the derived motion in (x, y, z), and the rate of log det W along it.
TEST_P(VolumeOnEveryAlgebroid, IsTheDivergenceOfTheDerivedMotion) {
  const System system = samples::generic_system(GetParam().algebroid);
  const auto& e = system.algebroid;
  for (std::size_t k = 0; k < e.rho.entries.size(); ++k)
    if (!(e.rho.entries[k] - e.sigma.entries[k]).is_zero()) GTEST_SKIP() << "two anchors keep no volume law";
  const Equations q = derive(system);
  std::vector<symbolic::Expr> rates = flow_program(system, q).outputs;
  symbolic::Expr divergence = system.graph().number(std::int64_t{0});
  for (std::size_t i = 0; i < rates.size(); ++i) divergence += symbolic::derivative(rates[i], q.u[i]);
  rates.push_back(system.graph().number(std::int64_t{1}));
  Matrix slopes = q.W;
  slopes.entries = symbolic::directional_derivative(q.W.entries, q.u, rates);
  const Matrix relative = symbolic::solve(q.W, slopes);
  for (std::size_t a = 0; a < system.r(); ++a) divergence += relative(a, a);
  const std::vector<symbolic::Expr> outputs{volume_rate(system, q), divergence};
  std::mt19937_64 engine(5);
  for (int k = 0; k < 4; ++k) {
    const auto v = symbolic::evaluate(outputs, samples::names_of(system, q), samples::random_point(system, q, engine));
    EXPECT_NEAR(v[0], v[1], 1e-10 * (1 + std::abs(v[1])));
  }
}

INSTANTIATE_TEST_SUITE_P(Algebroids, VolumeOnEveryAlgebroid, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& each) { return each.param.name; });

TEST(VolumeRate, IsRefusedWithConstraints) {
  System system = samples::generic_system(samples::every_algebroid().front().algebroid);
  constrain(system, Rule::nonholonomic, {system.algebroid.y[0]});
  EXPECT_THROW(static_cast<void>(volume_rate(system, derive(system))), Refused);
}

}  // namespace
