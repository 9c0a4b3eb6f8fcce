#include "herglotz/mechanics/contact_structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mechanics/geometry_samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using geometry::VectorField;
using samples::flow_of;
using samples::RandomPoints;
using symbolic::Expr;

System unconstrained(System s) {
  s.constraints = {};
  return s;
}

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
TEST(ContactGeometry, FreeDynamicsWithTimeAndForcesIsTheMotionOnEveryKindOfAlgebroid) {
  for (const auto& kind : samples::small_algebroids()) {
    const System s = samples::driven_system(kind.algebroid);
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
