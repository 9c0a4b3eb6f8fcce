// The rate at which motions change the volume of phase space. [LJL21, Prop. 5].

#include "herglotz/mechanics/derive/volume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_systems.hpp"
#include "herglotz/error.hpp"
#include "mechanics/geometry_samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;

/// The divergence of a field in (x, w, z) that may depend on time, by the volume det W dx dy dz.
symbolic::Expr divergence_of(std::vector<symbolic::Expr> rates, const Equations& q) {
  symbolic::Graph& graph = q.L.graph();
  symbolic::Expr divergence = graph.number(std::int64_t{0});
  for (std::size_t i = 0; i < rates.size(); ++i) divergence += symbolic::derivative(rates[i], q.u[i]);
  rates.push_back(graph.number(std::int64_t{1}));
  Matrix slopes = q.W;
  slopes.entries = symbolic::directional_derivative(q.W.entries, q.u, rates);
  const Matrix relative = symbolic::solve(q.W, slopes);
  for (std::size_t a = 0; a < relative.rows; ++a) divergence += relative(a, a);
  return divergence;
}

class VolumeOnEveryAlgebroid : public testing::TestWithParam<samples::Kind> {};

// The divergence of the derived motion in (x, y, z), and the rate of log det W along it.
TEST_P(VolumeOnEveryAlgebroid, IsTheDivergenceOfTheDerivedMotion) {
  const System system = samples::generic_system(GetParam().algebroid);
  const Equations q = derive(system);
  const std::vector<symbolic::Expr> outputs{volume_rate(system, q), divergence_of(flow_program(system, q).outputs, q)};
  std::mt19937_64 engine(5);
  for (int k = 0; k < 4; ++k) {
    const auto v = symbolic::evaluate(outputs, samples::names_of(system, q), samples::random_point(system, q, engine));
    EXPECT_NEAR(v[0], v[1], 1e-10 * (1 + std::abs(v[1])));
  }
}

INSTANTIATE_TEST_SUITE_P(Algebroids, VolumeOnEveryAlgebroid, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& each) { return each.param.name; });

// The divergence of P(Gamma) by det W dx dy dz, with P from the fields Z_a and the matrix C; nonlinear constraints with
// time and action, and forces. [LJL21, Eqs. 75-81, Prop. 12].
TEST(VolumeRate, AlongConstraintsIsTheDivergenceOfTheProjectedMotion) {
  for (const auto& kind : samples::small_algebroids()) {
    System s = samples::driven_system(kind.algebroid);
    const auto& y = s.algebroid.y;
    constrain(s, Rule::nonholonomic, {y[0] * y[1] - s.z * y[0] / 3 + sin(s.t) - 0.4});
    const ConstrainedGeometry g = constrained_geometry(s);
    const Equations q = derive(s);
    samples::PointsOnConstraints points(s, g.Phi, 3);
    EXPECT_LT(points.largest({volume_rate(s, q) - divergence_of(g.dynamics.components, q)}, 1), 1e-7) << kind.name;
  }
  for (const auto& sample : samples::contact_systems()) {
    const Equations q = derive(sample.system);
    const auto motion = constrained_geometry(sample.system).dynamics.components;
    const symbolic::Expr rate = volume_rate(sample.system, q);
    EXPECT_LT(sample.largest({rate - divergence_of(motion, q)}), 1e-9) << sample.name;
  }
}

TEST(VolumeRate, IsRefusedUnderTheVakonomicRule) {
  System system = samples::generic_system(samples::every_algebroid().front().algebroid);
  constrain(system, Rule::vakonomic, {system.algebroid.y[0]});
  EXPECT_THROW(static_cast<void>(volume_rate(system, derive(system))), Refused);
}

}  // namespace
