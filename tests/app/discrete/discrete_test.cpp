// Discrete Lagrangians as their users meet them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/models.hpp"
#include "app/program.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The pendulum with a discrete Lagrangian, started from two positions.
std::string discrete_pendulum() {
  return with(
      with(pendulum, "[symmetries]",
           "[discrete]\nlagrangian = \"(theta1 - theta0)^2/(2*h) + h*cos(theta0) - h*gamma*z0\"\n\n[symmetries]"),
      "[simulation]", "[initial.next]\ntheta = 2.49\n\n[simulation]");
}

nlohmann::json stored(const std::string& name) {
  std::ifstream stream(herglotz::source_folder() + "/tests/reference/" + name + ".json");
  return nlohmann::json::parse(stream);
}

double number(const nlohmann::json& text) {
  return std::stod(text.get<std::string>());
}

class ExampleOfDiscreteMechanics : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

}  // namespace

TEST_P(ExampleOfDiscreteMechanics, ReachesEveryPositionOfItsRecursionInExactArithmetic) {
  const auto& [model, reference] = GetParam();  // [ASMLL20, Exs. 1, 2]
  const Folder folder;
  const auto run = run_herglotz({"simulate", model, "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto table = table_of(folder.read("run.csv"));
  const auto states = stored(reference)["states"];
  ASSERT_EQ(table.rows.size(), states.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    const auto value = [&](const std::string& name) {
      const auto at = std::find(table.names.begin(), table.names.end(), name) - table.names.begin();
      return table.rows[k][static_cast<std::size_t>(at)];
    };
    EXPECT_NEAR(value("q"), number(states[k]["q"]), 1e-12) << k;
    EXPECT_NEAR(value("z"), number(states[k]["z"]), 1e-12) << k;
    EXPECT_NEAR(value("exact_position"), number(states[k]["exact_q"]), 1e-12) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Gallery, ExampleOfDiscreteMechanics,
                         ::testing::Values(std::pair{"discrete-free-particle", "discrete_free_particle_fig1"},
                                           std::pair{"discrete-oscillator", "discrete_oscillator_fig2"}),
                         [](const auto& each) { return each.param.second; });

TEST(DiscreteMotion, SaysHowItStartsAndThatItsLawsAreItsOwn) {
  const auto run = run_herglotz({"simulate", "discrete-free-particle"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("discrete-herglotz, order of its discrete Lagrangian, step 0.5 (auto: "),
                             HasSubstr("momenta p_v = 2.05128205 found from the second position q = 2"),
                             HasSubstr("a discrete motion has its own laws"), Not(HasSubstr("do not trust"))));
}

TEST(DiscreteMotion, StartsFromVelocitiesMomentaAndTwoPositionsAlike) {
  const Folder folder;
  const auto end = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"simulate", "discrete-free-particle", "--out", "run.csv"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto run = run_herglotz(arguments, folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    return table_of(folder.read("run.csv")).last("q");
  };
  const double reached = end({});
  EXPECT_NEAR(end({"--set", "p_v=2/0.975"}), reached, 1e-12);
  EXPECT_NEAR(end({"--set", "v=2/0.975"}), reached, 1e-12);
  EXPECT_NEAR(end({"--set", "v=9", "--set", "next.q=2"}), reached, 1e-12);
  EXPECT_NEAR(end({"--set", "next.q=3"}) - 1, 2 * (reached - 1), 1e-12);
}

TEST(CheckCommand, JudgesADiscreteLagrangianAtItsFirstStep) {
  const Folder folder;
  folder.write("d.toml", discrete_pendulum());
  const auto run = run_herglotz({"check", "d.toml"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("velocities found from two positions"),
                             HasSubstr("Lagrangian given in the model"), HasSubstr("first step theta 2.5 -> 2.49"),
                             HasSubstr("discrete Legendre map F- (1 x 1) has full rank"), HasSubstr("sigma_d = 0.996"),
                             HasSubstr("consistent: the first step arrives at [initial.next]"),
                             HasSubstr("auto chooses discrete-herglotz")));
  folder.write("rule.toml",
               with(discrete_pendulum(), "lagrangian = \"(theta1 - theta0)^2/(2*h) + h*cos(theta0) - h*gamma*z0\"",
                    "rule = \"midpoint\""));
  EXPECT_THAT(run_herglotz({"check", "rule.toml"}, folder.path()).out, HasSubstr("by rule: midpoint, implicit action"));
}

TEST(CheckCommand, FindsADiscreteLagrangianSingularWithStatusThree) {
  const Folder folder;
  folder.write("s.toml", with(with(discrete_pendulum(), "(theta1 - theta0)^2/(2*h)", "theta1 + theta0"),
                              "[initial.next]\ntheta = 2.49\n", ""));
  const auto run = run_herglotz({"check", "s.toml"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
}

TEST(CheckCommand, SaysWhatStepIsNeededWhereSigmaIsNotPositive) {
  const Folder folder;
  folder.write("d.toml", with(discrete_pendulum(), "step = 0.02", "step = 8"));
  const auto run = run_herglotz({"check", "d.toml"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out, AllOf(HasSubstr("sigma_d = -0.6"), HasSubstr("take a step of at most 2")));
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
}

namespace {

/// The model with the rule "exact", and without the energy of the pendulum where it is to be linear.
std::string exact_model(bool linear) {
  std::string text = with(pendulum, "[symmetries]\nturn = [\"1\"]\n", "[discrete]\nrule = \"exact\"\n");
  if (linear) text = with(text, "cos(theta)", "(-theta^2/2)");
  return with(with(text, "step = 0.02", "step = 0.5"), "[simulation]", "[initial.next]\ntheta = 2.4\n\n[simulation]");
}

}  // namespace

TEST(ExactRule, HasAFormulaForALinearSystem) {  // [ASMLL20, Eq. 78]
  const Folder folder;
  folder.write("e.toml", exact_model(true));
  const auto derived = run_herglotz({"derive", "e.toml", "--discrete"}, folder.path());
  ASSERT_EQ(derived.status, 0) << derived.err;
  EXPECT_THAT(derived.out, AllOf(HasSubstr("exact, in closed form"), HasSubstr("cos("), HasSubstr("sigma_d = exp(-")));
  const auto check = run_herglotz({"check", "e.toml"}, folder.path());
  EXPECT_THAT(check.out,
              AllOf(HasSubstr("Lagrangian by rule: exact, in closed form"), HasSubstr("exact: it differs by")));
  const auto run = run_herglotz({"simulate", "e.toml", "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  // The motion through 2.5 and 2.4: exp(-t/10) (2.5 cos(w t) + b sin(w t)) with w^2 = 1 - 1/100.
  const double w = std::sqrt(0.99);
  const auto exact = [&](double t, double b) {
    return std::exp(-t / 10) * (2.5 * std::cos(w * t) + b * std::sin(w * t));
  };
  const double b = (2.4 * std::exp(0.05) - 2.5 * std::cos(w / 2)) / std::sin(w / 2);
  const auto table = table_of(folder.read("run.csv"));
  ASSERT_EQ(table.rows.size(), 5u);
  for (const auto& row : table.rows) EXPECT_NEAR(row[1], exact(row[0], b), 1e-12) << row[0];
}

TEST(ExactRule, FollowsTheMotionOfAnotherSystem) {  // [ASMLL20, Thm 4.4]
  const Folder folder;
  folder.write("e.toml", exact_model(false));
  const auto run = run_herglotz({"simulate", "e.toml", "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("rule = \"exact\" are given"));
  const auto table = table_of(folder.read("run.csv"));
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_NEAR(table.rows[1][1], 2.4, 1e-12);
  const auto check = run_herglotz({"check", "e.toml"}, folder.path());
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, AllOf(HasSubstr("exact, by the motion"), HasSubstr("d q1/d v0 has full rank"),
                               HasSubstr("sigma_d = 0.904837418")));  // exp(-gamma h)
  const auto derived = run_herglotz({"derive", "e.toml", "--discrete"}, folder.path());
  EXPECT_EQ(derived.status, 2);
  EXPECT_THAT(derived.err, HasSubstr("has no formula here"));
}

TEST(CheckCommand, FindsVelocitiesOfMomenta) {
  const auto run = run_herglotz({"check", "double-pendulum", "--set", "p_v1=1", "--set", "p_v2=1"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("velocities found from the momenta"));
}

TEST(DeriveCommand, PrintsDiscreteHerglotzEquationsInEveryFormatButC) {
  const auto text = run_herglotz({"derive", "discrete-oscillator", "--discrete"});
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("sigma_d = gamma*h + 1"), HasSubstr("q[k+1]"), HasSubstr("q[k-1]")));
  for (const std::string format : {"latex", "sympy"})
    EXPECT_EQ(run_herglotz({"derive", "discrete-oscillator", "--discrete", "--format", format}).status, 0) << format;
}

namespace {

struct DiscreteMistake {
  std::string name;
  std::vector<std::string> arguments;
  std::string message;
};

class DiscreteMistakes : public ::testing::TestWithParam<DiscreteMistake> {};

}  // namespace

TEST_P(DiscreteMistakes, GetOneLineAndStatusTwo) {
  const Folder folder;
  folder.write("d.toml", discrete_pendulum());
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz(GetParam().arguments, folder.path());
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr(GetParam().message));
  EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, DiscreteMistakes,
    ::testing::Values(
        DiscreteMistake{
            "EquationsOfNoDiscreteLagrangian",
            {"derive", "p.toml", "--discrete"},
            "p.toml: the model has no discrete Lagrangian; add [discrete] with lagrangian = \"...\", or with "
            "rule = \"midpoint\""},
        DiscreteMistake{"DiscreteInC",
                        {"derive", "d.toml", "--discrete", "--format", "c"},
                        "use --format text, latex, sympy or json"},
        DiscreteMistake{"DiscreteAndGeometry",
                        {"derive", "d.toml", "--discrete", "--geometry"},
                        "--discrete: both --geometry and --discrete are given; keep one of them"},
        DiscreteMistake{
            "NextForAContinuousMethod",
            {"simulate", "d.toml", "--method", "contact-gauss-4"},
            "d.toml:28:1: [initial.next] starts a discrete motion, which method contact-gauss-4 does not follow; "
            "choose discrete-herglotz and a step"},
        DiscreteMistake{"NextForATolerance",
                        {"simulate", "d.toml", "--tolerance", "1e-9"},
                        "[initial.next] starts a discrete motion, which method reference does not follow"},
        DiscreteMistake{
            "DiscreteMethodWithoutDiscreteLagrangian",
            {"simulate", "p.toml", "--method", "discrete-herglotz"},
            "method discrete-herglotz cannot run this model: it has no discrete Lagrangian; add a [discrete] "
            "table"},
        DiscreteMistake{
            "NextWithoutDiscreteLagrangian", {"simulate", "p.toml", "--set", "next.theta=1"}, "add [discrete]"}),
    [](const auto& each) { return each.param.name; });
