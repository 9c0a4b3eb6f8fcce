// Runs of singular Lagrangians on their final constraint set.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "herglotz/io/sweep_file.hpp"
#include "program.hpp"
#include "project_folders.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

nlohmann::json stored(const std::string& name) {
  std::ifstream stream(herglotz::source_folder() + "/tests/reference/singular/" + name + ".json");
  return nlohmann::json::parse(stream);
}

std::string christ_lee_from(const std::string& start, const std::string& gauge = "") {
  return R"toml([model]
name = "frame"
[algebroid]
kind = "tangent"
base = ["x1", "x2", "y"]
fibre = ["w1", "w2", "wy"]
[parameters]
g = 0.2
[dynamics]
lagrangian = "(w1 - y*x2)^2/2 + (w2 + y*x1)^2/2 - (x1^2 + x2^2)/2 - g*z"
[observables]
r2 = "x1^2 + x2^2"
r_dot_p = "x1*p_w1 + x2*p_w2"
p_1 = "p_w1"
p_2 = "p_w2"
[simulation]
tolerance = 1e-11
t_end = 4
output_step = 1
[initial]
x1 = 1
x2 = 0.5
w1 = 0.3
w2 = 0.15
z = 0.1
)toml" + start +
         (gauge.empty() ? "" : "[gauge]\n" + gauge + "\n");
}

struct Outcome {
  Finished run;
  Table table;
};

Outcome simulated(const std::string& model, const std::vector<std::string>& more = {}) {
  const Folder folder;
  folder.write("m.toml", model);
  std::vector<std::string> arguments{"simulate", "m.toml", "--out", "m.csv"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  Outcome outcome{run_herglotz(arguments, folder.path()), {}};
  if (folder.has("m.csv")) outcome.table = table_of(folder.read("m.csv"));
  return outcome;
}

double at(const Table& table, double t, const std::string& name) {
  const auto column = [&](const std::string& of) {
    return static_cast<std::size_t>(std::find(table.names.begin(), table.names.end(), of) - table.names.begin());
  };
  for (const auto& row : table.rows)
    if (std::abs(row[0] - t) < 1e-9) return row.at(column(name));
  return std::nan("");
}

/// The largest number in the columns whose names begin so.
double largest_of_columns(const Table& table, const std::string& begins) {
  double most = 0;
  for (std::size_t k = 0; k < table.names.size(); ++k)
    if (table.names[k].rfind(begins, 0) == 0)
      for (const auto& row : table.rows) most = std::max(most, std::abs(row[k]));
  return most;
}

void expect_samples(const Table& table, const std::string& gauge) {
  for (const auto& sample : stored("singular_christ_lee_damped")["samples"]) {
    if (sample["gauge"] != gauge) continue;
    for (const char* name : {"x1", "x2", "z", "r2"})
      EXPECT_NEAR(at(table, sample["t"], name), sample[name].get<double>(), 1e-9) << name << " " << sample["t"];
    EXPECT_NEAR(at(table, sample["t"], "p_1"), sample["p_w1"].get<double>(), 1e-9);
    EXPECT_NEAR(at(table, sample["t"], "p_2"), sample["p_w2"].get<double>(), 1e-9);
  }
}

}  // namespace

TEST(SingularRun, InTwoGaugesReachesTheStoredStatesAndTheSameInvariants) {
  const auto still = simulated(christ_lee_from("", "conditions = [\"y\"]"));
  const auto turning = simulated(christ_lee_from("wy = 2.5\n", "conditions = [\"y - t - sin(3*t)/2\"]"));
  ASSERT_EQ(still.run.status, 0) << still.run.err;
  ASSERT_EQ(turning.run.status, 0) << turning.run.err;
  expect_samples(still.table, "y = 0");
  expect_samples(turning.table, "y = t + sin(3 t)/2");
  for (const char* name : {"r2", "r_dot_p", "z"})
    EXPECT_NEAR(still.table.last(name), turning.table.last(name), 1e-9) << name;
  EXPECT_NEAR(turning.table.last("y"), 4 + std::sin(12.0) / 2, 1e-9);
  EXPECT_LT(largest_of_columns(turning.table, "constraint."), 1e-12);
  EXPECT_LT(largest_of_columns(turning.table, "energy_residual"), 1e-9);
  EXPECT_THAT(turning.table.names, ::testing::Contains("constraint.6"));
}

TEST(SingularRun, ChoosesTheSmallestRatesWithoutConditions) {
  const auto least = simulated(christ_lee_from(""));
  ASSERT_EQ(least.run.status, 0) << least.run.err;
  const auto fixed = simulated(christ_lee_from("", "conditions = [\"y\"]"));
  EXPECT_NEAR(least.table.last("r2"), fixed.table.last("r2"), 1e-9);
  EXPECT_NEAR(least.table.last("z"), fixed.table.last("z"), 1e-9);
  EXPECT_LT(largest_of_columns(least.table, "constraint."), 1e-12);
}

TEST(SingularRun, RefusesToChooseWhereItIsToldSo) {
  const auto refused = simulated(christ_lee_from("", "choose = \"refuse\""));
  EXPECT_EQ(refused.run.status, 3);
  EXPECT_THAT(refused.run.err, HasSubstr("the rate of wy is an arbitrary function of time, and [gauge] refuses"));
}

TEST(SingularRun, RefusesConditionsThatDoNotFit) {
  const auto two = simulated(christ_lee_from("", "conditions = [\"y\", \"wy\"]"));
  EXPECT_EQ(two.run.status, 3);
  EXPECT_THAT(two.run.err, HasSubstr("[gauge] has 2 conditions, and 1 of the rates is arbitrary; give one for each"));
  const auto physical = simulated(christ_lee_from("", "conditions = [\"x1^2 + x2^2 - 5/4\"]"));
  EXPECT_EQ(physical.run.status, 3);
  EXPECT_THAT(physical.run.err, HasSubstr("the conditions of [gauge]"));
  const auto key = simulated(christ_lee_from("", "condition = [\"y\"]"));
  EXPECT_EQ(key.run.status, 2);
  EXPECT_THAT(key.run.err, HasSubstr("unknown key 'condition'; did you mean conditions?"));
}

TEST(SingularRun, OfAFirstOrderLagrangianIsADampedRotation) {
  const std::string model = R"toml([model]
name = "first-order"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["vx", "vy"]
[parameters]
g = 0.2
[dynamics]
lagrangian = "x*vy - (x^2 + y^2)/2 - g*z"
[simulation]
tolerance = 1e-11
t_end = 6
output_step = 1
[initial]
x = 1
y = 0.3
z = 0.1
)toml";
  const auto off = simulated(model);
  EXPECT_EQ(off.run.status, 3);
  EXPECT_THAT(off.run.err,
              HasSubstr("constraint 3 (level 2), x - vy = 0, is 1 at the start; give initial values on the "
                        "final set, or set project = true in [initial]"));
  const auto moved = simulated(model + "project = true\n");
  ASSERT_EQ(moved.run.status, 0) << moved.run.err;
  for (const auto& sample : stored("singular_linear_in_velocities")["samples"])
    for (const char* name : {"x", "y", "vx", "vy", "z"})
      EXPECT_NEAR(at(moved.table, sample["t"], name), sample[name].get<double>(), 1e-9) << name;
  EXPECT_LT(largest_of_columns(moved.table, "constraint."), 1e-13);
}

TEST(SingularRun, StopsWhereItsRatesAreNoLongerDetermined) {
  const auto stopped = simulated(R"toml([model]
name = "needle"
[algebroid]
kind = "lie-algebra"
group = "so3"
fibre = ["o1", "o2", "o3"]
[dynamics]
lagrangian = "o1^2/2 + o2^2 + 3*o3/10 - z/10"
[simulation]
t_end = 100
[initial]
o1 = 1
project = true
)toml");
  EXPECT_EQ(stopped.run.status, 3);
  EXPECT_THAT(stopped.run.err, HasSubstr(" at t = "));
  EXPECT_FALSE(stopped.table.rows.empty());
}

TEST(SingularRun, WithLinearConstraintsIsThatOfTheReducedModel) {
  const Folder folder;
  const auto model = folder.write("m.toml", christ_lee_from("project = true\n[constraints]\nrule = \"nonholonomic\"\n"
                                                            "equations = [\"w2 - x1*w1\"]\n"));
  const auto run = run_herglotz({"simulate", model, "--t-end", "1", "--out", "m.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto reduced = run_herglotz({"reduce", model}, folder.path());
  ASSERT_EQ(reduced.status, 0) << reduced.err;
  const auto other =
      run_herglotz({"simulate", folder.write("r.toml", reduced.out), "--t-end", "1", "--out", "r.csv"}, folder.path());
  ASSERT_EQ(other.status, 0) << other.err;
  const auto given = table_of(folder.read("m.csv"));
  const auto expected = table_of(folder.read("r.csv"));
  EXPECT_LT(largest_of_columns(given, "constraint."), 1e-12);
  EXPECT_LT(largest_of_columns(given, "energy_residual"), 1e-8);
  for (const char* name : {"x1", "x2", "z"}) EXPECT_NEAR(given.last(name), expected.last(name), 1e-8) << name;
}

/// A model of t <= 2 with a sample at its end.
std::string model_of(const std::string& base, const std::string& fibre, const std::string& lagrangian,
                     const std::string& constraints, const std::string& initial) {
  return "[model]\nname = \"m\"\n[algebroid]\nkind = \"tangent\"\nbase = [" + base + "]\nfibre = [" + fibre +
         "]\n[dynamics]\nlagrangian = \"" + lagrangian + "\"\n" + constraints +
         "[simulation]\ntolerance = 1e-12\nt_end = 2\noutput_step = 0.5\n[initial]\n" + initial;
}

/// Expects equal values of these columns at the end of two runs.
void expect_equal_ends(const Outcome& singular, const Outcome& regular, const std::vector<std::string>& names) {
  ASSERT_EQ(singular.run.status, 0) << singular.run.err;
  ASSERT_EQ(regular.run.status, 0) << regular.run.err;
  EXPECT_LT(largest_of_columns(singular.table, "constraint."), 1e-12);
  EXPECT_LT(largest_of_columns(singular.table, "energy_residual"), 1e-10);
  for (const auto& name : names) EXPECT_NEAR(singular.table.last(name), regular.table.last(name), 1e-10) << name;
}

// In these models s has no velocity, so that its equation is L_s = 0. The regular ones are written without it.

TEST(SingularRun, WithANonholonomicConstraintIsThatWithoutTheCoordinateThatItDetermines) {
  const std::string rule = "[constraints]\nrule = \"nonholonomic\"\nequations = [\"vy - x*vx\"]\n";
  const auto singular = simulated(model_of("\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"",
                                           "(vx^2 + vy^2)/2 - (x^2 + y^2)/2 - s^2/2 + s*x - z/5", rule,
                                           "x = 0.7\ny = 0.2\ns = 0.7\nvx = 0.5\nvy = 0.35\nvs = 0.5\n"));
  const auto regular = simulated(model_of("\"x\", \"y\"", "\"vx\", \"vy\"", "(vx^2 + vy^2)/2 - y^2/2 - z/5", rule,
                                          "x = 0.7\ny = 0.2\nvx = 0.5\nvy = 0.35\n"));
  expect_equal_ends(singular, regular, {"x", "y", "vx", "vy", "z", "lambda1"});
  EXPECT_NEAR(singular.table.last("s"), singular.table.last("x"), 1e-12);
}

TEST(SingularRun, FindsMultipliersThatMasslessCoordinatesDetermine) {
  // y and s have no mass. Their equations are lambda = y - (s - y) and s = y, and the constraint is dy = y dx. What is
  // left is the motion of x in the potential x^2/2 + y^2/2 with y = y(0) exp(x - x(0)).
  const auto singular =
      simulated(model_of("\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"", "vx^2/2 - x^2/2 - y^2/2 - (s - y)^2/2 - z/5",
                         "[constraints]\nrule = \"nonholonomic\"\nequations = [\"vy - s*vx\"]\n",
                         "x = 0.3\ny = 0.8\ns = 0.8\nvx = 0.5\nvy = 0.4\nvs = 0.4\n"));
  const auto regular =
      simulated(model_of("\"x\"", "\"vx\"", "vx^2/2 - x^2/2 - 0.32*exp(2*(x - 0.3)) - z/5", "", "x = 0.3\nvx = 0.5\n"));
  expect_equal_ends(singular, regular, {"x", "vx", "z"});
  const double y = 0.8 * std::exp(regular.table.last("x") - 0.3);
  for (const char* name : {"y", "s", "lambda1"}) EXPECT_NEAR(singular.table.last(name), y, 1e-10) << name;
}

TEST(SingularRun, WithAHolonomicConstraintIsThatWithoutTheCoordinateThatItDetermines) {
  const std::string rule = "[constraints]\nrule = \"nonholonomic\"\nequations = [\"x^2 + y^2 - 1\"]\n";
  const auto singular =
      simulated(model_of("\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"", "(vx^2 + vy^2)/2 - y - s^2/2 + s*y - z/5",
                         rule, "x = 0.6\ny = 0.8\ns = 0.8\nvx = 0.4\nvy = -0.3\nvs = -0.3\n"));
  const auto regular = simulated(model_of("\"x\", \"y\"", "\"vx\", \"vy\"", "(vx^2 + vy^2)/2 - y + y^2/2 - z/5", rule,
                                          "x = 0.6\ny = 0.8\nvx = 0.4\nvy = -0.3\n"));
  expect_equal_ends(singular, regular, {"x", "y", "vx", "vy", "z", "lambda1"});
}

TEST(SingularRun, WithAVakonomicConstraintIsThatWithoutTheCoordinateThatItDetermines) {
  const std::string rule = "[constraints]\nrule = \"vakonomic\"\nequations = [\"vy - x*vx\"]\n";
  const auto singular =
      simulated(model_of("\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"", "(vx^2 + vy^2)/2 - (s - x)^2/2 - y^2/2 - z/5",
                         rule, "x = 0.7\ny = 0.2\ns = 0.7\nvx = 0.5\nvy = 0.35\nvs = 0.5\nnu1 = 0.3\n"));
  const auto regular = simulated(model_of("\"x\", \"y\"", "\"vx\", \"vy\"", "(vx^2 + vy^2)/2 - y^2/2 - z/5", rule,
                                          "x = 0.7\ny = 0.2\nvx = 0.5\nvy = 0.35\nnu1 = 0.3\n"));
  expect_equal_ends(singular, regular, {"x", "y", "vx", "vy", "z", "nu1"});
}

TEST(SingularRun, WithAConstraintMovesAStartAndFindsItsEvents) {
  const auto moved = simulated(
      model_of("\"x\", \"y\", \"s\"", "\"vx\", \"vy\", \"vs\"", "(vx^2 + vy^2)/2 - (x^2 + y^2)/2 - s^2/2 + s*x - z/5",
               "[constraints]\nrule = \"nonholonomic\"\nequations = [\"vy - x*vx\"]\n[events]\nturn = { at = \"vx\", "
               "stop = true }\n",
               "x = 0.7\ny = 0.9\ns = 0.2\nvx = 0.5\nproject = true\n"),
      {"--t-end", "20"});
  ASSERT_EQ(moved.run.status, 0) << moved.run.err;
  EXPECT_THAT(moved.run.out, HasSubstr("start moved onto the final set"));
  EXPECT_LT(std::abs(moved.table.last("vx")), 1e-12);
  EXPECT_LT(largest_of_columns(moved.table, "constraint."), 1e-12);
}

class SingularMethod : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(SingularMethod, ReachesTheStoredStatesAndKeepsAllLevels) {
  const auto outcome = simulated(christ_lee_from("wy = 2.5\n", "conditions = [\"y - t - sin(3*t)/2\"]"), GetParam());
  ASSERT_EQ(outcome.run.status, 0) << outcome.run.err;
  expect_samples(outcome.table, "y = t + sin(3 t)/2");
  EXPECT_LT(largest_of_columns(outcome.table, "constraint."), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Explicit, SingularMethod,
                         ::testing::Values(std::vector<std::string>{"--method", "taylor"},
                                           std::vector<std::string>{"--method", "radau-5"},
                                           std::vector<std::string>{"--method", "stiff", "--tolerance", "1e-12"},
                                           std::vector<std::string>{"--method", "runge-kutta-4", "--step", "0.002"},
                                           std::vector<std::string>{"--method", "runge-kutta-8", "--step", "0.04"}),
                         [](const auto& each) {
                           std::string name = each.param[1];
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(SingularRun, IsRefusedByMethodsThatDoNotFollowRates) {
  const auto refused = simulated(christ_lee_from(""), {"--method", "contact-gauss-4", "--step", "0.1"});
  EXPECT_EQ(refused.run.status, 2);
  EXPECT_THAT(refused.run.err, HasSubstr("method contact-gauss-4 does not follow singular Lagrangians; choose one of "
                                         "reference, taylor, runge-kutta-4, runge-kutta-8"));
}

TEST(SingularSweep, HasTheRunsOfItsMembers) {
  const Folder folder;
  const std::string model = christ_lee_from("wy = 2.5\n", "conditions = [\"y - t - sin(3*t)/2\"]");
  folder.write("m.toml", model + "[sweep]\nkeep = \"final\"\nparameters.g = [0.0, 0.2, 0.4]\n");
  const auto sweep = run_herglotz({"sweep", "m.toml", "--out", "e.h5"}, folder.path());
  ASSERT_EQ(sweep.status, 0) << sweep.err;
  const herglotz::io::SweepReader reader(folder.path() / "e.h5");
  const std::vector<std::string> values{"0.0", "0.2", "0.4"};
  for (const char* name : {"x1", "r2", "z"}) {
    const auto ends = reader.column(name, 0, values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_EQ(ends[k], simulated(model, {"--set", "g=" + values[k]}).table.last(name)) << name << " " << values[k];
  }
}

TEST(SingularRun, IsNotDifferentiated) {
  const std::string model = R"toml([model]
name = "massless"
[algebroid]
kind = "tangent"
base = ["x", "y"]
fibre = ["v", "w"]
[parameters]
k = 1
[dynamics]
lagrangian = "v^2/2 - k*x*y + y^2/2 - z/5"
[initial]
x = 1
y = 1
)toml";
  for (const char* method : {"reference", "taylor"}) {
    const auto refused = simulated(model, {"--sensitivities", "k", "--method", method, "--t-end", "1"});
    EXPECT_EQ(refused.run.status, 2);
    EXPECT_THAT(refused.run.err,
                HasSubstr("the motion of a singular Lagrangian on its final set is not differentiated"));
    EXPECT_EQ(lines_of(refused.run.err).size(), 1U) << refused.run.err;
  }
}

TEST(RegularRun, TakesNoGaugeConditions) {
  const std::string model = R"toml([model]
name = "free"
[algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2"
[gauge]
conditions = ["x"]
)toml";
  const Folder folder;
  folder.write("m.toml", model);
  for (const auto& refused : {simulated(model).run, run_herglotz({"check", "m.toml"}, folder.path()),
                              run_herglotz({"derive", "m.toml"}, folder.path())}) {
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("[gauge] has conditions, but the Lagrangian is regular"));
  }
}
