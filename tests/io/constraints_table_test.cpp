#include <gmock/gmock.h>

#include <cmath>

#include "exchange.hpp"
#include "herglotz/io/model_file.hpp"

namespace herglotz::io {
namespace {

/// kTangent with constraints, and lines added to [observables] and [initial].
std::string constrained(std::string_view rule, std::string_view equations, std::string_view observables = "",
                        std::string_view initial = "") {
  std::string text(kTangent);
  text.insert(text.find("[simulation]"), std::string(initial));
  text.insert(text.find("[initial]"), std::string(observables));
  text.insert(text.find("[symmetries]"),
              "[constraints]\nrule = \"" + std::string(rule) + "\"\nequations = " + std::string(equations) + "\n\n");
  return text;
}

std::string nonholonomic(std::string_view equations) {
  return constrained("nonholonomic", equations);
}

TEST(ConstraintsTable, IsReadWithARuleAndEquationsInOrder) {
  const auto problem = parse_model(constrained("vakonomic", R"~(["vx*sin(q) - vq*mass", "x - q + 0.5"])~"));
  EXPECT_EQ(problem.system.constraints.rule, mechanics::Rule::vakonomic);
  ASSERT_EQ(problem.system.constraints.equations.size(), 2U);
  EXPECT_TRUE(symbolic::depends_on(problem.system.constraints.equations[0], problem.system.algebroid.y[1]));
  EXPECT_EQ(problem.system.constraints.multipliers.at(1).name(), "nu2");
}

TEST(ConstraintsTable, NamesMissingAndUnknownKeys) {
  expect_errors(
      kTangent,
      {
          {"[symmetries]", "[constraints]\nequations = [\"vx\"]\n\n[symmetries]",
           "20:1: [constraints] has no 'rule'; choose nonholonomic or vakonomic"},
          {"[symmetries]", "[constraints]\nrule = \"holonomic\"\nequations = [\"vx\"]\n\n[symmetries]",
           "21:8: unknown rule 'holonomic'; did you mean nonholonomic or vakonomic?"},
          {"[symmetries]", "[constraints]\nrule = 1\nequations = [\"vx\"]\n\n[symmetries]",
           "21:8: expected a string, got a number; write 'rule' as text in double quotes"},
          {"[symmetries]", "[constraints]\nrule = \"vakonomic\"\n\n[symmetries]",
           R"(20:1: [constraints] has no 'equations'; give them as equations = ["..."], each is = 0)"},
          {"[symmetries]", "[constraints]\nrule = \"vakonomic\"\nequation = [\"vx\"]\n\n[symmetries]",
           "22:1: unknown key 'equation'; did you mean equations?"},
          {"[symmetries]", "[constraints]\nrule = \"vakonomic\"\nequations = [\"vx\"]\nproject = true\n\n[symmetries]",
           "23:1: unknown key 'project'; known are rule, equations"},
          {"[symmetries]", "[constraints]\nvakonomic = [\"vx\"]\n\n[symmetries]",
           "21:1: [constraints] has no key 'vakonomic'; write rule = \"vakonomic\" and equations = [...]"},
      });
}

TEST(ConstraintsTable, ExpectsAnArrayOfStrings) {
  const std::string right = R"(; 'equations' is an array of strings such as ["a", "b"])";
  EXPECT_EQ(error_without_file(nonholonomic(R"("vx")")), "22:13: expected an array, got a string" + right);
  EXPECT_EQ(error_without_file(nonholonomic(R"(["vx", 1])")), "22:20: expected a string, got a number" + right);
  EXPECT_EQ(error_without_file(nonholonomic(R"([["vx"]])")), "22:14: expected a string, got an array" + right);
  EXPECT_EQ(error_without_file(nonholonomic("true")), "22:13: expected an array, got a boolean" + right);
  EXPECT_EQ(error_without_file(nonholonomic("[]")),
            "22:13: 'equations' is empty; give at least one, or remove [constraints]");
  EXPECT_EQ(error_without_file(nonholonomic(R"~(["vx*sin(y)"])~")),
            "22:22: unknown name 'y'; known names are pi, gamma, kinetic, mass, q, t, vq, vx, x, z");
  EXPECT_EQ(error_without_file(nonholonomic(R"(["vx - lambda1"])")),
            "22:20: a constraint may not depend on the multiplier 'lambda1'; use base and fibre coordinates, the "
            "action, time, parameters and definitions");
}

TEST(ConstraintsTable, RefusesEquationsThatRestrictNothing) {
  const std::string remedy = "; use base or fibre coordinates or the action";
  for (const std::string equation : {"1", "gamma", "t - 1", "mass*t", "x - x + 1"}) {
    EXPECT_EQ(error_without_file(nonholonomic("[\"vx\", \"" + equation + "\"]")),
              "22:20: equation 2 restricts nothing: no coordinate of the state is in it" + remedy)
        << equation;
  }
  for (const std::string equation : {"0", "vx - vx", "(x + vx)^2 - x^2 - 2*x*vx - vx^2", "sin(x)^2 + cos(x)^2 - 1"}) {
    EXPECT_EQ(error_without_file(nonholonomic("[\"" + equation + "\"]")),
              "22:14: equation 1 is 0 = 0: it holds for every state; correct or remove it")
        << equation;
  }
  for (const std::string equation : {"x", "vx", "z", "z - t"})
    EXPECT_EQ(error_without_file(nonholonomic("[\"" + equation + "\"]")), "no error") << equation;
}

TEST(ConstraintsTable, RefusesAnEquationThatRepeatsAnother) {
  const std::string first = "vx*sin(q) - vq*cos(q)";
  for (const std::string again : {"vx*sin(q) - vq*cos(q)", "vq*cos(q) - vx*sin(q)", "3/2*(vx*sin(q) - vq*cos(q))",
                                  "gamma*vx*sin(q) - gamma*vq*cos(q)", "sin(q)*vx - vq*(1 - 1/mass + 1/mass)*cos(q)"}) {
    EXPECT_EQ(error_without_file(nonholonomic("[\"" + first + "\", \"" + again + "\"]")),
              "22:39: equation 2 repeats equation 1; keep one of them")
        << again;
  }
  // The same zeros, the same direction at one state or a common factor are not a repetition.
  for (const std::string other : {"x*(vx*sin(q) - vq*cos(q))", "vx*sin(q) - vq*cos(q) + 1e-3", "vx*sin(q) - vq"})
    EXPECT_EQ(error_without_file(nonholonomic("[\"" + first + "\", \"" + other + "\"]")), "no error") << other;
  std::string sum = "0";
  for (int i = 1; i < 200; ++i) sum += " + vx*(x + " + std::to_string(i) + ")*sin(" + std::to_string(i) + "*q)";
  EXPECT_NE(error_without_file(nonholonomic("[\"" + sum + "\", \"-0.3*(" + sum + ")\"]"))
                .find("equation 2 repeats equation 1"),
            std::string::npos);
  EXPECT_EQ(error_without_file(nonholonomic("[\"" + sum + "\", \"-0.3*(" + sum + ") + vq/1e5\"]")), "no error");
  EXPECT_EQ(error_without_file(nonholonomic(R"(["x - 0.5", "vq", "1 - 2*x"])")),
            "22:31: equation 3 repeats equation 1; keep one of them");
}

TEST(ConstraintsTable, RefusesMoreConstraintsThanVelocities) {
  EXPECT_EQ(error_without_file(nonholonomic(R"(["vx", "x - q", "vq - x"])")),
            "22:29: more constraints than velocities: 3 equations restrict a fibre of rank 2; keep at most 2");
  EXPECT_EQ(error_without_file(nonholonomic(R"(["vx", "vq - x"])")), "no error");
}

TEST(ConstraintsTable, RestrictsTheMomentaOfAHamiltonianModel) {
  std::string text(kHamilton);
  const std::string table = "[constraints]\nrule = \"nonholonomic\"\nequations = [\"";
  const auto with = [&](const std::string& equation) { return text + table + equation + "\"]\n"; };
  EXPECT_EQ(error_without_file(with("p_v - 1")), "no error");
  EXPECT_EQ(error_without_file(with("t")),
            "13:14: equation 1 restricts nothing: no coordinate of the state is in it; use base coordinates, momenta "
            "p_<fibre> or the action");
}

TEST(ConstraintsTable, StartsFromMultipliersOfTheVakonomicRuleOnly) {
  const auto with = [](std::string_view rule, std::string_view initial) {
    return constrained(rule, R"(["vx"])", "", initial);
  };
  EXPECT_EQ(parse_model(with("vakonomic", "nu1 = 0.25\n")).initial.at("nu1"), 0.25);
  EXPECT_EQ(error_without_file(with("nonholonomic", "lambda1 = 0.25\n")),
            "34:1: 'lambda1' is determined by the state and the constraints; remove it");
  EXPECT_EQ(error_without_file(with("nonholonomic", "nu1 = 0.25\n")),
            "34:1: 'nu1' belongs to the vakonomic rule, and nonholonomic multipliers are determined by the state and "
            "the constraints; remove it");
  EXPECT_EQ(error_without_file(with("vakonomic", "nu2 = 0.25\n")),
            "34:1: unknown initial value 'nu2'; did you mean nu1?");
  EXPECT_EQ(error_without_file(with("vakonomic", "lambda1 = 0.25\n")),
            "34:1: unknown initial value 'lambda1'; known are x, q, vx, vq, z, t, nu1, p_vx, p_vq, project, fixed");
}

TEST(ConstraintsTable, ProjectIsASwitchOfTheStart) {
  const auto with = [](std::string_view initial) { return constrained("nonholonomic", R"(["vx"])", "", initial); };
  EXPECT_FALSE(parse_model(with("")).settings.project);
  const auto problem = parse_model(with("project = true\n"));
  EXPECT_TRUE(problem.settings.project);
  EXPECT_EQ(problem.settings.step, 0.01) << "[simulation] leaves it as it is";
  EXPECT_FALSE(parse_model(with("project = false\n")).settings.project);
  EXPECT_EQ(error_without_file(with("project = 1\n")),
            "34:11: expected a boolean, got a number; write 'project' as true or false");
  EXPECT_EQ(error_without_file(with("projet = true\n")), "34:1: unknown initial value 'projet'; did you mean project?");
}

TEST(ConstraintsTable, SettingsReachMultipliersAndTheProjection) {
  auto vakonomic = parse_model(constrained("vakonomic", R"(["vx"])"));
  apply_setting(vakonomic, "nu1=mass/4");
  EXPECT_EQ(vakonomic.initial.at("nu1"), 0.5);
  auto problem = parse_model(nonholonomic(R"(["vx"])"));
  const auto set = [&](std::string_view text) { return error_of([&] { apply_setting(problem, text); }); };
  EXPECT_EQ(set(" project = true "), "no error");
  EXPECT_TRUE(problem.settings.project);
  EXPECT_EQ(set("project=false"), "no error");
  EXPECT_FALSE(problem.settings.project);
  EXPECT_EQ(set("project=1"), "--set: 'project' is a switch, not '1'; write project=true or project=false");
  EXPECT_EQ(set("lambda1=1"), "--set: 'lambda1' is determined by the state and the constraints; remove it");
  EXPECT_THAT(set("nu1=1"), testing::StartsWith("--set: 'nu1' belongs to the vakonomic rule"));
}

TEST(ConstraintsTable, ObservablesMayUseMultipliers) {
  const std::string force = "force = \"2*lambda1 + x\"\n";
  auto problem = parse_model(constrained("nonholonomic", R"(["vq - 2*vx"])", force, "vx = 0.5\n"));
  problem.settings.t_end = 1;
  const auto run = simulate::simulate(problem);
  // mass dvx/dt = -x - gamma mass vx - vx/10 - 2 lambda, mass dvq/dt = -gamma mass vq + lambda, vq = 2 vx.
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const double lambda = run["lambda1"][row];
    EXPECT_NEAR(lambda, -2 * (run["x"][row] + 0.1 * run["vx"][row]) / 5, 1e-12);
    EXPECT_NEAR(run["force"][row], 2 * lambda + run["x"][row], 1e-14);
  }
  EXPECT_EQ(error_of([] { parse_model(constrained("vakonomic", R"(["vq - 2*vx"])", "a = \"nu1\"\n")); }), "no error");
  EXPECT_THAT(error_without_file(constrained("vakonomic", R"(["vq - 2*vx"])", "a = \"lambda1\"\n")),
              testing::StartsWith("30:6: unknown name 'lambda1'"));
  EXPECT_THAT(error_without_file(constrained("vakonomic", R"(["vq - 2*vx"])", "a = \"integrating_factor\"\n")),
              testing::StartsWith("30:6: an observable may not depend on the output column 'integrating_factor'"));
  EXPECT_EQ(error_without_file(constrained("nonholonomic", R"(["vq - 2*vx"])", "lambda1 = \"x\"\n")),
            "30:1: there is a column 'lambda1' already; give the observable another name");
}

}  // namespace
}  // namespace herglotz::io
