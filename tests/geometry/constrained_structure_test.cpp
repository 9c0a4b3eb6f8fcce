// Contact and Jacobi structures of one's own along constraints. [LJL21, Secs. 5-7].
#include "herglotz/geometry/constrained_structure.hpp"

#include <gtest/gtest.h>

#include "geometry/contact_samples.hpp"
#include "herglotz/error.hpp"

namespace {

using namespace herglotz::geometry;
using samples::RandomPoints;

/// dz - p dq - r ds with two constraints and reactions that are not Chetaev's.
struct Sample {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
  Chart u = samples::symbols(*graph, {"q", "s", "p", "r", "z"});
  ContactStructure eta{OneForm{u, all({"-p", "-r", "0", "0", "1"})}};
  std::vector<OneForm> beta{{u, all({"1", "q", "0", "0", "0"})}, {u, all({"p", "1 + s^2", "0", "0", "0"})}};
  ConstrainedStructure made = constrained_structure(eta.jacobi(), all({"r - q*p", "p + s*z - 1"}), beta);

  [[nodiscard]] std::vector<Expr> all(const std::vector<std::string>& texts) const {
    std::vector<Expr> list;
    for (const auto& text : texts) list.push_back(samples::read(*graph, text, u));
    return list;
  }
  [[nodiscard]] Expr one(const std::string& text) const { return samples::read(*graph, text, u); }
};

// [LJL21, Eqs. 75-80]: P is a projector, its fields are tangent to Phi = 0, and Q(Y) = lambda^a Z_a.
TEST(ConstrainedStructure, ProjectsAlongTheReactions) {
  const Sample of;
  const VectorField Y{of.u, of.all({"p*z", "sin(q)", "1 + r", "q*s", "p - z^2"})};
  const VectorField tangent = of.made.project(Y);
  RandomPoints points(4);
  EXPECT_LT(points.largest((of.made.project(tangent) - tangent).components), 1e-11);
  for (const Expr& Phi : of.made.Phi) EXPECT_LT(points.largest({apply(tangent, Phi)}), 1e-11);
  std::vector<Expr> rates;
  for (const Expr& Phi : of.made.Phi) rates.push_back(apply(Y, Phi));
  const auto lambda = of.made.multipliers(rates);
  const VectorField reaction = lambda[0] * of.made.Z[0] + lambda[1] * of.made.Z[1];
  EXPECT_LT(points.largest((of.made.constraint_part(Y) - reaction).components), 1e-11);
  for (std::size_t a = 0; a < 2; ++a)
    EXPECT_LT(points.largest((of.eta.sharp(of.beta[a]) - of.made.Z[a]).components), 1e-12) << "Z = sharp(beta)";
}

// [LJL21, Eqs. 96, 100, Thm 18]: {f, g} = Lambda(P^T df, P^T dg) + ..., of which constraints are Casimirs up to Phi E.
TEST(ConstrainedStructure, HasTheNonholonomicBracketWithTheConstraintsAsCasimirs) {
  const Sample of;
  const Expr f = of.one("q*r + s*z");
  const Expr g = of.one("sin(p) + s^2*r - z");
  const auto df = of.made.project(differential(of.u, f));
  const auto dg = of.made.project(differential(of.u, g));
  const VectorField E = of.made.project(of.eta.jacobi().E);
  const Expr expected = pair(of.eta.jacobi().Lambda, df, dg) + f * apply(E, g) - g * apply(E, f);
  RandomPoints points(5);
  EXPECT_LT(points.largest({of.made.bracket(f, g) - expected}), 1e-11);
  for (const Expr& Phi : of.made.Phi)
    EXPECT_LT(points.largest({of.made.bracket(Phi, g) - Phi * apply(of.made.jacobi.E, g)}), 1e-11);
}

// [LJL21, Eq. 107]: both fields of a function, by hand: on p = q with the reaction dq, Z = -d/dp.
TEST(ConstrainedStructure, FieldsOfAFunctionDifferWhereReactionsDoWork) {
  auto graph = std::make_shared<Graph>();
  const Chart u = samples::symbols(*graph, {"q", "p", "z"});
  const auto read = [&](const std::string& text) { return samples::read(*graph, text, u); };
  const ContactStructure eta(OneForm{u, {read("-p"), read("0"), read("1")}});
  const auto made = constrained_structure(eta.jacobi(), {read("p - q")},
                                          std::vector<OneForm>{{u, {read("1"), read("0"), read("0")}}});
  const Expr H = read("p^2/2 + z/10");
  RandomPoints points(6);
  const VectorField projected{u, {read("p"), read("p"), read("p^2/2 - z/10")}};
  const VectorField delta{u, {read("0"), read("0"), read("-p^2/2 - z/10")}};
  EXPECT_LT(points.largest((made.project(eta.hamiltonian_field(H)) - projected).components), 1e-14);
  EXPECT_LT(points.largest((made.hamiltonian_field(H) - delta).components), 1e-14);
}

TEST(ConstrainedStructure, RefusesReactionsThatKeepNoConstraint) {
  const Sample of;
  const auto refusal = [&](const std::vector<std::string>& Phi, const std::vector<OneForm>& beta) -> std::string {
    try {
      (void)constrained_structure(of.eta.jacobi(), of.all(Phi), beta);
    } catch (const herglotz::Refused& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal({"p"}, {{of.u, of.all({"0", "0", "0", "0", "1"})}}),
            "the form of reaction 1 does not vanish on the Reeb field -E; give forms that do");
  EXPECT_NE(refusal({"q"}, {of.beta[0]}).find("constraint matrix C_ab = dPhi^b(Z_a)"), std::string::npos);
  EXPECT_EQ(refusal({"p"}, of.beta),
            "1 constraints and 2 forms of reactions are given; one form for each constraint is needed");
  EXPECT_NE(refusal({}, {}).find("0 constraints"), std::string::npos);
}

}  // namespace
