#include "herglotz/mechanics/constrained_geometry.hpp"

#include <gtest/gtest.h>

#include "mechanics/geometry_samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using geometry::VectorField;
using samples::flow_of;
using samples::PointsOnConstraints;
using symbolic::Expr;

// [LJL21, Prop. 23]; Thm 24 with the nonholonomic bracket in place of the distribution.
TEST(ConstrainedGeometry, FieldsOfBracketsAreBracketsOfFieldsExactlyWhereTheJacobiIdentityHolds) {
  const auto defect = [](const std::string& constraint) {
    const System s = samples::particle_with({constraint});
    const ConstrainedGeometry g = constrained_geometry(s);
    const auto& u = g.free.u();
    const Expr f = u[0] * u[4] + sin(u[1]) * s.z;
    const Expr h = u[3] * u[5] - u[2] * u[2] / 2;
    const VectorField difference =
        lie_bracket(g.hamiltonian_field(f), g.hamiltonian_field(h)) - g.hamiltonian_field(g.bracket(f, h));
    return PointsOnConstraints(s, g.Phi, 4).largest(difference.components);
  };
  EXPECT_LT(defect("a*u + b*v + c*w"), 1e-9);
  EXPECT_GT(defect("w - b*u"), 1e-3);
}

// With time, forces and a nonlinear constraint: P of the free dynamics is the motion.
TEST(ConstrainedGeometry, ProjectedDynamicsIsTheMotionOnEveryKindOfAlgebroid) {
  for (const auto& kind : samples::small_algebroids()) {
    System s = samples::driven_system(kind.algebroid);
    const auto& y = s.algebroid.y;
    constrain(s, Rule::nonholonomic, {y[0] * y[1] - s.z * y[0] / 3 + sin(s.t) - 0.4});
    const ConstrainedGeometry g = constrained_geometry(s);
    PointsOnConstraints points(s, g.Phi, 3);
    EXPECT_LT(points.largest((g.dynamics - flow_of(s, g.free.u())).components, 1), 1e-7) << kind.name;
  }
}

// Lemma 15 needs constraints that are homogeneous in the velocities: others let their forces do work.
TEST(ConstrainedGeometry, EnergyGeneratesTheDynamicsForHomogeneousConstraintsOnly) {
  const auto defect = [](const std::string& constraint) {
    const System s = samples::particle_with({constraint});
    const ConstrainedGeometry g = constrained_geometry(s);
    PointsOnConstraints points(s, g.Phi, 5);
    const VectorField flow = flow_of(s, g.free.u());
    EXPECT_LT(points.largest((g.dynamics - flow).components), 1e-9) << constraint;
    return points.largest((g.hamiltonian_field(g.free.energy) - flow).components);
  };
  EXPECT_LT(defect("w^2 - (1 + a)*(u^2 + v^2)"), 1e-9);
  EXPECT_GT(defect("w - b*u - 1/2"), 1e-3);
}

// A velocity-free equation enters by its derivative, and its leaves carry a Jacobi structure. [LJL21, Thm 24].
TEST(ConstrainedGeometry, HolonomicConstraintsKeepTheJacobiIdentity) {
  const System s = samples::particle_with({"a^2 + b^2 + c^2 - 1"});
  const ConstrainedGeometry g = constrained_geometry(s);
  PointsOnConstraints points(s, g.Phi, 6);
  const auto& u = g.free.u();
  EXPECT_LT(points.largest({g.jacobiator(u[0] * u[4], u[3] * u[5], u[4] + s.z)}), 1e-9);
}

// Thm 24 needs an injective anchor. On so(3) the bracket projected to a plane is a Lie bracket, like every skew bracket
// in two dimensions, though the plane is not a subalgebra.
TEST(ConstrainedGeometry, SuslovProblemSatisfiesTheJacobiIdentityWithoutInvolutivity) {
  auto graph = std::make_shared<symbolic::Graph>();
  const auto so3 = geometry::lie_algebra(graph, {{}, samples::symbols(*graph, {"w1", "w2", "w3"})},
                                         geometry::group_structure(*graph, "so3", 3));
  const System s = samples::system_on(so3, "(2*w1^2 + 3*w2^2 + 4*w3^2 + w1*w3/2 + w2*w3/3)/2 - z/4", {"w3"});
  const ConstrainedGeometry g = constrained_geometry(s);
  EXPECT_FALSE(g.free.contact);
  PointsOnConstraints points(s, g.Phi, 8);
  const auto& u = g.free.u();
  EXPECT_LT(points.largest({g.jacobiator(u[0], u[1], s.z), g.jacobiator(u[0] * u[1], u[1] * s.z, u[0])}), 1e-11);
  EXPECT_GT(points.largest({g.bracket(u[0], u[1])}), 1e-3);
  EXPECT_LT(points.largest((g.hamiltonian_field(g.free.energy) - flow_of(s, u)).components), 1e-11);
}

}  // namespace
