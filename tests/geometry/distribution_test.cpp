#include "herglotz/geometry/distribution.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"

namespace {

using namespace herglotz::geometry;
using herglotz::symbolic::Expr;
using samples::ContactSample;
using samples::RandomPoints;

class Complements : public testing::TestWithParam<ContactSample> {
 protected:
  ContactStructure contact{GetParam().eta};
  RandomPoints points{23};
  std::size_t N = contact.u().size();

  /// A field without any special form; k = 0, 1, ... .
  VectorField field(std::size_t k) const {
    VectorField X{contact.u(), {}};
    for (std::size_t A = 0; A < N; ++A)
      X.components.push_back(sin(static_cast<double>(k + 1) * contact.u()[A] + static_cast<double>(A * (k + 2))) + 0.3);
    return X;
  }
  VectorField horizontal(std::size_t k) const { return field(k) - pair(contact.eta(), field(k)) * contact.reeb(); }

  std::vector<double> point() { return points.next(N); }
  Subspace at(const Distribution& d, const std::vector<double>& v) const { return d.at(contact.u(), v); }
  Subspace kernel_of_eta(const std::vector<double>& v) const {
    return at(Distribution::annihilated_by({contact.eta()}), v);
  }
  DistributionKind kind(const Distribution& d, const std::vector<double>& v) const {
    return kind_at(d, contact, contact.u(), v);
  }
  /// The same distribution by its annihilator at a point, as forms with constant coefficients.
  Distribution by_forms(const Distribution& d, const std::vector<double>& v) const {
    std::vector<OneForm> forms;
    const Subspace annihilator = d.annihilator_at(contact.u(), v);
    for (const auto& covector : annihilator.basis()) {
      forms.push_back({contact.u(), {}});
      for (const double c : covector) forms.back().components.push_back(GetParam().graph->real(c));
    }
    return Distribution::annihilated_by(forms);
  }
};

// [LJL21, Lemma 2], first item: both complements are {v : d eta(v, w) = 0}, and vertical.
TEST_P(Complements, OfAHorizontalDistributionAgreeAndAreVertical) {
  const auto d = Distribution::spanned_by({horizontal(0)});
  const auto v = point();
  ASSERT_EQ(kind(d, v), DistributionKind::horizontal);
  const auto right = right_complement(d, contact);
  EXPECT_TRUE(same(at(right, v), at(left_complement(d, contact), v)));
  EXPECT_TRUE(same(at(right, v), at(Distribution::annihilated_by({contract(horizontal(0), contact.d_eta())}), v)));
  EXPECT_EQ(kind(right, v), DistributionKind::vertical);
}

// [LJL21, Lemma 2], second item: both are {v in ker eta : d eta(v, w) = 0 for w in the horizontal part}, and
// horizontal.
TEST_P(Complements, OfAVerticalDistributionAgreeAndAreHorizontal) {
  const auto d = Distribution::spanned_by({horizontal(0) + contact.reeb(), contact.reeb()});
  const auto v = point();
  ASSERT_EQ(kind(d, v), DistributionKind::vertical);
  const auto right = right_complement(d, contact);
  EXPECT_TRUE(same(at(right, v), at(left_complement(d, contact), v)));
  const auto expected = Distribution::annihilated_by({contact.eta(), contract(horizontal(0), contact.d_eta())});
  EXPECT_TRUE(same(at(right, v), at(expected, v)));
  EXPECT_EQ(kind(right, v), DistributionKind::horizontal);
}

// Lemma 2 says nothing of oblique ones: there the two complements differ. [LJL21, Eq. 15].
TEST_P(Complements, OfAnObliqueDistributionDiffer) {
  const auto d = Distribution::spanned_by({horizontal(0) + contact.reeb()});
  const auto v = point();
  ASSERT_EQ(kind(d, v), DistributionKind::oblique);
  EXPECT_FALSE(same(at(right_complement(d, contact), v), at(left_complement(d, contact), v)));
}

// [LJL21, Eq. 16].
TEST_P(Complements, UndoEachOther) {
  const auto d = Distribution::spanned_by({field(0)});
  const auto v = point();
  EXPECT_TRUE(same(at(left_complement(right_complement(d, contact), contact), v), at(d, v)));
  EXPECT_TRUE(same(at(right_complement(left_complement(d, contact), contact), v), at(d, v)));
}

// [LJL21, Eqs. 17a-17b].
TEST_P(Complements, ExchangeSumsAndIntersections) {
  const auto a = Distribution::spanned_by({field(0)});
  const auto b = Distribution::spanned_by({field(1)});
  const auto both = Distribution::spanned_by({field(0), field(1)});
  const auto v = point();
  const Subspace a_right = at(right_complement(a, contact), v);
  const Subspace b_right = at(right_complement(b, contact), v);
  EXPECT_TRUE(same(at(right_complement(both, contact), v), intersection(a_right, b_right)));
  const auto part = right_complement(by_forms(both, v), contact);
  EXPECT_EQ(at(part, v).dimension(), N - 2);
  EXPECT_TRUE(same(at(part, v), intersection(a_right, b_right)));
  if (N == 3) return;
  const auto c = Distribution::spanned_by({field(0), field(2)});
  EXPECT_TRUE(same(a_right, at(right_complement(both, contact), v) + at(right_complement(c, contact), v)));
}

// The complement of [LJL21, Eq. 15] by either description of one distribution.
TEST_P(Complements, DoNotDependOnTheDescription) {
  const auto d = Distribution::spanned_by({field(0), contact.reeb()});
  const auto v = point();
  EXPECT_TRUE(same(at(right_complement(d, contact), v), at(right_complement(by_forms(d, v), contact), v)));
  EXPECT_TRUE(same(at(left_complement(d, contact), v), at(left_complement(by_forms(d, v), contact), v)));
}

INSTANTIATE_TEST_SUITE_P(Forms, Complements, testing::ValuesIn(samples::contact_samples()),
                         [](const auto& given) { return given.param.name; });

TEST(Distribution, IsInvolutiveWhereItsBracketsStayInside) {
  auto graph = std::make_shared<Graph>();
  const Chart u = samples::symbols(*graph, {"x", "y", "phi"});
  const auto form = [&](const std::vector<std::string>& texts) {
    OneForm alpha{u, {}};
    for (const auto& text : texts) alpha.components.push_back(samples::read(*graph, text, u));
    return alpha;
  };
  const auto field = [&](const std::vector<std::string>& texts) { return VectorField{u, form(texts).components}; };
  const std::vector<double> point{0.3, 0.7, 0.4};
  // The skate, by both descriptions, and the tangent planes of spheres.
  const auto skate = Distribution::annihilated_by({form({"sin(phi)", "-cos(phi)", "0"})});
  const auto same_skate = Distribution::spanned_by({field({"cos(phi)", "sin(phi)", "0"}), field({"0", "0", "1"})});
  const auto sphere = Distribution::annihilated_by({form({"x*exp(y)", "y*exp(y)", "phi*exp(y)"})});
  const auto same_sphere = Distribution::spanned_by({field({"y", "-x", "0"}), field({"0", "phi", "-y"})});
  EXPECT_TRUE(same(skate.at(u, point), same_skate.at(u, point)));
  EXPECT_TRUE(same(sphere.at(u, point), same_sphere.at(u, point)));
  EXPECT_GT(skate.involutivity_defect(u, point), 0.1);
  EXPECT_GT(same_skate.involutivity_defect(u, point), 0.1);
  EXPECT_LT(sphere.involutivity_defect(u, point), 1e-12);
  EXPECT_LT(same_sphere.involutivity_defect(u, point), 1e-12);
}

TEST(Distribution, IsNotInvolutiveHoweverShortTheBracket) {
  auto graph = std::make_shared<Graph>();
  const Chart u = samples::symbols(*graph, {"x", "y", "phi"});
  const auto field = [&](const std::vector<std::string>& texts) {
    VectorField v{u, {}};
    for (const auto& text : texts) v.components.push_back(samples::read(*graph, text, u));
    return v;
  };
  const std::vector<double> point{0.3, 0.7, 0.4};
  // The bracket is 1e-12 d/dphi, far below the fields and far above rounding.
  const auto twisted = Distribution::spanned_by({field({"1", "0", "0"}), field({"0", "1", "1e-12*x"})});
  EXPECT_GT(twisted.involutivity_defect(u, point), 0.9);
  // The bracket lies in the span. What rounding puts outside counts as nothing.
  const auto parallel = Distribution::spanned_by(
      {field({"sin(3*y)", "cos(3*y)", "0"}), field({"sin(3*y)*cos(x+y)", "cos(3*y)*cos(x+y)", "0"})});
  EXPECT_EQ(parallel.involutivity_defect(u, point), 0.0);
}

TEST(Subspace, OfDependentVectorsHasTheirRank) {
  const auto plane = Subspace::spanned_by({{1, 0, 1}, {0, 1, 0}, {2, -3, 2}}, 3);
  EXPECT_EQ(plane.dimension(), 2U);
  EXPECT_EQ(plane.annihilator().dimension(), 1U);
  EXPECT_NEAR(plane.distance(Subspace::Vector{1, 0, -1}), 1, 1e-14);
  EXPECT_EQ(Subspace::annihilated_by({}, 3).dimension(), 3U);
}

}  // namespace
