#include "herglotz/mechanics/constrained_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "herglotz/geometry/distribution.hpp"
#include "mechanics/geometry_samples.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using geometry::ContactStructure;
using geometry::Distribution;
using geometry::DistributionKind;
using geometry::OneForm;
using geometry::Subspace;
using geometry::VectorField;
using samples::PointsOnConstraints;
using samples::RandomPoints;
using symbolic::Expr;

/// The rates that the saddle-point system gives, derived without any of this geometry.
VectorField flow_of(const System& s, const geometry::Chart& u) {
  auto rates = flow_program(s, derive(s)).outputs;
  rates.resize(u.size());
  return {u, rates};
}

class Nonholonomic : public testing::TestWithParam<samples::ConstrainedSample> {
 protected:
  void SetUp() override {
    // Each sample is derived once; every test makes the samples anew, so the first system stays with its geometry.
    static std::map<std::string, std::pair<System, ConstrainedGeometry>> derived;
    const auto& [name, system, integrable] = GetParam();
    if (derived.count(name) == 0) derived.emplace(name, std::pair(system, constrained_geometry(system)));
    s = derived.at(name).first;
    g = derived.at(name).second;
    flow = flow_of(s, g.free.u());
    E = g.free.energy;
    points.emplace(s, g.Phi, 31);
    const auto& u = g.free.u();
    f = u[0] * u[4] + sin(u[1]) * s.z;
    h = u[3] * u[5] - u[2] * u[2] / 2;
    k = cos(u[0]) + u[4] * s.z + u[5];
  }
  const ContactStructure& contact() const { return *g.free.contact; }
  OneForm d(Expr function) const { return geometry::differential(g.free.u(), function); }
  /// flat(X) - dE + (E + Reeb(E)) eta, of [LJL21, Eq. 67].
  OneForm dynamics_defect(const VectorField& X) const {
    return contact().flat(X) - d(E) + (E + contact().dissipation(E)) * contact().eta();
  }
  /// The largest part of the form outside the span of Phi^a_i dq^i, relative to it.
  double distance_from_constraint_forms(const OneForm& alpha) {
    double worst = 0;
    for (int sample = 0; sample < 3; ++sample) {
      const auto point = points->next();
      std::vector<std::vector<double>> span;
      for (const OneForm& form : g.forms) span.push_back(symbolic::evaluate(form.components, points->symbols(), point));
      const auto values = symbolic::evaluate(alpha.components, points->symbols(), point);
      worst = std::max(worst, Subspace::spanned_by(span, g.free.u().size()).distance(values));
    }
    return worst;
  }
  std::vector<Expr> minus(const VectorField& a, const VectorField& b) const { return (a - b).components; }

  System s;
  ConstrainedGeometry g;
  VectorField flow;
  Expr E, f, h, k;
  std::optional<PointsOnConstraints> points;
};

// [LJL21, Thm 8]: along the dynamics d p/dt - f - L_z p is a combination of the rows Phi_y, and Phi stays.
TEST_P(Nonholonomic, DynamicsSatisfiesTheConstrainedHerglotzEquations) {
  const Equations q = derive(s);
  std::vector<Expr> force;
  for (std::size_t j = 0; j < s.r(); ++j) force.push_back(apply(g.dynamics, q.p[j]) - q.f[j] - q.L_z * q.p[j]);
  for (int sample = 0; sample < 3; ++sample) {
    const auto point = points->next();
    std::vector<std::vector<double>> rows;
    for (std::size_t a = 0; a < q.m(); ++a) {
      std::vector<Expr> row;
      for (std::size_t j = 0; j < s.r(); ++j) row.push_back(q.Phi_y(a, j));
      rows.push_back(symbolic::evaluate(row, points->symbols(), point));
    }
    const auto values = symbolic::evaluate(force, points->symbols(), point);
    EXPECT_LT(Subspace::spanned_by(rows, s.r()).distance(values), 1e-9);
  }
  for (const Expr& Phi : g.Phi) EXPECT_LT(points->largest({apply(g.dynamics, Phi)}), 1e-11);
}

// [LJL21, Thm 9 and Eq. 81]: the solution of Eq. 67 is a SODE, tangent, and the projection of the free dynamics.
TEST_P(Nonholonomic, DynamicsIsTheProjectionOfTheFreeOne) {
  EXPECT_LT(points->largest(minus(g.dynamics, flow)), 1e-11);
  EXPECT_LT(points->largest(minus(g.project(g.free.energy_field), flow)), 1e-11);
  EXPECT_GT(points->largest(minus(g.free.energy_field, flow)), 1e-3);
  EXPECT_LT(distance_from_constraint_forms(dynamics_defect(flow)), 1e-9);
  for (std::size_t i = 0; i < s.n(); ++i)
    EXPECT_LT(points->largest({g.dynamics.components[i] - derive(s).x_dot[i]}), 1e-12);
}

// [LJL21, Eqs. 66, 73-75]: flat(Z_a) = Phi^a_i dq^i, which annihilates d/dw and d/dz; on a velocity it is Phi^a.
TEST_P(Nonholonomic, ConstraintFieldsAreTheSharpsOfTheConstraintForms) {
  for (std::size_t a = 0; a < g.Z.size(); ++a) {
    for (std::size_t A = s.n(); A < g.free.u().size(); ++A)
      EXPECT_LT(points->largest({g.forms[a].components[A]}), 1e-13);
    EXPECT_LT(RandomPoints(2).largest({pair(g.forms[a], g.free.energy_field) - g.Phi[a]}), 1e-11);
    EXPECT_LT(points->largest(minus(contact().sharp(g.forms[a]), g.Z[a])), 1e-11);
  }
}

// [LJL21, Remarks 2 and 4]: Delta^l is vertical, S is both its complements and horizontal.
TEST_P(Nonholonomic, ConstraintFieldsSpanTheComplementOfAVerticalDistribution) {
  const auto lifted = Distribution::annihilated_by(g.forms);
  const auto S = Distribution::spanned_by(g.Z);
  const auto v = points->next();
  const auto& symbols = points->symbols();
  EXPECT_EQ(kind_at(lifted, contact(), symbols, v), DistributionKind::vertical);
  EXPECT_EQ(kind_at(S, contact(), symbols, v), DistributionKind::horizontal);
  EXPECT_TRUE(same(left_complement(lifted, contact()).at(symbols, v), S.at(symbols, v)));
  EXPECT_TRUE(same(right_complement(lifted, contact()).at(symbols, v), S.at(symbols, v)));
  EXPECT_TRUE(lifted.at(symbols, v).contains(S.at(symbols, v)));  // Eq. 76
}

// [LJL21, Eqs. 78-80].
TEST_P(Nonholonomic, ProjectorIsIdempotentOntoTheTangentSpaceAlongTheConstraintFields) {
  Matrix square = multiply(g.P, g.P);
  for (std::size_t i = 0; i < square.entries.size(); ++i) square.entries[i] -= g.P.entries[i];
  EXPECT_LT(points->largest(square.entries), 1e-12);
  for (const VectorField& Z : g.Z) EXPECT_LT(points->largest(g.project(Z).components), 1e-12);
  for (const Expr& Phi : g.Phi) EXPECT_LT(points->largest(g.project(d(Phi)).components), 1e-12);
  const VectorField X = contact().hamiltonian_field(f);
  EXPECT_LT(points->largest(minus(g.project(X) + g.constraint_part(X), X)), 1e-12);
}

// [LJL21, Thm 11], with dE - (E + Reeb(E)) eta where Eq. 82 prints a plus.
TEST_P(Nonholonomic, FlatOfTheDynamicsIsTheProjectedRightHandSide) {
  const OneForm right = d(E) - (E + contact().dissipation(E)) * contact().eta();
  const OneForm projected = contact().flat(g.project(contact().sharp(right)));
  EXPECT_LT(points->largest((contact().flat(flow) - projected).components), 1e-10);
}

// [LJL21, Prop. 12], Eqs. 83a-83b, and that the Lie derivative by Q is a combination of the constraint forms.
TEST_P(Nonholonomic, ContactFormDissipatesUpToConstraintForms) {
  const OneForm& eta = contact().eta();
  const OneForm by_Q = lie_derivative(g.constraint_part(g.free.energy_field), eta);
  const OneForm defect = lie_derivative(g.dynamics, eta) + contact().dissipation(E) * eta + by_Q;
  EXPECT_LT(points->largest(defect.components), 1e-10);
  EXPECT_LT(distance_from_constraint_forms(by_Q), 1e-8);
  const Expr over_E = pow(E, -1);
  const OneForm scaled = lie_derivative(g.dynamics, over_E * eta) + over_E * by_Q;
  EXPECT_LT(points->largest(scaled.components), 1e-9);
}

// [LJL21, Prop. 12], Eq. 83c, with the factor n that is missing there:
// L Omega = -(n+1) Reeb(E) Omega - n eta ^ (d eta)^(n-1) ^ d beta, beta = L_Q(Gamma) eta; for every 2-form F
// n eta ^ (d eta)^(n-1) ^ F = (1/2) Lambda^BA F_AB Omega.
TEST_P(Nonholonomic, VolumeDissipatesUpToTheConstraintForms) {
  const OneForm beta = lie_derivative(g.constraint_part(g.free.energy_field), contact().eta());
  const Matrix F = differential(beta).components;
  Expr trace = s.graph().number(0);
  for (std::size_t A = 0; A < F.rows; ++A)
    for (std::size_t B = 0; B < F.cols; ++B) trace += contact().jacobi().Lambda.components(B, A) * F(A, B) / 2;
  const double n = static_cast<double>(s.n());
  const Expr expected = -(n + 1) * contact().dissipation(E) - trace;
  EXPECT_LT(points->largest({contact().divergence(g.dynamics) - expected}), 1e-9);
}

// [LJL21, Thm 13].
TEST_P(Nonholonomic, DynamicsIsCharacterisedByTheLieDerivativeOfTheContactForm) {
  const OneForm& eta = contact().eta();
  const Expr rate = contact().dissipation(E);
  const auto characterised = [&](const VectorField& X) {
    return std::max(distance_from_constraint_forms(lie_derivative(X, eta) + rate * eta),
                    points->largest({pair(eta, X) + E}));
  };
  const auto solves = [&](const VectorField& X) { return distance_from_constraint_forms(dynamics_defect(X)); };
  const VectorField along_S = g.dynamics + f * g.Z[0];
  const VectorField elsewhere = g.dynamics + h * contact().hamiltonian_field(k);
  EXPECT_LT(solves(g.dynamics), 1e-8);
  EXPECT_LT(characterised(g.dynamics), 1e-8);
  EXPECT_LT(solves(along_S), 1e-8);
  EXPECT_LT(characterised(along_S), 1e-8);
  EXPECT_GT(solves(elsewhere), 1e-3);
  EXPECT_GT(characterised(elsewhere), 1e-3);
}

// [LJL21, Thm 17], by Lemma 15: dE vanishes on S.
TEST_P(Nonholonomic, DynamicsIsTheConstrainedHamiltonianFieldOfTheEnergy) {
  for (const VectorField& Z : g.Z) EXPECT_LT(points->largest({apply(Z, E)}), 1e-11);
  EXPECT_LT(points->largest(minus(g.hamiltonian_field(E), flow)), 1e-10);
}

// [LJL21, Thm 18], first item.
TEST_P(Nonholonomic, ConstraintsAreCasimirsOfTheNonholonomicBracket) {
  for (const Expr& Phi : g.Phi) {
    EXPECT_LT(points->largest({g.bracket(Phi, f), g.bracket(h * Phi, k)}), 1e-10);
    EXPECT_GT(points->largest({g.free.jacobi.bracket(Phi, f), g.free.jacobi.bracket(h * Phi, k)}), 1e-3);
  }
}

// [LJL21, Thm 18], second item.
TEST_P(Nonholonomic, BracketWithTheEnergyIsTheEvolution) {
  for (const Expr& function : {f, h, k}) {
    const Expr evolution = g.bracket(E, function) + function * apply(g.jacobi.E, E);
    EXPECT_LT(points->largest({apply(flow, function) - evolution}), 1e-10);
  }
}

// [LJL21, Prop. 19], with g h Reeb(f) where Eq. 103 prints g h Reeb(h).
TEST_P(Nonholonomic, BracketIsSkewWithTheGeneralisedLeibnizRule) {
  EXPECT_LT(points->largest({g.bracket(f, h) + g.bracket(h, f)}), 1e-11);
  const Expr leibniz = h * g.bracket(f, k) + k * g.bracket(f, h) + h * k * apply(g.jacobi.E, f);
  EXPECT_LT(points->largest({g.bracket(f, h * k) - leibniz}), 1e-11);
}

// [LJL21, Prop. 21, Cor. 22].
TEST_P(Nonholonomic, ConstrainedHamiltonianFieldsAreProjectionsWithEtaMinusH) {
  const VectorField X = g.hamiltonian_field(f);
  EXPECT_LT(points->largest({pair(contact().eta(), X) + f}), 1e-11);
  const OneForm rest = d(f) - g.project(d(f));
  const VectorField projected =
      g.project(contact().hamiltonian_field(f)) - g.project(contact().jacobi().sharp(rest));  // Eq. 107
  EXPECT_LT(points->largest(minus(X, projected)), 1e-11);
  for (const Expr& Phi : g.Phi) EXPECT_LT(points->largest({apply(X, Phi)}), 1e-11);
}

// [LJL21, Thm 24]; the distribution on Q is judged by brackets of its fields, not by this geometry.
TEST_P(Nonholonomic, JacobiIdentityHoldsExactlyWhereTheDistributionIsInvolutive) {
  const auto on_Q = [&] {
    std::vector<OneForm> forms;
    for (const OneForm& form : g.forms)
      forms.push_back({s.algebroid.x, {form.components.begin(), form.components.begin() + 3}});
    return Distribution::annihilated_by(forms);
  }();
  const double jacobiator = points->largest({g.jacobiator(f, h, k)});
  const double defect = on_Q.involutivity_defect(points->symbols(), points->next());
  if (GetParam().integrable) {
    EXPECT_LT(jacobiator, 1e-9);
    EXPECT_LT(defect, 1e-9);
  } else {
    EXPECT_GT(jacobiator, 1e-3);
    EXPECT_GT(defect, 1e-3);
  }
}

// [LJL21, Prop. 23].
TEST_P(Nonholonomic, FieldsOfBracketsAreBracketsOfFieldsExactlyWhereTheJacobiIdentityHolds) {
  const auto defect =
      lie_bracket(g.hamiltonian_field(f), g.hamiltonian_field(h)) - g.hamiltonian_field(g.bracket(f, h));
  const double size = points->largest(defect.components);
  if (GetParam().integrable) {
    EXPECT_LT(size, 1e-9);
  } else {
    EXPECT_GT(size, 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Nonholonomic, testing::ValuesIn(samples::constrained_samples()),
                         [](const auto& given) { return given.param.name; });

// With time, forces and a nonlinear constraint: P of the free dynamics is the motion.
TEST(ConstrainedGeometry, ProjectedDynamicsIsTheMotionOnEveryAlgebroid) {
  for (const auto& kind : samples::every_algebroid()) {
    System s = samples::generic_system(kind.algebroid);
    if (s.r() < 2 || s.r() > 3) continue;
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
// in two dimensions, though the plane is no subalgebra.
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

std::string refusal(const System& s) {
  try {
    constrained_geometry(s);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ConstrainedGeometry, WhatHasNoProjectorIsRefused) {
  EXPECT_THAT(refusal(samples::particle_with({"u - v", "2*u - 2*v"})), testing::HasSubstr("constraint matrix C_ab"));
  System vakonomic = samples::particle_with({"u - v"});
  constrain(vakonomic, Rule::vakonomic, {vakonomic.algebroid.y[0]});
  EXPECT_THAT(refusal(vakonomic), testing::HasSubstr("got the vakonomic rule"));
  vakonomic.constraints = {};
  EXPECT_THAT(refusal(vakonomic), testing::HasSubstr("got none"));
}

}  // namespace
