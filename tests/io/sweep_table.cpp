#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.hpp"
#include "herglotz/io/plan_file.hpp"
#include "herglotz/io/sweep_file.hpp"
#include "project_folders.hpp"

namespace herglotz::io {
namespace {

using ensemble::Keep;
using ensemble::ProbabilityDistribution;
using ensemble::Range;
using ensemble::Sampling;
using ensemble::Target;
using ::testing::ElementsAre;
using List = std::vector<double>;

/// q'' + gamma q' + k/m q = 0; what follows the model begins in line 21.
std::string model_with_sweep(const std::string& sweep) {
  return R"([model]
name = "oscillator"
[algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
m = 1.0
k = 2.0
gamma = 0.1
[dynamics]
lagrangian = "m*v^2/2 - k*q^2/2 - gamma*z"
[observables]
speed = "abs(p_v)/m"
[initial]
q = 1.0
v = 0.5
[simulation]
step = 0.05
t_end = 10.0
)" + sweep;
}

std::string error_of_sweep(const std::string& sweep) {
  return error_of([&] { parse_plan(model_with_sweep(sweep), "m.toml"); });
}

/// The error at a place of the lines after "[sweep]".
std::string error_in(const std::string& lines) {
  return error_of_sweep("[sweep]\n" + lines);
}

TEST(SweepTable, TakesRangesListsAndDistributions) {
  const auto plan = parse_plan(model_with_sweep(R"([sweep]
keep = "times"
times = [1, 2, "5"]
columns = ["q", "energy", "speed"]
sampling = "sobol"
samples = 1000
seed = 7
zip = [["gamma", "k"]]
[sweep.parameters]
gamma = { from = 0.0, to = 1.0, count = 11 }
k = { from = 0.1, to = 10.0, count = 11, spacing = "log" }
m = [1.0, "2*pi", 3]
[sweep.initial]
q = { distribution = "normal", mean = 0.5, deviation = 2.0 }
v = { distribution = "uniform", from = -1.0, to = 1.0 }
z = { distribution = "log-uniform", from = 0.1, to = 1.0 }
t = { distribution = "exponential", mean = 3.0 }
)"));
  EXPECT_EQ(plan.output.keep, Keep::times);
  EXPECT_THAT(plan.output.times, ElementsAre(1, 2, 5));
  EXPECT_THAT(plan.output.columns, ElementsAre("q", "energy", "speed"));
  const auto& sweep = plan.sweep;
  EXPECT_EQ(sweep.sampling, Sampling::sobol);
  EXPECT_EQ(sweep.samples, 1000U);
  EXPECT_EQ(sweep.seed, 7U);
  EXPECT_THAT(sweep.zipped, ElementsAre(ElementsAre("gamma", "k")));
  ASSERT_EQ(sweep.quantities.size(), 7U);
  std::vector<std::string> names;
  for (const auto& quantity : sweep.quantities) {
    names.push_back(quantity.name);
    EXPECT_EQ(quantity.target, names.size() <= 3 ? Target::parameter : Target::initial);
  }
  EXPECT_THAT(names, ElementsAre("gamma", "k", "m", "q", "v", "z", "t"));
  const auto& gamma = std::get<Range>(sweep.quantities[0].values);
  EXPECT_EQ(gamma.from, 0);
  EXPECT_EQ(gamma.to, 1);
  EXPECT_EQ(gamma.count, 11U);
  EXPECT_FALSE(gamma.logarithmic);
  EXPECT_TRUE(std::get<Range>(sweep.quantities[1].values).logarithmic);
  EXPECT_EQ(std::get<List>(sweep.quantities[2].values), (List{1, 2 * M_PI, 3}));
  const auto random = [&](std::size_t q) { return std::get<ProbabilityDistribution>(sweep.quantities[q].values); };
  EXPECT_EQ(random(3).kind, ProbabilityDistribution::Kind::normal);
  EXPECT_EQ(random(3).a, 0.5);
  EXPECT_EQ(random(3).b, 2);
  EXPECT_EQ(random(4).kind, ProbabilityDistribution::Kind::uniform);
  EXPECT_EQ(random(4).a, -1);
  EXPECT_EQ(random(5).kind, ProbabilityDistribution::Kind::log_uniform);
  EXPECT_EQ(random(6).kind, ProbabilityDistribution::Kind::exponential);
  EXPECT_EQ(random(6).a, 3);
  EXPECT_EQ(sweep.members(), 33000U);
}

TEST(SweepTable, KeepsFinalStatesOfTheWholeModelUnlessItSaysOtherwise) {
  const auto plan = parse_plan(model_with_sweep("[sweep.initial]\nq = [1, 2]\n"));
  EXPECT_EQ(plan.output.keep, Keep::final);
  EXPECT_TRUE(plan.output.columns.empty());
  EXPECT_EQ(plan.sweep.sampling, Sampling::random);
  EXPECT_EQ(plan.problem.system.name, "oscillator");
  EXPECT_EQ(plan.problem.settings.step, 0.05);
  EXPECT_EQ(plan.problem.initial.at("q"), 1);
}

TEST(SweepTable, IsLeftOutOfASingleRun) {
  const auto problem = parse_model(model_with_sweep("[sweep.initial]\np_v = [1, 2]\n"));
  EXPECT_EQ(problem.initial.at("v"), 0.5);
  EXPECT_FALSE(problem.initial.contains("p_v"));
}

TEST(SweepTable, MakesVelocitiesGiveWayToSweptMomenta) {
  const auto plan = parse_plan(model_with_sweep("[sweep.initial]\np_v = [1, 2]\n"));
  EXPECT_FALSE(plan.problem.initial.contains("v"));
  EXPECT_EQ(plan.problem.initial.at("q"), 1);
  EXPECT_TRUE(parse_plan(model_with_sweep("[sweep.initial]\nq = [1, 2]\n")).problem.initial.contains("v"));
}

TEST(SweepTable, IsNeededForAPlan) {
  EXPECT_EQ(error_of_sweep(""),
            "m.toml:1:1: the model has no [sweep] table; say there what varies: [sweep.parameters], [sweep.initial]");
  EXPECT_EQ(error_of_sweep("[sweep]\nkeep = \"final\"\n"),
            "m.toml:21:1: [sweep] varies nothing; give quantities in [sweep.parameters] or [sweep.initial]");
}

TEST(SweepTable, MayVaryNothingWhereAnOptionDoes) {
  const std::string text = model_with_sweep("[sweep]\nkeep = \"trajectory\"\n");
  const auto plan = parse_plan(text, "m.toml", {"q=1:2:3"});
  EXPECT_EQ(plan.output.keep, ensemble::Keep::trajectory);
  EXPECT_EQ(plan.sweep.shape(), std::vector<std::size_t>{3});
  parse_model(text, "m.toml");
}

TEST(SweepTable, IsCheckedWithTheModel) {
  EXPECT_EQ(error_of([] { parse_model(model_with_sweep("[sweep.initial]\nq = []\n"), "m.toml"); }),
            "m.toml:22:5: the list of 'q' has no values; give at least one");
}

TEST(SweepTable, SuggestsNames) {
  EXPECT_EQ(error_in("keeps = \"final\"\n"), "m.toml:22:1: unknown key 'keeps'; did you mean keep?");
  EXPECT_EQ(error_of_sweep("[sweep.parameters]\ngama = [1]\n"),
            "m.toml:22:1: unknown parameter 'gama'; did you mean gamma?");
  EXPECT_EQ(error_of_sweep("[sweep.initial]\nx = [1]\n"),
            "m.toml:22:1: unknown initial value 'x'; known are q, v, z, t, p_v");
  EXPECT_EQ(error_of_sweep("[sweep.initial]\ngamma = [1]\n"),
            "m.toml:22:1: 'gamma' is a parameter; give its values in [sweep.parameters]");
  EXPECT_EQ(error_of_sweep("[sweep.parameters]\nq = [1]\n"),
            "m.toml:22:1: 'q' is an initial value; give its values in [sweep.initial]");
  EXPECT_EQ(error_in("columns = [\"q\", \"enrgy\"]\n[sweep.initial]\nq = [1]\n"),
            "m.toml:22:17: unknown column 'enrgy'; did you mean energy?");
  EXPECT_EQ(error_in("keep = \"finals\"\n[sweep.initial]\nq = [1]\n"),
            "m.toml:22:8: unknown choice 'finals'; did you mean final?");
  EXPECT_EQ(error_in("zip = [[\"q\", \"gamma\"]]\n[sweep.initial]\nq = [1]\n"),
            "m.toml:22:14: unknown swept quantity 'gamma'; known are q");
}

TEST(SweepTable, SaysWhatIsWrongWithValues) {
  const auto of_q = [](const std::string& values) { return error_of_sweep("[sweep.initial]\nq = " + values + "\n"); };
  EXPECT_EQ(of_q("1"),
            "m.toml:22:5: expected an array or a table, got a number; give 'q' a list [1, 2], a range { from = 0, to = "
            "1, count = 11 } or a distribution");
  EXPECT_EQ(of_q("[1, \"q\"]"),
            "m.toml:22:10: a value of 'q' may not depend on the base coordinate 'q'; write a number, or a constant "
            "such as pi/3");
  EXPECT_EQ(of_q("{ from = 0, to = 1 }"),
            "m.toml:22:5: the range of 'q' has no 'count'; say how many values it has, both ends among them");
  EXPECT_EQ(of_q("{ from = 0, count = 2 }"), "m.toml:22:5: the range of 'q' has no 'to'; add to = 1.0");
  EXPECT_EQ(of_q("{ from = 0, to = 1, count = 2.5 }"),
            "m.toml:22:33: 'count' is not a whole number from 1 to 2^53; give an integer of at least 1");
  EXPECT_EQ(of_q("{ from = 0, to = 1, count = 2, spacing = \"cubic\" }"),
            "m.toml:22:46: unknown spacing 'cubic'; known are linear, log");
  EXPECT_EQ(of_q("{ from = 0, to = 1, count = 2, spacing = \"log\" }"),
            "m.toml:22:5: the range of 'q' is logarithmic and passes through 0; give ends of one sign");
  EXPECT_EQ(of_q("{ from = 0, to = 1, count = 1 }"),
            "m.toml:22:5: the range of 'q' has two ends and one value; give a count of at least 2");
  EXPECT_EQ(of_q("{ distribution = \"gauss\", mean = 0 }"),
            "m.toml:22:22: unknown distribution 'gauss'; known are uniform, log-uniform, normal, log-normal, "
            "exponential");
  EXPECT_EQ(of_q("{ distribution = \"normal\", mean = 0 }"),
            "m.toml:22:5: the distribution of 'q' has no 'deviation'; add deviation = 1.0");
  EXPECT_EQ(of_q("{ distribution = \"normal\", mean = 0, deviation = 0 }"),
            "m.toml:22:5: the distribution of 'q' has no positive deviation; give one above 0");
  EXPECT_EQ(of_q("{ distribution = \"exponential\", mean = 1, from = 2 }"),
            "m.toml:22:47: unknown key 'from'; known are distribution, mean");
}

TEST(SweepTable, SaysWhatDoesNotFitTogether) {
  const std::string q = "[sweep.initial]\nq = [1, 2]\n";
  const std::string random = "[sweep.initial]\nq = { distribution = \"exponential\", mean = 1 }\n";
  EXPECT_EQ(error_in("keep = \"times\"\n" + q),
            "m.toml:22:1: keep = \"times\" has no 'times'; give them, e.g. times = [1, 2, 5]");
  EXPECT_EQ(error_in("times = [1]\n" + q),
            "m.toml:22:1: 'times' go with keep = \"times\" or \"statistics\"; choose one of them, or remove 'times'");
  EXPECT_EQ(error_in("keep = \"times\"\ntimes = [1, 3, 2]\n" + q),
            "m.toml:23:16: 'times' do not follow each other; give each once, in their order");
  EXPECT_EQ(error_in("keep = \"times\"\ntimes = [3, 2, 2]\n" + q),
            "m.toml:23:16: 'times' do not follow each other; give each once, in their order");
  EXPECT_EQ(error_in("columns = [\"q\", \"q\"]\n" + q), "m.toml:22:17: the column 'q' is named twice; name it once");
  EXPECT_EQ(error_in("samples = 3\n" + q),
            "m.toml:22:1: 'samples' is for distributions, and no quantity has one; remove it");
  EXPECT_EQ(error_of_sweep(random),
            "m.toml:21:1: there are distributions and no samples of them; give samples, e.g. 1000");
  EXPECT_EQ(error_in("samples = 0\n" + random),
            "m.toml:22:11: 'samples' is not a whole number from 1 to 2^53; give an integer of at least 1");
  EXPECT_EQ(error_in("samples = 5\nseed = -1\n" + random),
            "m.toml:23:8: 'seed' is not a whole number from 0 to 2^53; give such an integer");
  EXPECT_EQ(error_of_sweep("[sweep.initial]\nv = [1]\np_v = [1]\n"),
            "m.toml:23:1: both the velocity 'v' and the momentum 'p_v' are swept; start from velocities alone, or from "
            "momenta alone");
  EXPECT_EQ(error_in("zip = [[\"q\", \"k\"]]\n" + q + "[sweep.parameters]\nk = [1, 2, 3]\n"),
            "m.toml:22:14: 'k' has 3 values and 'q', with which it is zipped, has 2; give both as many");
  EXPECT_EQ(error_in("samples = 5\nzip = [[\"q\"]]\n" + random),
            "m.toml:23:9: 'q' is zipped and has a distribution; distributions go together as they are; leave it out");
}

/// What the file of an ensemble says of its sweep is read back as the same sweep.
TEST(SweepTable, ReadsWhatTheFilesOfEnsemblesSay) {
  const auto plan = parse_plan(model_with_sweep(R"([sweep]
sampling = "sobol"
samples = 100
seed = 9007199254740992
zip = [["gamma", "k"]]
[sweep.parameters]
gamma = { from = 0.1, to = "1/3", count = 3 }
k = { from = 1e-30, to = 1e30, count = 3, spacing = "log" }
m = [1.0, "pi", 1e-300]
[sweep.initial]
q = { distribution = "normal", mean = 0.1, deviation = "2/3" }
v = { distribution = "uniform", from = -1.0, to = 1.0 }
z = { distribution = "log-uniform", from = 0.1, to = "pi" }
t = { distribution = "exponential", mean = 3.3 }
)"));
  const auto again = parse_plan(model_with_sweep("[sweep]\n" + sweep_text(plan.sweep)));
  ASSERT_EQ(again.sweep.quantities.size(), 7U);
  EXPECT_EQ(again.sweep.shape(), plan.sweep.shape());
  EXPECT_EQ(again.sweep.axis_of(), plan.sweep.axis_of());
  List row(7);
  List row_again(7);
  for (std::size_t member = 0; member < plan.sweep.members(); ++member) {
    plan.sweep.values(member, row);
    again.sweep.values(member, row_again);
    ASSERT_EQ(row, row_again) << member;
  }
}

TEST(Examples, WithSweepsAreEnsembles) {
  const std::string folder = source_folder() + "/examples/";
  const auto basins = read_plan(folder + "basins.toml");
  EXPECT_THAT(basins.sweep.shape(), ElementsAre(201, 201));
  const auto spring = read_plan(folder + "uncertain_spring.toml");
  EXPECT_THAT(spring.sweep.shape(), ElementsAre(4096));
  EXPECT_EQ(spring.output.keep, Keep::statistics);
  EXPECT_THAT(spring.output.columns, ElementsAre("q", "energy"));
}

}  // namespace
}  // namespace herglotz::io
