#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

}  // namespace

TEST(SimulateCommand, WritesTheColumnsOfTheContractInTheirOrder) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--out", "p.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto table = table_of(folder.read("p.csv"));
  EXPECT_THAT(table.names, ElementsAre("t", "theta", "omega", "z", "energy", "integrating_factor", "energy_invariant",
                                       "energy_residual", "momentum.turn", "momentum_invariant.turn",
                                       "momentum_residual.turn", "height"));
  EXPECT_EQ(table.rows.size(), 101u);
  EXPECT_EQ(table.last("t"), 2.0);
  EXPECT_NEAR(table.last("integrating_factor"), std::exp(0.4), 1e-12);
  EXPECT_NEAR(table.last("height"), 1 - std::cos(table.last("theta")), 1e-15);
}

TEST(SimulateCommand, WritesSeventeenDigits) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "p.csv"}, folder.path()).status, 0);
  const auto csv = folder.read("p.csv");
  const auto value = table_of(csv).last("theta");
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  EXPECT_THAT(lines_of(csv).back(), HasSubstr(digits));
}

TEST(SimulateCommand, SaysWhatWasVerified) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("contact-gauss-4"), HasSubstr("auto: a step is given"), HasSubstr("100 steps"),
                             HasSubstr("verified"), HasSubstr("largest energy residual"), HasSubstr("momentum turn"),
                             HasSubstr("no constraints"), HasSubstr("101 rows")));
  EXPECT_THAT(run.out, HasSubstr(" energy_residual\n")) << "headings are whole";
  EXPECT_THAT(run.out, ::testing::Not(HasSubstr("verified   order"))) << "the order is declared by the method";
  EXPECT_THAT(run.out, ::testing::Not(HasSubstr("\x1b["))) << "colours are for terminals";
}

TEST(ReportCommand, ComparesTwoRuns) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "fine.h5"}, folder.path()).status, 0);
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--step", "0.1", "--out", "coarse.h5"}, folder.path()).status, 0);
  const auto both = run_herglotz({"report", "fine.h5", "coarse.h5", "--out", "both.html"}, folder.path());
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(folder.read("both.html"), HasSubstr("<title>fine and coarse</title>"));
  folder.write("notes.h5", "no run");
  const auto wrong = run_herglotz({"report", "fine.h5", "notes.h5", "--out", "no.html"}, folder.path());
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("notes.h5"), HasSubstr("give two .h5 files")));
}

TEST(SimulateCommand, LetsTheCommandLineReplaceTheFile) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run =
      run_herglotz({"simulate", "p.toml", "--set", "gamma=0", "--set", "theta=0.1", "--method", "contact-gauss-2",
                    "--step", "0.001", "--t-end", "1", "--output-every", "500", "--out", "p.csv"},
                   folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("contact-gauss-2, order 2, step 0.001"));
  const auto table = table_of(folder.read("p.csv"));
  EXPECT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0][1], 0.1);
  EXPECT_EQ(table.last("t"), 1.0);
  EXPECT_EQ(table.last("integrating_factor"), 1.0);
  EXPECT_NEAR(table.last("theta"), 0.1 * std::cos(1.0), 1e-4);
}

TEST(SimulateCommand, TakesAToleranceInPlaceOfTheFilesStep) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--tolerance", "1e-12"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("reference"), HasSubstr("tolerance 1e-12")));
}

TEST(SimulateCommand, FollowsTheMotionBackwards) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--t-end", "-1", "--out", "p.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(table_of(folder.read("p.csv")).last("t"), -1.0);
}

TEST(SimulateCommand, GivesTheSameBitsTwice) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "a.csv"}, folder.path()).status, 0);
  ASSERT_EQ(run_herglotz({"simulate", "p.toml", "--out", "b.csv"}, folder.path()).status, 0);
  EXPECT_EQ(folder.read("a.csv"), folder.read("b.csv"));
}

TEST(SimulateCommand, ReportsTheSameRunFromItsFile) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--out", "p.h5", "--report", "p.html"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(folder.read("p.html"), AllOf(HasSubstr("<html"), HasSubstr("Damped pendulum"), HasSubstr("dot")));
  const auto again = run_herglotz({"report", "p.h5", "--out", "q.html"}, folder.path());
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(folder.read("p.html"), folder.read("q.html"));
}

TEST(SimulateCommand, KeepsWhatARunReachedBeforeItFailed) {
  const Folder folder;
  folder.write("grow.toml", with(with(pendulum, "cos(theta)", "theta^4"), "step = 0.02\nt_end = 2", "t_end = 50"));
  const auto run = run_herglotz({"simulate", "grow.toml", "--out", "grow.csv", "--report", "grow.html"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr("grow.toml: "), HasSubstr("t = "), HasSubstr("theta = ")));
  EXPECT_GT(table_of(folder.read("grow.csv")).rows.size(), 1u);
  EXPECT_TRUE(folder.has("grow.html"));
}

TEST(SimulateCommand, ReportsASingularHessianAsAFailedRun) {
  const Folder folder;
  folder.write("s.toml", with(pendulum, "omega^2/2", "omega^4"));
  const auto run = run_herglotz({"simulate", "s.toml", "--out", "s.csv"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, AllOf(HasSubstr("singular velocity Hessian"), HasSubstr("omega = 0")));
  EXPECT_EQ(lines_of(run.err).size(), 1u);
}

TEST(SimulateCommand, WritesTheRateOfVolumesOnDemand) {
  const Folder folder;
  const auto run = run_herglotz(
      {"simulate", "damped-pendulum", "--t-end", "1", "--columns", "volume_rate", "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_DOUBLE_EQ(table_of(folder.read("run.csv")).last("volume_rate"), -0.4);  // -(n + 1) gamma
  const auto refused =
      run_herglotz({"simulate", "skate-vakonomic", "--columns", "volume_rate", "--out", "skate.csv"}, folder.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("volume_rate is the rate of volumes without constraints or with nonholonomic"));
}

// exp(-(n + 1) gamma t) on TQ. [LJL21, Prop. 5].
TEST(SimulateCommand, WritesTheVolumeAndItsResidualOnDemand) {
  const Folder folder;
  const auto run = run_herglotz(
      {"simulate", "damped-pendulum", "--t-end", "2", "--columns", "volume,volume_residual", "--out", "run.csv"},
      folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto table = table_of(folder.read("run.csv"));
  EXPECT_NEAR(table.last("volume"), std::exp(-0.8), 1e-13);
  EXPECT_NEAR(table.last("volume_residual"), 0, 1e-13);
  for (const auto& [model, why] :
       {std::pair("skate-vakonomic", "systems without constraints or with nonholonomic ones"),
        std::pair("stick-slip", "smooth motions"), std::pair("woodpecker", "smooth motions")}) {
    const auto refused = run_herglotz({"simulate", model, "--columns", "volume", "--out", "no.csv"}, folder.path());
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(std::string("the volume law is one of ") + why));
  }
}

// The divergence of P(Gamma) along the blade, against the trace of the compiled motion. [LJL21, Prop. 12].
TEST(SimulateCommand, WritesTheVolumeAlongNonholonomicConstraints) {
  const Folder folder;
  const auto run = run_herglotz(
      {"simulate", "chaplygin-sleigh", "--t-end", "2", "--columns", "volume,volume_residual", "--out", "run.csv"},
      folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto table = table_of(folder.read("run.csv"));
  EXPECT_NEAR(table.last("volume_residual"), 0, 1e-12);
  EXPECT_GT(std::abs(table.last("volume") - 1), 0.01);
}

// A Rayleigh force, whose rate of the volume turns twice as often as the motion: rows far apart do not show it.
constexpr const char* rayleigh = R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[dynamics]
lagrangian = "v^2/2 - q^2/2"
[dynamics.forces]
v = "-v^3/10"
[initial]
q = 1
[simulation]
method = "reference"
tolerance = 1e-12
t_end = 30
)";

TEST(SimulateCommand, WritesTheSameVolumeForAnyDistanceOfRows) {
  const Folder folder;
  folder.write("r.toml", rayleigh);
  double fine = 0;
  double residual = 0;
  for (const char* distance : {"0.01", "3", "30"}) {
    const auto run = run_herglotz({"simulate", "r.toml", "--output-step", distance, "--columns",
                                   "volume,volume_residual", "--out", "r.csv", "--force"},
                                  folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto table = table_of(folder.read("r.csv"));
    if (fine == 0) fine = table.last("volume");
    EXPECT_NEAR(table.last("volume"), fine, 1e-11) << distance;
    residual = std::abs(table.last("volume_residual"));
    EXPECT_LT(residual, 1e-10) << distance;
  }
  EXPECT_GT(residual, 1e-12);  // the error of the trace with 64 parts in one interval
  EXPECT_NEAR(fine, 0.0938937, 1e-7);
}

TEST(SimulateCommand, DifferentiatesRunsWithVolumesButNotTheVolumes) {
  const Folder folder;
  for (const char* method : {"moreau-2", "reference"}) {
    const auto run =
        run_herglotz({"simulate", "damped-pendulum", "--method", method, "--step", "0.01", "--t-end", "1", "--columns",
                      "theta,volume", "--sensitivities", "theta", "--out", "d.csv", "--force"},
                     folder.path());
    EXPECT_EQ(lines_of(folder.read("d.csv")).front(), "t,theta,volume,d.theta.d.theta") << method << run.err;
  }
}

// The force -u v has the rate -u: the volume is exp(-0.55 - 0.9) where u rises to 2 at t = 0.55 and stays there.
TEST(SimulateCommand, WritesTheVolumeAlongInputsUnlessTheyJump) {
  const Folder folder;
  const auto model = [](const std::string& interpolation) {
    return R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[inputs]
u = { times = [0, 0.55, 1], values = [0, 2, 2], interpolation = ")" +
           interpolation + R"(" }
[dynamics]
lagrangian = "v^2/2 - q^2/2"
[dynamics.forces]
v = "-u*v"
[initial]
q = 1
[simulation]
t_end = 1
)";
  };
  folder.write("u.toml", model("linear"));
  folder.write("held.toml", model("hold"));
  const auto run = run_herglotz(
      {"simulate", "u.toml", "--method", "reference", "--output-step", "0.1", "--columns", "volume", "--out", "u.csv"},
      folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NEAR(table_of(folder.read("u.csv")).last("volume"), std::exp(-1.45), 1e-12);
  const auto held = run_herglotz({"simulate", "held.toml", "--columns", "volume", "--out", "held.csv"}, folder.path());
  EXPECT_EQ(held.status, 2);
  EXPECT_THAT(held.err, HasSubstr("smooth motions, and the input 'u' jumps"));
}

TEST(SimulateCommand, KeepsColumnsOfItsOwnWithTheNamesOfVolumes) {
  const Folder folder;
  const std::string tail = "[initial]\nvolume = 1\n[simulation]\nt_end = 1\n";
  folder.write("coordinate.toml", R"([algebroid]
kind = "tangent"
base = ["volume"]
fibre = ["volume_rate"]
[dynamics]
lagrangian = "volume_rate^2/2 - volume^2/2 - 0.1*z"
)" + tail);
  folder.write("observable.toml", std::string(rayleigh) + "[observables]\nvolume = \"q^2\"\n");
  for (const char* name : {"coordinate", "observable"}) {
    const std::string file = name;
    const auto run = run_herglotz({"simulate", file + ".toml", "--t-end", "1", "--output-step", "0.1", "--columns",
                                   "volume,volume_rate,volume_residual", "--out", file + ".h5"},
                                  folder.path());
    EXPECT_EQ(run.status, 0) << run.err;
    const auto table = run_herglotz({"simulate", file + ".toml", "--t-end", "1", "--output-step", "0.1", "--columns",
                                     "volume,volume_rate,volume_residual", "--out", file + ".csv"},
                                    folder.path());
    EXPECT_EQ(lines_of(folder.read(file + ".csv")).front(), "t,volume,volume_rate,volume_residual") << table.err;
  }
}

TEST(SimulateCommand, StopsAtCtrlCAndLeavesAValidFile) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  // A signal before the program listens ends it without a word; one that comes later finds a run of minutes.
  Finished run;
  for (std::chrono::milliseconds delay(200); delay < std::chrono::seconds(60) && run.out.empty(); delay *= 2)
    run = run_herglotz({"simulate", "p.toml", "--t-end", "1e6", "--step", "0.001", "--output-every", "1000", "--out",
                        "p.h5", "--report", "p.html"},
                       folder.path(), SIGINT, delay);
  EXPECT_EQ(run.status, 130) << run.err;
  EXPECT_THAT(run.out, HasSubstr("stopped by the user at t = "));
  const auto report = run_herglotz({"report", "p.h5", "--out", "q.html"}, folder.path());
  EXPECT_EQ(report.status, 0) << report.err;
}
