#include "herglotz/geometry/calculus.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::Expr;
using samples::RandomPoints;

struct Tensors {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Chart u = samples::symbols(*graph, {"a", "b", "c"});
  Expr f = samples::read(*graph, "a^2*sin(b) + c*exp(a)", u);
  VectorField X = field({"b*c", "sin(a)", "1 + a*b"});
  VectorField Y = field({"c^2", "a - b", "cos(c)"});
  VectorField Z = field({"exp(b)", "a*c", "b^2"});
  OneForm alpha{u, field({"a*b", "c^2 - a", "sin(b)"}).components};
  OneForm beta{u, field({"c", "a*c", "exp(a)"}).components};
  Bivector Lambda{u, samples::read_matrix(*graph, {{"a", "b*c", "1"}, {"sin(c)", "0", "a*b"}, {"c", "b", "a^2"}}, u)};

  VectorField field(const std::vector<std::string>& texts) const {
    VectorField result{u, {}};
    for (const auto& text : texts) result.components.push_back(samples::read(*graph, text, u));
    return result;
  }
};

TEST(Calculus, DifferentialOfADifferentialVanishes) {
  const Tensors t;
  EXPECT_LT(RandomPoints(1).largest(differential(differential(t.u, t.f)).components.entries), 1e-13);
  EXPECT_GT(RandomPoints(1).largest(differential(t.alpha).components.entries), 0.1);
}

TEST(Calculus, DifferentialOfAOneFormIsThatOfItsValues) {
  const Tensors t;
  const Expr expected =
      apply(t.X, pair(t.alpha, t.Y)) - apply(t.Y, pair(t.alpha, t.X)) - pair(t.alpha, lie_bracket(t.X, t.Y));
  EXPECT_LT(RandomPoints(2).largest({pair(differential(t.alpha), t.X, t.Y) - expected}), 1e-13);
}

TEST(Calculus, BracketIsTheCommutatorAndObeysTheJacobiIdentity) {
  const Tensors t;
  const Expr commutator = apply(t.X, apply(t.Y, t.f)) - apply(t.Y, apply(t.X, t.f));
  EXPECT_LT(RandomPoints(3).largest({apply(lie_bracket(t.X, t.Y), t.f) - commutator}), 1e-13);
  const VectorField jacobi = lie_bracket(t.X, lie_bracket(t.Y, t.Z)) + lie_bracket(t.Y, lie_bracket(t.Z, t.X)) +
                             lie_bracket(t.Z, lie_bracket(t.X, t.Y));
  EXPECT_LT(RandomPoints(3).largest(jacobi.components), 1e-12);
}

TEST(Calculus, LieDerivativesAreDerivationsOfPairings) {
  const Tensors t;
  const Expr of_form =
      apply(t.X, pair(t.alpha, t.Y)) - pair(lie_derivative(t.X, t.alpha), t.Y) - pair(t.alpha, lie_bracket(t.X, t.Y));
  const Expr of_bivector =
      apply(t.X, pair(t.Lambda, t.alpha, t.beta)) - pair(lie_derivative(t.X, t.Lambda), t.alpha, t.beta) -
      pair(t.Lambda, lie_derivative(t.X, t.alpha), t.beta) - pair(t.Lambda, t.alpha, lie_derivative(t.X, t.beta));
  EXPECT_LT(RandomPoints(4).largest({of_form, of_bivector}), 1e-12);
}

}  // namespace
