#include "herglotz/mechanics/contact_structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mechanics/geometry_samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using geometry::ContactStructure;
using geometry::VectorField;
using samples::RandomPoints;
using symbolic::Expr;

System unconstrained(System s) {
  s.constraints = {};
  return s;
}

VectorField flow_of(const System& s, const geometry::Chart& u) {
  auto rates = flow_program(s, derive(s)).outputs;
  rates.resize(u.size());
  return {u, rates};
}

class ContactSystem : public testing::TestWithParam<samples::ConstrainedSample> {
 protected:
  void SetUp() override {
    s = unconstrained(GetParam().system);
    g = phase_geometry(s);
  }
  System s;
  PhaseGeometry g;
  RandomPoints points{7};
};

TEST_P(ContactSystem, JacobiStructureInClosedFormIsThatOfTheContactForm) {
  ASSERT_TRUE(g.contact);
  const auto alpha = geometry::differential(g.u(), sin(g.u()[0]) * g.u()[4] + g.u().back() * g.u()[1]);
  EXPECT_LT(points.largest((g.contact->flat(g.contact->sharp(alpha)) - alpha).components), 1e-12);
  auto defects = contract(g.contact->reeb(), g.contact->d_eta()).components;
  defects.push_back(pair(g.contact->eta(), g.contact->reeb()) - 1.0);
  EXPECT_LT(points.largest(defects), 1e-12);
  EXPECT_LT(points.largest(g.jacobi.schouten_defects()), 1e-10);
}

// [LJL21, Eq. 47]: d/dz - W^ij L_jz d/dy^i.
TEST_P(ContactSystem, ReebFieldIsItsClosedForm) {
  const Equations q = derive(s);
  std::vector<Expr> p_z;
  for (const Expr& p : q.p) p_z.push_back(derivative(p, s.z));
  VectorField expected = geometry::coordinate_field(g.u(), g.u().size() - 1);
  const auto moved = multiply(g.W_inverse, p_z);
  for (std::size_t i = 0; i < s.r(); ++i) expected.components[s.n() + i] = -moved[i];
  EXPECT_LT(points.largest((g.contact->reeb() - expected).components), 1e-12);
}

// [LJL21, Thm 7]: X_E is a SODE, and its integral curves satisfy the Herglotz equations.
TEST_P(ContactSystem, EnergyFieldIsASodeAndTheHerglotzDynamics) {
  const Equations q = derive(s);
  std::vector<Expr> defects;
  for (std::size_t i = 0; i < s.n(); ++i) defects.push_back(g.energy_field.components[i] - q.x_dot[i]);
  for (std::size_t j = 0; j < s.r(); ++j)
    defects.push_back(apply(g.energy_field, q.p[j]) - q.f[j] - q.L_z * q.p[j]);  // [LJL21, Eq. 57]
  defects.push_back(g.energy_field.components.back() - q.L);
  EXPECT_LT(points.largest(defects), 1e-11);
  const auto flat_defect = g.contact->flat(g.energy_field) - geometry::differential(g.u(), g.energy) +
                           (g.contact->dissipation(g.energy) + g.energy) * g.contact->eta();
  EXPECT_LT(points.largest(flat_defect.components), 1e-11);
}

// [LJL21, Prop. 5] for E_L, with Reeb(E_L) = -L_z.
TEST_P(ContactSystem, EnergyAndVolumeDissipateAtTheRateOfTheLagrangian) {
  const Equations q = derive(s);
  EXPECT_LT(points.largest({g.contact->dissipation(g.energy) + q.L_z}), 1e-12);
  EXPECT_LT(points.largest({apply(g.energy_field, g.energy) - q.L_z * g.energy}), 1e-11);
  const double n = static_cast<double>(s.n());
  EXPECT_LT(points.largest({g.contact->divergence(g.energy_field) - (n + 1) * q.L_z}), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Samples, ContactSystem, testing::ValuesIn(samples::constrained_samples()),
                         [](const auto& given) { return given.param.name; });

// The pull-back by p = dL/dy of the brackets of T*Q x R.
TEST(ContactGeometry, LegendreMapCarriesBracketsToBrackets) {
  const System lagrangian = unconstrained(samples::particle_with({"u"}));
  const System hamiltonian = legendre_transform(lagrangian).value();
  const PhaseGeometry g = phase_geometry(lagrangian);
  const PhaseGeometry h = phase_geometry(hamiltonian);
  const auto& p = hamiltonian.p;
  const auto& x = hamiltonian.algebroid.x;
  const Expr f = p[0] * p[1] + x[0] * hamiltonian.z;
  const Expr k = sin(x[1]) * p[2] + hamiltonian.z * p[0];
  const auto momenta = derive(lagrangian).p;
  const auto along = [&](Expr function) { return symbolic::substitute(function, p, momenta); };
  EXPECT_LT(RandomPoints(3).largest({g.jacobi.bracket(along(f), along(k)) - along(h.jacobi.bracket(f, k))}), 1e-11);
}

// With time and forces: the geometry and the saddle-point system have one motion.
TEST(ContactGeometry, FreeDynamicsIsTheMotionOnEveryAlgebroid) {
  for (const auto& kind : samples::every_algebroid()) {
    if (kind.algebroid.r() > 3) continue;
    const System s = samples::generic_system(kind.algebroid);
    const PhaseGeometry g = phase_geometry(s);
    EXPECT_LT(RandomPoints(5).largest((g.free_dynamics - flow_of(s, g.u())).components), 1e-9) << kind.name;
    const bool tangent = kind.name == "tangent" || kind.name == "hamel";
    EXPECT_EQ(g.contact.has_value(), tangent) << kind.name;
  }
}

TEST(ContactGeometry, LagrangianThatIsRegularNowhereIsRefused) {
  System s = unconstrained(samples::particle_with({"u"}));
  s.generator = s.algebroid.y[0] * s.algebroid.y[1] - s.z;
  try {
    phase_geometry(s);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("contact geometry: velocity Hessian"));
  }
}

}  // namespace
