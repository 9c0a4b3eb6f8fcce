#include "herglotz/geometry/contact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::Expr;
using samples::ContactSample;
using samples::RandomPoints;

class Contact : public testing::TestWithParam<ContactSample> {
 protected:
  const ContactSample& sample = GetParam();
  ContactStructure contact{sample.eta};
  Expr H = sample.functions[0];
  VectorField X_H = contact.hamiltonian_field(H);
  Expr dissipation = contact.dissipation(H);
  RandomPoints points{11};

  /// eta/H, which X_H preserves.
  ContactStructure scaled() const { return ContactStructure(sample.graph->number(1) / H * sample.eta); }
  std::vector<Expr> minus(const OneForm& a, const OneForm& b) const { return (a - b).components; }
  std::vector<Expr> minus(const VectorField& a, const VectorField& b) const { return (a - b).components; }
};

// [LJL21, Eq. 6].
TEST_P(Contact, ReebFieldIsInTheKernelOfDEtaAndEtaIsOneOnIt) {
  auto defects = contract(contact.reeb(), contact.d_eta()).components;
  defects.push_back(pair(contact.eta(), contact.reeb()) - 1.0);
  EXPECT_LT(points.largest(defects), 1e-12);
}

// [LJL21, Eq. 12], and flat(Reeb) = eta.
TEST_P(Contact, SharpIsTheInverseOfFlat) {
  const OneForm alpha = differential(contact.u(), sample.functions[1]);
  EXPECT_LT(points.largest(minus(contact.flat(contact.sharp(alpha)), alpha)), 1e-12);
  EXPECT_LT(points.largest(minus(contact.flat(contact.reeb()), contact.eta())), 1e-12);
}

// [LJL21, Eqs. 23a, 25].
TEST_P(Contact, BivectorIsMinusDEtaOfSharps) {
  const OneForm a = differential(contact.u(), sample.functions[1]);
  const OneForm b = differential(contact.u(), sample.functions[2]);
  const Expr defined = -pair(contact.d_eta(), contact.sharp(a), contact.sharp(b));
  EXPECT_LT(points.largest({pair(contact.jacobi().Lambda, a, b) - defined}), 1e-12);
  const VectorField by_sharp = contact.sharp(a) - pair(a, contact.reeb()) * contact.reeb();
  EXPECT_LT(points.largest(minus(contact.jacobi().sharp(a), by_sharp)), 1e-12);
}

// [LJL21, Eqs. 12, 25]: sharp = Lambda + E (x) E, so that the Jacobi structure knows its contact form.
TEST_P(Contact, FormIsThatOfItsJacobiStructure) {
  EXPECT_LT(points.largest(minus(contact_structure_of(contact.jacobi()).eta(), contact.eta())), 1e-10);
}

// [LJL21, Eqs. 21-22]: a contact structure is a Jacobi structure.
TEST_P(Contact, SchoutenConditionsHold) {
  EXPECT_LT(points.largest(contact.jacobi().skewness_defects()), 1e-10);
  EXPECT_LT(points.largest(contact.jacobi().schouten_defects()), 1e-10);
  EXPECT_LT(points.largest(contact.jacobi().invariance_defects()), 1e-10);
}

// [LJL21, Thm 3], with g h E(f) where Eq. 29 prints g h E(h).
TEST_P(Contact, BracketIsALieAlgebraWithTheGeneralisedLeibnizRule) {
  const auto& [f, g, h] = std::tie(sample.functions[0], sample.functions[1], sample.functions[2]);
  const JacobiStructure& J = contact.jacobi();
  EXPECT_LT(points.largest({J.jacobiator(f, g, h)}), 1e-10);
  EXPECT_LT(points.largest({J.bracket(f, g) + J.bracket(g, f)}), 1e-12);
  const Expr leibniz = g * J.bracket(f, h) + h * J.bracket(f, g) + g * h * apply(J.E, f);
  EXPECT_LT(points.largest({J.bracket(f, g * h) - leibniz}), 1e-11);
}

// [LJL21, Thm 3], the other way: what is not a Jacobi structure has no Lie bracket.
TEST_P(Contact, BracketOfAnotherFieldBreaksTheJacobiIdentityAndTheSchoutenConditions) {
  JacobiStructure broken = contact.jacobi();
  broken.E = sample.functions[1] * broken.E;
  EXPECT_GT(points.largest({broken.jacobiator(sample.functions[0], sample.functions[1], sample.functions[2])}), 1e-3);
  EXPECT_GT(points.largest(broken.schouten_defects()) + points.largest(broken.invariance_defects()), 1e-3);
}

// [LJL21, Prop. 4]: the definition, Eqs. 31a-31b, 32a-32b, 33 and 34a.
TEST_P(Contact, HamiltonianFieldHasAllItsCharacterisations) {
  const OneForm dH = differential(contact.u(), H);
  const OneForm& eta = contact.eta();
  EXPECT_LT(points.largest(minus(contact.flat(X_H), dH - (dissipation + H) * eta)), 1e-12);
  EXPECT_LT(points.largest({pair(eta, X_H) + H}), 1e-12);
  EXPECT_LT(points.largest(minus(contract(X_H, contact.d_eta()), dH - dissipation * eta)), 1e-12);
  const OneForm scaled = sample.graph->number(-1) * dissipation * eta;
  EXPECT_LT(points.largest(minus(lie_derivative(X_H, eta), scaled)), 1e-11);
  const VectorField by_sharp = contact.jacobi().sharp(dH) - H * contact.reeb();
  EXPECT_LT(points.largest(minus(X_H, by_sharp)), 1e-12);
}

// [LJL21, Prop. 5], Eq. 35.
TEST_P(Contact, EnergyDissipates) {
  EXPECT_LT(points.largest({apply(X_H, H) + dissipation * H}), 1e-11);
  EXPECT_GT(points.largest({apply(X_H, H)}), 1e-3);
}

// [LJL21, Prop. 5], Eq. 39.
TEST_P(Contact, VolumeDissipates) {
  const double factor = static_cast<double>(contact.n() + 1);
  EXPECT_LT(points.largest({contact.divergence(X_H) + factor * dissipation}), 1e-10);
}

// The divergence by the density: d_A(density X^A)/density.
TEST_P(Contact, DivergenceIsThatOfTheContactVolume) {
  const Expr density = contact.volume();
  const VectorField X = sample.functions[1] * contact.hamiltonian_field(sample.functions[2]);
  Expr expected = sample.graph->number(0);
  for (std::size_t A = 0; A < X.u.size(); ++A)
    expected += apply(coordinate_field(X.u, A), density * X.components[A]) / density;
  EXPECT_LT(points.largest({contact.divergence(X) - expected}), 1e-10);
}

// [LJL21, Prop. 5], Eqs. 37-38 and 40-41, and -X_H is the Reeb field of eta/H.
TEST_P(Contact, FieldPreservesEtaOverH) {
  const ContactStructure other = scaled();
  EXPECT_LT(points.largest(lie_derivative(X_H, other.eta()).components), 1e-11);
  EXPECT_LT(points.largest(minus(other.reeb(), sample.graph->number(-1) * X_H)), 1e-11);
  EXPECT_LT(points.largest({other.divergence(X_H)}), 1e-10);
  const auto power = static_cast<int>(contact.n() + 1);
  EXPECT_LT(points.largest({other.volume() - contact.volume() / pow(H, power)}), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Forms, Contact, testing::ValuesIn(samples::contact_samples()),
                         [](const auto& given) { return given.param.name; });

// [LJL21, Eq. 10]: the density of dz ^ dq ^ dp ^ ... is n! up to the order of the coordinates.
TEST(ContactForm, CanonicalOneHasTheVolumeOfDarbouxCoordinates) {
  auto graph = std::make_shared<Graph>();
  const auto x = samples::symbols(*graph, {"q1", "q2", "q3"});
  const auto p = samples::symbols(*graph, {"p1", "p2", "p3"});
  const ContactStructure contact(canonical_contact_form(x, p, graph->symbol("z")));
  ASSERT_TRUE(contact.volume().is_number());
  EXPECT_EQ(std::abs(contact.volume().value()), 6);
  EXPECT_EQ(contact.n(), 3U);
  // {q, p} = -1, {q, z} = -q, {p, z} = 0, {1, z} = -1.
  const JacobiStructure& J = contact.jacobi();
  EXPECT_TRUE(J.bracket(x[0], p[0]).is_integer(-1));
  EXPECT_TRUE(J.bracket(x[0], p[1]).is_zero());
  EXPECT_LT(RandomPoints(1).largest({J.bracket(x[1], contact.u().back()) + x[1]}), 1e-15);
  EXPECT_LT(RandomPoints(1).largest({J.bracket(p[1], contact.u().back())}), 1e-15);
  EXPECT_TRUE(J.bracket(graph->number(1), contact.u().back()).is_integer(-1));
}

std::string refusal(const OneForm& eta) {
  try {
    const ContactStructure contact(eta);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ContactForm, FormsThatAreNotContactAreRefused) {
  auto graph = std::make_shared<Graph>();
  const Chart u = samples::symbols(*graph, {"a", "b", "c"});
  OneForm closed = differential(u, samples::read(*graph, "c + a*b", u));
  EXPECT_THAT(refusal(closed), testing::HasSubstr("expected eta with a volume eta ^ (d eta)^1"));
  const Chart even = samples::symbols(*graph, {"a", "b"});
  EXPECT_THAT(refusal(differential(even, even[0])), testing::HasSubstr("odd number of coordinates"));
}

std::string refusal(const JacobiStructure& jacobi) {
  try {
    contact_structure_of(jacobi);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ContactForm, JacobiStructuresOfNoContactFormAreRefused) {
  auto graph = std::make_shared<Graph>();
  const Chart u = samples::symbols(*graph, {"q", "p", "z"});
  const Expr zero = graph->number(std::int64_t{0});
  JacobiStructure jacobi = ContactStructure(canonical_contact_form({u[0]}, {u[1]}, u[2])).jacobi();
  EXPECT_EQ(refusal(jacobi), "accepted");
  jacobi.Lambda.components(0, 1) = u[0] * jacobi.Lambda.components(0, 1);
  jacobi.Lambda.components(1, 0) = u[0] * jacobi.Lambda.components(1, 0);
  EXPECT_EQ(refusal(jacobi), "accepted");  // that of dz - (p/q) dq
  jacobi.Lambda.components(1, 2) = u[0] * jacobi.Lambda.components(1, 2);
  jacobi.Lambda.components(2, 1) = u[0] * jacobi.Lambda.components(2, 1);
  EXPECT_THAT(refusal(jacobi), testing::HasSubstr("is not the Jacobi structure of the form"));
  jacobi.E.components.assign(3, zero);
  EXPECT_THAT(refusal(jacobi), testing::HasSubstr("is singular everywhere"));
  const Chart plane{u[0], u[1]};
  EXPECT_THAT(refusal({{plane, Matrix(2, 2, zero)}, {plane, {zero, zero}}}), testing::HasSubstr("odd number"));
}

}  // namespace
