#include "herglotz/geometry/jacobi.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"
#include "herglotz/geometry/axioms.hpp"
#include "herglotz/symbolic/derivative.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::Expr;
using samples::RandomPoints;

class LinearJacobi : public testing::TestWithParam<samples::Kind> {
 protected:
  void SetUp() override {
    for (const Expr& y : e.y) p.push_back(e.graph->symbol("p_" + std::string(y.name())));
    z = e.graph->symbol("z");
    jacobi = linear_jacobi_structure(e, p, z);
    H = cos(z) / 3 + z * z / 5;
    for (std::size_t a = 0; a < p.size(); ++a) H += p[a] * p[a] * (1.0 + z / 4) / 2 + p[a] * p[(a + 1) % p.size()] / 5;
    for (const Expr& x : e.x) H += sin(x) * p[0] + x * x / 3;
    f = p[0] * p.back() + z;
    g = e.x.empty() ? p[0] + p[1] * z : e.x[0] * p[1] - z * z;
    h = e.x.empty() ? p.back() * p[0] * z : sin(e.x.back()) + p[0] * z;
    const std::vector<double> centre(e.n(), 0.5);
    axioms = check_axioms(e, {}, {}, centre);
  }

  const Algebroid& e = GetParam().algebroid;
  std::vector<Expr> p;
  Expr z;
  JacobiStructure jacobi;
  Expr H, f, g, h;
  AxiomDefects axioms;
  RandomPoints points{3};
};

// Theory, Sec. 2, with y = H_p, L = p.y - H: the equations that mechanics derives on every algebroid.
TEST_P(LinearJacobi, HamiltonianFieldsAreTheHamiltonHerglotzEquations) {
  const VectorField X = jacobi.hamiltonian_field(H);
  const auto y = herglotz::symbolic::gradient(H, p);
  const auto H_x = herglotz::symbolic::gradient(H, e.x);
  const Expr H_z = derivative(H, z);
  std::vector<Expr> expected;
  for (std::size_t i = 0; i < e.n(); ++i) {
    expected.push_back(e.graph->number(0));
    for (std::size_t a = 0; a < e.r(); ++a) expected.back() += e.rho(i, a) * y[a];
  }
  for (std::size_t j = 0; j < e.r(); ++j) {
    expected.push_back(-H_z * p[j]);
    for (std::size_t i = 0; i < e.r(); ++i)
      for (std::size_t k = 0; k < e.r(); ++k) expected.back() += e.c(k, i, j) * y[i] * p[k];
    for (std::size_t i = 0; i < e.n(); ++i) expected.back() -= e.sigma(i, j) * H_x[i];
  }
  expected.push_back(-H);
  for (std::size_t a = 0; a < e.r(); ++a) expected.back() += p[a] * y[a];
  EXPECT_LT(points.largest((X - VectorField{X.u, expected}).components), 1e-12);
}

// [LJL21, Def. 7].
TEST_P(LinearJacobi, IsAlmostJacobiExactlyForSkewAlgebroids) {
  const bool skew = axioms.algebroid_class != AlgebroidClass::general;
  const double defect = points.largest(jacobi.skewness_defects());
  if (skew) {
    EXPECT_LT(defect, 1e-12);
  } else {
    EXPECT_GT(defect, 1e-2);
  }
}

// [LJL21, Thm 3]: the Jacobi identity, the Schouten conditions, and here the axioms of a Lie algebroid.
TEST_P(LinearJacobi, IsJacobiExactlyForLieAlgebroids) {
  if (axioms.algebroid_class == AlgebroidClass::general) {
    EXPECT_GT(points.largest({jacobi.bracket(f, g) + jacobi.bracket(g, f)}), 1e-3);
    return;
  }
  const bool lie = axioms.algebroid_class == AlgebroidClass::lie;
  const double jacobiator = points.largest({jacobi.jacobiator(f, g, h)});
  const double schouten = points.largest(jacobi.schouten_defects());
  EXPECT_LT(points.largest(jacobi.invariance_defects()), 1e-12);
  if (lie) {
    EXPECT_LT(jacobiator, 1e-10);
    EXPECT_LT(schouten, 1e-10);
  } else {
    EXPECT_GT(jacobiator, 1e-4);
    EXPECT_GT(schouten, 1e-4);
  }
}

// [LJL21, Eq. 35] with Lambda(dH, dH), which is c^k_ij y^i y^j p_k + (rho - sigma) y H_x. Theory, Sec. 3.
TEST_P(LinearJacobi, EnergyChangesByDissipationAndBySkewnessDefects) {
  const auto y = herglotz::symbolic::gradient(H, p);
  const auto H_x = herglotz::symbolic::gradient(H, e.x);
  Expr source = e.graph->number(0);
  for (std::size_t i = 0; i < e.r(); ++i)
    for (std::size_t j = 0; j < e.r(); ++j)
      for (std::size_t k = 0; k < e.r(); ++k) source += e.c(k, i, j) * y[i] * y[j] * p[k];
  for (std::size_t a = 0; a < e.n(); ++a)
    for (std::size_t j = 0; j < e.r(); ++j) source += (e.rho(a, j) - e.sigma(a, j)) * y[j] * H_x[a];
  const Expr rate = apply(jacobi.hamiltonian_field(H), H);
  EXPECT_LT(points.largest({rate + derivative(H, z) * H - source}), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Kinds, LinearJacobi, testing::ValuesIn([] {
                           auto kinds = samples::every_algebroid();
                           std::erase_if(kinds, [](const auto& kind) { return kind.algebroid.r() < 2; });
                           return kinds;
                         }()),
                         [](const auto& given) { return given.param.name; });

TEST(LinearJacobiStructure, NeedsAsManyMomentaAsTheRank) {
  auto graph = std::make_shared<Graph>();
  const auto e = tangent(graph, {samples::symbols(*graph, {"x"}), samples::symbols(*graph, {"y"})});
  EXPECT_THROW(linear_jacobi_structure(e, {}, graph->symbol("z")), std::invalid_argument);
}

}  // namespace
