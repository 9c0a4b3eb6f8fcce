// The theorems of [LJL21] on contact systems with nonholonomic constraints; those that need no constraints and no
// Lagrangian are in tests/geometry. Statements along the constraint are taken at points with Phi = 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "contact_systems.hpp"
#include "herglotz/geometry/distribution.hpp"
#include "herglotz/mechanics/constrained_geometry.hpp"
#include "motion.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::mechanics;
using geometry::apply;
using geometry::Distribution;
using geometry::OneForm;
using geometry::Subspace;
using geometry::VectorField;
using samples::ContactSystem;
using samples::Flow;
using samples::joined;
using samples::Values;

struct SampleWithGeometry {
  ContactSystem sample;
  ConstrainedGeometry geometry = constrained_geometry(sample.system);
};

/// Each derived once.
const SampleWithGeometry& case_of(const std::string& name) {
  static std::map<std::string, SampleWithGeometry> cases;
  const auto known = cases.find(name);
  if (known != cases.end()) return known->second;
  auto samples = samples::contact_systems();
  const auto at = std::find_if(samples.begin(), samples.end(), [&](const auto& sample) { return sample.name == name; });
  return cases.emplace(name, SampleWithGeometry{*at}).first->second;
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& sample : samples::contact_systems()) names.push_back(sample.name);
  return names;
}

class LJL21 : public testing::TestWithParam<std::string> {
 protected:
  const ContactSystem& sample = case_of(GetParam()).sample;
  const System& s = sample.system;
  const ConstrainedGeometry& g = case_of(GetParam()).geometry;
  const geometry::ContactStructure& contact = *g.free.contact;
  const Expr E = g.free.energy;
  const VectorField& Gamma = g.free.free_dynamics;
  const Expr dissipation = contact.dissipation(E);
  std::vector<Expr> names = sample.names();

  [[nodiscard]] OneForm d(Expr f) const { return geometry::differential(g.free.u(), f); }
  [[nodiscard]] double largest(const std::vector<Expr>& f) const { return sample.largest(f); }
  /// flat(X) - dE + (E + R(E)) eta.
  [[nodiscard]] OneForm herglotz_defect(const VectorField& X) const {
    return contact.flat(X) - d(E) + (E + dissipation) * contact.eta();
  }
  /// How far alpha sticks out of the span of Phi^a_i dq^i, the annihilator of Delta^l.
  [[nodiscard]] double outside_of_forms(const OneForm& alpha) const {
    std::mt19937_64 engine(5);
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
      const auto point = sample.point(engine);
      std::vector<std::vector<double>> rows;
      for (const OneForm& form : g.forms) rows.push_back(symbolic::evaluate(form.components, names, point));
      const auto value = symbolic::evaluate(alpha.components, names, point);
      worst = std::max(worst, Subspace::spanned_by(rows, value.size()).distance(value));
    }
    return worst;
  }
  /// (x_dot, w_dot, z_dot) of the equations that `derive` has, at a point, less the field.
  [[nodiscard]] double distance_from_flow(const VectorField& X, const System& system) const {
    const Flow flow(system);
    std::mt19937_64 engine(9);
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
      auto point = sample.point(engine);
      const auto field = symbolic::evaluate(X.components, names, point);
      point.resize(field.size());
      point.resize(field.size() + 1 + flow.q.m(), 0.0);
      const auto rates = flow(point);
      for (std::size_t A = 0; A < field.size(); ++A) worst = std::max(worst, std::abs(field[A] - rates[A]));
    }
    return worst;
  }
  [[nodiscard]] System unconstrained() const {
    System free = s;
    free.constraints = {};
    return free;
  }
};

std::vector<Expr> minus(const VectorField& a, const VectorField& b) {
  return (a - b).components;
}
std::vector<Expr> minus(const OneForm& a, const OneForm& b) {
  return (a - b).components;
}

// [LJL21, Eqs. 44-47]: what is written in closed form is the contact structure of eta_L.
TEST_P(LJL21, ContactFormReebFieldAndSharpBelongTogether) {
  EXPECT_LT(largest(contract(contact.reeb(), contact.d_eta()).components), 1e-12);
  EXPECT_LT(largest({pair(contact.eta(), contact.reeb()) - 1.0}), 1e-13);
  for (const Expr& f : sample.functions) EXPECT_LT(largest(minus(contact.flat(contact.sharp(d(f))), d(f))), 1e-11);
  EXPECT_LT(largest(contact.jacobi().schouten_defects()), 1e-10);
  EXPECT_LT(largest(contact.jacobi().invariance_defects()), 1e-10);
}

// [LJL21, Prop. 6]: integral curves are (xi, d xi/dt, s) exactly for fields with S(X) = Delta, here X(x) = rho y
// [LJL21, Eq. 49]: that of the energy, with or without constraints and reactions, and not that of another function.
TEST_P(LJL21, Proposition6IntegralCurvesOfSecondOrderFieldsAreLiftedPaths) {
  const std::size_t n = s.n();
  const auto x_dot = derive(s).x_dot;
  const auto along = [&](const VectorField& X) {
    std::vector<Expr> defect;
    for (std::size_t i = 0; i < n; ++i) defect.push_back(X.components[i] - x_dot[i]);
    // The integral curve, with the integral of rho y along it: x(T) - x(0) has to be that.
    const auto rates = joined(X.components, x_dot);
    auto listed = g.free.u();
    for (const auto& parameter : s.parameters) listed.push_back(parameter.symbol);
    std::mt19937_64 engine(8);
    const auto start = sample.point(engine);
    const auto field = [&](const Values& v) {
      Values there(v.begin(), v.end() - static_cast<std::ptrdiff_t>(n));
      for (const auto& parameter : s.parameters) there.push_back(parameter.value);
      return symbolic::evaluate(rates, listed, there);
    };
    const std::size_t N = g.free.u().size();
    Values begin(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(N));
    begin.resize(N + n, 0.0);
    const Values end = samples::advance(field, begin, 0.2, 200);
    double lifted = 0;
    for (std::size_t i = 0; i < n; ++i) lifted = std::max(lifted, std::abs(end[i] - begin[i] - end[N + i]));
    return std::pair{largest(defect), lifted};
  };
  for (const VectorField& X : {Gamma, g.dynamics, Gamma + sample.functions[0] * g.Z[0]}) {
    const auto [defect, lifted] = along(X);
    EXPECT_LT(defect, 1e-11);
    EXPECT_LT(lifted, 1e-11);
  }
  const auto [defect, lifted] = along(contact.hamiltonian_field(sample.functions[0]));
  EXPECT_GT(defect, 1e-2);
  EXPECT_GT(lifted, 1e-3);
}

// [LJL21, Thm 7].
TEST_P(LJL21, FieldOfTheEnergySolvesTheHerglotzEquations) {
  EXPECT_LT(largest(herglotz_defect(Gamma).components), 1e-11);
  EXPECT_LT(distance_from_flow(Gamma, unconstrained()), 1e-11);
}

// [LJL21, Props 4 and 5] for the energy: eta(Gamma) = -E, E and the volume dissipate.
TEST_P(LJL21, EnergyAndVolumeDissipateWithoutConstraints) {
  EXPECT_LT(largest({pair(contact.eta(), Gamma) + E}), 1e-12);
  EXPECT_LT(largest({apply(Gamma, E) + dissipation * E}), 1e-11);
  EXPECT_LT(largest({contact.divergence(Gamma) + static_cast<double>(contact.n() + 1) * dissipation}), 1e-10);
}

// [LJL21, Thm 8]: the Euler-Lagrange-Herglotz expression annihilates Delta, and the motion stays in it.
TEST_P(LJL21, ReactionsAnnihilateTheDistribution) {
  const Equations q = derive(unconstrained());
  std::vector<Expr> expression;
  for (std::size_t j = 0; j < s.r(); ++j) expression.push_back(apply(g.dynamics, q.p[j]) - q.f[j] - q.L_z * q.p[j]);
  const Equations constrained = derive(s);
  std::mt19937_64 engine(3);
  for (int k = 0; k < 3; ++k) {
    const auto point = sample.point(engine);
    const auto reaction = symbolic::evaluate(expression, names, point);
    const auto slopes = symbolic::evaluate(constrained.Phi_y.entries, names, point);
    std::vector<std::vector<double>> rows;
    for (std::size_t a = 0; a < constrained.m(); ++a)
      rows.emplace_back(slopes.begin() + static_cast<std::ptrdiff_t>(a * s.r()),
                        slopes.begin() + static_cast<std::ptrdiff_t>((a + 1) * s.r()));
    double size = 0;
    for (const double r : reaction) size += std::abs(r);
    EXPECT_GT(size, 1e-3);
    EXPECT_LT(Subspace::spanned_by(rows, s.r()).distance(reaction), 1e-10);
  }
  std::vector<Expr> rates;
  for (const Expr& Phi : g.Phi) rates.push_back(apply(g.dynamics, Phi));
  EXPECT_LT(largest(rates), 1e-10);
}

// [LJL21, Thm 9]: flat(X) - dE + (E + R(E)) eta in the annihilator of Delta^l, X tangent to Phi = 0, is the constrained
// motion.
TEST_P(LJL21, ConstrainedFieldSolvesTheConstrainedHerglotzEquations) {
  EXPECT_LT(outside_of_forms(herglotz_defect(g.dynamics)), 1e-10);
  EXPECT_LT(distance_from_flow(g.dynamics, s), 1e-10);
  EXPECT_GT(distance_from_flow(Gamma, s), 1e-3);
}

// Eqs. 73-76: flat(S) spans the annihilator of Delta^l, and S = (Delta^l)^perp on both sides.
TEST_P(LJL21, ConstraintFieldsSpanTheComplementOfTheLiftedDistribution) {
  const auto lifted = Distribution::annihilated_by(g.forms);
  const auto S = Distribution::spanned_by(g.Z);
  std::mt19937_64 engine(2);
  const auto point = sample.point(engine);
  EXPECT_TRUE(same(right_complement(lifted, contact).at(names, point), S.at(names, point)));
  EXPECT_TRUE(same(left_complement(lifted, contact).at(names, point), S.at(names, point)));
  EXPECT_EQ(kind_at(lifted, contact, names, point), geometry::DistributionKind::vertical);
  EXPECT_EQ(kind_at(S, contact, names, point), geometry::DistributionKind::horizontal);
  EXPECT_TRUE(lifted.at(names, point).contains(S.at(names, point)));
}

// [LJL21, Prop. 10] and Eq. 78: S and the tangent space of Phi = 0 split the space.
TEST_P(LJL21, ConstraintFieldsAreTransverseToTheConstraint) {
  std::vector<OneForm> slopes;
  for (const Expr& Phi : g.Phi) slopes.push_back(d(Phi));
  std::mt19937_64 engine(4);
  const auto point = sample.point(engine);
  const Subspace tangent = Distribution::annihilated_by(slopes).at(names, point);
  const Subspace S = Distribution::spanned_by(g.Z).at(names, point);
  EXPECT_EQ(intersection(S, tangent).dimension(), 0U);
  EXPECT_EQ((S + tangent).dimension(), names.size() - s.parameters.size());
}

// Eqs. 79-80.
TEST_P(LJL21, ProjectorsSplitFieldsAlongTheConstraint) {
  const Matrix P2 = multiply(g.P, g.P);
  std::vector<Expr> defects;
  for (std::size_t k = 0; k < P2.entries.size(); ++k) defects.push_back(P2.entries[k] - g.P.entries[k]);
  for (const VectorField& Z : g.Z)
    for (const Expr& component : g.project(Z).components) defects.push_back(component);
  for (const Expr& Phi : g.Phi)
    for (const Expr& component : g.project(d(Phi)).components) defects.push_back(component);
  EXPECT_LT(largest(defects), 1e-11);
}

// [LJL21, Thm 11], with dE - (E + R(E)) eta where Eq. 82 prints a plus.
TEST_P(LJL21, ConstrainedFieldIsTheProjectedCovectorOfTheFreeOne) {
  const auto projected = [&](const OneForm& alpha) { return contact.flat(g.project(contact.sharp(alpha))); };
  const OneForm action = (E + dissipation) * contact.eta();
  EXPECT_LT(largest(minus(contact.flat(g.dynamics), projected(d(E) - action))), 1e-10);
  EXPECT_GT(largest(minus(contact.flat(g.dynamics), projected(d(E) + action))), 1e-3);
}

// [LJL21, Prop. 12], Eqs. 83a-83b, and L_{Q(Gamma)} eta in the annihilator of Delta^l.
TEST_P(LJL21, ConstrainedFieldScalesTheContactFormUpToTheReaction) {
  const OneForm reaction = lie_derivative(g.constraint_part(Gamma), contact.eta());
  const Expr minus_one = s.graph().number(-1);
  EXPECT_LT(outside_of_forms(reaction), 1e-9);
  EXPECT_LT(
      largest(minus(lie_derivative(g.dynamics, contact.eta()), minus_one * (dissipation * contact.eta() + reaction))),
      1e-10);
  const Expr over_E = s.graph().number(1) / E;
  EXPECT_LT(largest(minus(lie_derivative(g.dynamics, over_E * contact.eta()), minus_one * over_E * reaction)), 1e-9);
}

// [LJL21, Prop. 12], Eq. 83c, with the factor n before eta ^ (d eta)^(n-1) ^ d reaction that the last line of its proof
// drops.
TEST_P(LJL21, ConstrainedFieldDissipatesVolumeByTheReactionToo) {
  const OneForm reaction = lie_derivative(g.constraint_part(Gamma), contact.eta());
  const geometry::TwoForm d_reaction = differential(reaction);
  // n eta ^ (d eta)^(n-1) ^ d alpha = tr(Lambda^T d alpha)/2 eta ^ (d eta)^n.
  Expr by_reaction = s.graph().number(0);
  const std::size_t N = g.free.u().size();
  for (std::size_t A = 0; A < N; ++A)
    for (std::size_t B = 0; B < N; ++B)
      by_reaction += contact.jacobi().Lambda.components(B, A) * d_reaction.components(A, B) / 2;
  const Expr expected = -static_cast<double>(contact.n() + 1) * dissipation - by_reaction;
  EXPECT_LT(largest({contact.divergence(g.dynamics) - expected}), 1e-9);
  EXPECT_GT(largest({by_reaction}), 1e-4);
}

// [LJL21, Thm 13]: both conditions hold for Gamma + f^a Z_a, and neither for other fields.
TEST_P(LJL21, ReactionConditionIsOneOnTheLieDerivativeOfTheContactForm) {
  const auto by_lie_derivative = [&](const VectorField& X) {
    return lie_derivative(X, contact.eta()) + dissipation * contact.eta();
  };
  VectorField X = Gamma;
  for (std::size_t a = 0; a < g.Z.size(); ++a) X = X + sample.functions[a] * g.Z[a];
  EXPECT_LT(outside_of_forms(herglotz_defect(X)), 1e-9);
  EXPECT_LT(outside_of_forms(by_lie_derivative(X)), 1e-9);
  EXPECT_LT(largest({pair(contact.eta(), X) + E}), 1e-11);
  const VectorField other = Gamma + sample.functions[0] * contact.hamiltonian_field(sample.functions[1]);
  EXPECT_GT(outside_of_forms(herglotz_defect(other)), 1e-3);
  EXPECT_GT(outside_of_forms(by_lie_derivative(other)), 1e-3);
}

// [LJL21, Cor. 14]: the three conditions hold for the constrained motion alone; others with the first two are not
// tangent.
TEST_P(LJL21, ConstrainedFieldIsTheTangentOneAmongThoseThatScaleTheContactForm) {
  const auto outside = [&](const VectorField& X) {
    return outside_of_forms(lie_derivative(X, contact.eta()) + dissipation * contact.eta());
  };
  std::vector<Expr> leaving;
  std::vector<Expr> staying;
  const VectorField other = g.dynamics + sample.functions[0] * g.Z[0];
  for (const Expr& Phi : g.Phi) {
    staying.push_back(apply(g.dynamics, Phi));
    leaving.push_back(apply(other, Phi));
  }
  EXPECT_LT(outside(g.dynamics), 1e-9);
  EXPECT_LT(largest({pair(contact.eta(), g.dynamics) + E}), 1e-11);
  EXPECT_LT(largest(staying), 1e-11);
  EXPECT_LT(outside(other), 1e-9);
  EXPECT_LT(largest({pair(contact.eta(), other) + E}), 1e-11);
  EXPECT_GT(largest(leaving), 1e-3);
}

// [LJL21, Lemma 15].
TEST_P(LJL21, ConstraintFieldsDoNotChangeTheEnergy) {
  std::vector<Expr> rates;
  for (const VectorField& Z : g.Z) rates.push_back(apply(Z, E));
  EXPECT_LT(largest(rates), 1e-12);
}

// [LJL21, Lemma 16], which other functions do not obey.
TEST_P(LJL21, ProjectedFieldOfTheEnergyIsThatOfTheProjectedBivector) {
  const auto defect = [&](Expr f) {
    return largest(minus(g.project(contact.jacobi().sharp(d(f))), g.jacobi.sharp(d(f))));
  };
  EXPECT_LT(defect(E), 1e-10);
  EXPECT_GT(defect(sample.functions[0]), 1e-3);
}

// [LJL21, Thm 17].
TEST_P(LJL21, FieldOfTheEnergyUnderTheNonholonomicBracketIsTheConstrainedDynamics) {
  EXPECT_LT(largest(minus(g.hamiltonian_field(E), g.dynamics)), 1e-10);
}

// [LJL21, Thm 18], first item.
TEST_P(LJL21, ConstraintsAreCasimirsOfTheNonholonomicBracket) {
  for (const Expr& Phi : g.Phi) {
    std::vector<Expr> free;
    for (const Expr& f : sample.functions) {
      EXPECT_LT(largest({g.bracket(Phi, f), g.bracket(f, sample.functions[0] * Phi)}), 1e-10);
      free.push_back(contact.jacobi().bracket(Phi, f));
    }
    EXPECT_GT(largest(free), 1e-3);
  }
}

// [LJL21, Thm 18], Eq. 101; E itself is dissipated, since {E, E} = 0.
TEST_P(LJL21, NonholonomicBracketWithTheEnergyIsTheEvolution) {
  const Expr rate = contact.dissipation(E);
  for (const Expr& f : sample.functions) {
    const Expr by_bracket = g.bracket(E, f) + f * apply(g.jacobi.E, E);
    EXPECT_LT(largest({apply(g.dynamics, f) - by_bracket}), 1e-10);
  }
  EXPECT_LT(largest({apply(g.dynamics, E) + rate * E}), 1e-10);
}

// [LJL21, Prop. 19], with g h E(f) where Eq. 103 prints g h E(h).
TEST_P(LJL21, NonholonomicBracketIsSkewAndObeysTheLeibnizRule) {
  const auto& [f, a, b] = sample.functions;
  const Expr leibniz = a * g.bracket(f, b) + b * g.bracket(f, a) + a * b * apply(g.jacobi.E, f);
  EXPECT_LT(largest({g.bracket(f, a) + g.bracket(a, f), g.bracket(f, a * b) - leibniz}), 1e-10);
}

// [LJL21, Cor. 20]: (Lambda, -R) along the constraint is a Jacobi structure, [Lambda, Lambda] = 2 E ^ Lambda and L_E
// Lambda = 0, exactly where the bracket obeys the Jacobi identity.
TEST_P(LJL21, Corollary20ConstrainedStructuresAreJacobiExactlyWhereTheirBracketsAre) {
  const auto& [a, b, c] = sample.functions;
  auto defects = g.jacobi.schouten_defects();
  const auto invariance = g.jacobi.invariance_defects();
  defects.insert(defects.end(), invariance.begin(), invariance.end());
  EXPECT_LT(largest(g.jacobi.skewness_defects()), 1e-12);
  if (largest({g.jacobiator(a, b, c)}) < 1e-9)
    EXPECT_LT(largest(defects), 1e-9);
  else
    EXPECT_GT(largest(defects), 1e-3);
}

// [LJL21, Prop. 21], Eqs. 106-107, and Cor. 22.
TEST_P(LJL21, ConstrainedHamiltonianFieldsAreProjections) {
  const Expr H = sample.functions[0];
  const VectorField X = g.hamiltonian_field(H);
  const OneForm kept = g.project(d(H));
  const VectorField reeb = g.project(contact.reeb());
  EXPECT_LT(largest(minus(X, g.project(contact.sharp(kept)) - (apply(reeb, H) + H) * reeb)), 1e-10);
  const VectorField by_Q = g.project(contact.jacobi().sharp(d(H) - kept));
  EXPECT_LT(largest(minus(X, g.project(contact.hamiltonian_field(H)) - by_Q)), 1e-10);
  EXPECT_LT(largest({pair(contact.eta(), X) + H}), 1e-11);
}

// [LJL21, Thm 24]. Delta^l is involutive exactly where Delta is.
TEST_P(LJL21, JacobiIdentityHoldsExactlyForInvolutiveDistributions) {
  const auto& [a, b, c] = sample.functions;
  const double jacobiator = largest({g.jacobiator(a, b, c)});
  std::mt19937_64 engine(6);
  const double involutivity = Distribution::annihilated_by(g.forms).involutivity_defect(names, sample.point(engine));
  if (sample.integrable) {
    EXPECT_LT(jacobiator, 1e-9);
    EXPECT_LT(involutivity, 1e-10);
  } else {
    EXPECT_GT(jacobiator, 1e-4);
    EXPECT_GT(involutivity, 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, LJL21, testing::ValuesIn(case_names()),
                         [](const auto& given) { return given.param; });

std::string refusal(const System& system) {
  try {
    constrained_geometry(system);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// [LJL21, Prop. 10]: a constraint whose field is tangent to it leaves the multiplier free.
TEST(ConstrainedGeometry, SingularConstraintMatrixIsRefused) {
  const auto sample = samples::read_system(
      {"Null", samples::flat_system(3), "v1^2/2 - v2^2/2 + v3^2/2", {"v1 - v2"}, {{"v1", "v2"}}, true});
  EXPECT_THAT(refusal(sample.system), testing::HasSubstr("constraint matrix C_ab"));
}

TEST(ConstrainedGeometry, NeedsConstraintsUnderTheNonholonomicRule) {
  System s = samples::sleigh().system;
  s.constraints.rule = Rule::vakonomic;
  EXPECT_THAT(refusal(s), testing::HasSubstr("expected constraints under the nonholonomic rule"));
  s.constraints = {};
  EXPECT_THAT(refusal(s), testing::HasSubstr("got none"));
}

// What a free sleigh dissipates at the rate of the energy is in involution with it: the momentum of x.
TEST(PhaseGeometry, DissipatedQuantitiesAreInInvolutionWithTheEnergy) {
  const ContactSystem sample = samples::sleigh();
  System free = sample.system;
  free.constraints = {};
  const PhaseGeometry g = phase_geometry(free);
  const Expr p_x = g.equations.p[0];
  EXPECT_LT(sample.largest({g.jacobi.bracket(g.energy, p_x)}), 1e-12);
  EXPECT_LT(sample.largest({apply(g.energy_field, p_x) + g.contact->dissipation(g.energy) * p_x}), 1e-12);
  EXPECT_GT(sample.largest({g.jacobi.bracket(g.energy, g.equations.p[2])}), 1e-2);
}

// [ASMLL20, Eq. 34, Thm 2.2]: rotations of the plane leave the L of a free sleigh as it is, and turning it alone does
// not.
TEST(PhaseGeometry, LiftedSymmetriesPreserveTheContactFormAndDissipateTheirMomenta) {
  const ContactSystem sample = samples::sleigh();
  System free = sample.system;
  free.constraints = {};
  const PhaseGeometry g = phase_geometry(free);
  const auto& contact = *g.contact;
  const auto& q = free.algebroid.x;
  const auto& v = free.algebroid.y;
  const Expr zero = free.graph().number(0);
  const Expr one = free.graph().number(1);
  const VectorField rotation{g.u(), {-q[1], q[0], one, -v[1], v[0], zero, zero}};
  const VectorField turning{g.u(), {zero, zero, one, zero, zero, zero, zero}};
  const auto conserves = [&](const VectorField& xi) {
    auto changes = lie_derivative(xi, contact.eta()).components;
    changes.push_back(apply(xi, g.energy));
    return sample.largest(changes);
  };
  const auto dissipates = [&](const VectorField& xi) {
    const Expr J = -pair(contact.eta(), xi);
    return sample.largest({apply(g.energy_field, J) + contact.dissipation(g.energy) * J});
  };
  EXPECT_LT(conserves(rotation), 1e-12);
  EXPECT_LT(dissipates(rotation), 1e-12);
  EXPECT_GT(conserves(turning), 1e-2);
  EXPECT_GT(dissipates(turning), 1e-2);
}

// Beside tangent bundles there is no contact form, but the field of the energy is still the motion.
class PhaseGeometryOfEveryKind : public testing::TestWithParam<samples::Kind> {};

TEST_P(PhaseGeometryOfEveryKind, FieldOfTheEnergyIsTheMotion) {
  System s = make_system(GetParam().algebroid);
  Expr L = -s.z * s.z / 20;
  for (std::size_t a = 0; a < s.r(); ++a) {
    const auto& y = s.algebroid.y;
    L += static_cast<double>(a + 2) * y[a] * y[a] / 2 + y[0] * y[a] / 4 + y[a] * s.z / 5;
  }
  for (const Expr& x : s.algebroid.x) L -= x * x * s.z / 3;
  s.generator = L;
  const PhaseGeometry g = phase_geometry(s);
  EXPECT_EQ(g.contact.has_value(), GetParam().name == "tangent" || GetParam().name == "hamel");
  const Flow flow(s);
  std::mt19937_64 engine(8);
  auto point = samples::random_values(g.u().size(), engine);
  const auto field = symbolic::evaluate(g.free_dynamics.components, g.u(), point);
  point.push_back(0);
  const auto rates = flow(point);
  for (std::size_t A = 0; A < field.size(); ++A) EXPECT_NEAR(field[A], rates[A], 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PhaseGeometryOfEveryKind, testing::ValuesIn(samples::every_algebroid()),
                         [](const auto& given) { return given.param.name; });

}  // namespace
