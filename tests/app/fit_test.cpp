// Fits and linear motions on the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

/// Writes the pendulum, and the angles of its motion with gamma = 0.35 from theta = 2.2, or another start, with some
/// values missing.
void write_data(const Folder& folder, const std::string& file = "d.csv", const std::string& start = "theta=2.2") {
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--set", "gamma=0.35", "--set", start, "--columns", "theta",
                                 "--output-every", "5", "--out", "-"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  std::string data;
  std::size_t number = 0;
  for (const auto& line : lines_of(run.out))
    data += (++number % 4 == 3 ? line.substr(0, line.find(',') + 1) : line) + "\n";
  folder.write(file, data);
}

}  // namespace

TEST(FitCommand, FindsWhatMadeTheData) {
  const Folder folder;
  write_data(folder);
  const auto run = run_herglotz(
      {"fit", "p.toml", "--data", "d.csv", "--parameters", "gamma,theta", "--out", "f.h5", "--format", "json"},
      folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = nlohmann::json::parse(run.out);
  EXPECT_NEAR(found["parameters"]["gamma"]["value"], 0.35, 1e-8);
  EXPECT_NEAR(found["parameters"]["theta"]["value"], 2.2, 1e-8);
  EXPECT_EQ(found["identifiable"], true);
  EXPECT_EQ(found["samples"], 16);
  EXPECT_TRUE(folder.has("f.h5"));
  const auto text = run_herglotz(
      {"fit", "p.toml", "--data", "d.csv", "--parameters", "gamma,theta", "--noise", "0.01", "--bounds", "gamma=0:"},
      folder.path());
  EXPECT_THAT(text.out, HasSubstr("gamma = 0.35"));
  EXPECT_THAT(text.out, testing::Not(HasSubstr("warning")));
}

TEST(FitCommand, GoesOnWithTheTrialsOfItsJournalToTheSameBits) {
  const Folder folder;
  write_data(folder);
  const std::string line =
      "\"$0\" fit p.toml --data d.csv --parameters gamma,theta --set gamma=0.05 --profile gamma --resume --out f.csv";
  const auto whole = run_in_shell(line, folder.path());
  ASSERT_EQ(whole.status, 0) << whole.err;
  const std::string rows = folder.read("f.csv");
  EXPECT_FALSE(folder.has("f.csv.journal"));
  // The disk takes 4 kB of the journal, the last record in part.
  EXPECT_THAT(run_in_shell("ulimit -f 8; " + line, folder.path()).status, testing::Ne(0));
  EXPECT_TRUE(folder.has("f.csv.journal"));
  EXPECT_THAT(run_in_shell(line + " --noise 0.1", folder.path()).err,
              HasSubstr("f.csv.journal: this fit was begun otherwise: --noise was '' and is '0.1'"));
  const auto resumed = run_in_shell(line, folder.path());
  EXPECT_THAT(resumed.err, testing::MatchesRegex("f.csv.journal: [0-9]+ trials are known\n"));
  EXPECT_EQ(resumed.out, whole.out);
  EXPECT_EQ(folder.read("f.csv"), rows);
  EXPECT_FALSE(folder.has("f.csv.journal"));
}

TEST(FitCommand, GoesOnWithTheShotsOfItsJournalToTheSameBits) {
  const Folder folder;
  write_data(folder);
  const std::string line = "\"$0\" fit p.toml --data d.csv --parameters gamma,theta --shots 4 --resume --out f.csv";
  const auto whole = run_in_shell(line, folder.path());
  ASSERT_EQ(whole.status, 0) << whole.err;
  const std::string rows = folder.read("f.csv");
  // The whole runs that follow the shots are in the journal, too: only shots are known where it ends early.
  EXPECT_THAT(run_in_shell("ulimit -f 6; " + line, folder.path()).status, testing::Ne(0));
  const auto resumed = run_in_shell(line, folder.path());
  EXPECT_THAT(resumed.err, testing::MatchesRegex("f.csv.journal: [0-9]+ trials are known\n"));
  EXPECT_EQ(resumed.out, whole.out);
  EXPECT_EQ(folder.read("f.csv"), rows);
}

TEST(FitCommand, WritesItsJournalAlone) {
  const Folder folder;
  write_data(folder);
  const auto second = run_in_shell(
      "flock f.csv.journal \"$0\" fit p.toml --data d.csv --parameters gamma --resume --out f.csv", folder.path());
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err, HasSubstr("f.csv.journal: another run is writing this fit"));
}

TEST(FitCommand, ShowsItsProgressOnATerminal) {
  const Folder folder;
  write_data(folder);
  const auto shown = run_in_shell(
      "script -qec \"$0 fit p.toml --data d.csv --parameters gamma --profile gamma --step 2e-5\" /dev/null",
      folder.path());
  EXPECT_THAT(shown.out, testing::ContainsRegex("d.csv: [0-9]+ trials, chi squared [0-9.e+-]+, 00:0"));
}

TEST(FitCommand, RefusesJournalsThatAreNotItsOwn) {
  const Folder folder;
  write_data(folder);
  const std::string line = "\"$0\" fit p.toml --data d.csv --parameters gamma --resume";
  EXPECT_THAT(run_in_shell(line, folder.path()).err, HasSubstr("--resume: there is no --out"));
  folder.write("f.csv.journal", "t,theta\n");
  const auto foreign = run_in_shell(line + " --out f.csv", folder.path());
  EXPECT_EQ(foreign.status, 2);
  EXPECT_THAT(foreign.err, HasSubstr("f.csv.journal: this is not a journal of a fit by this version"));
  EXPECT_EQ(folder.read("f.csv.journal"), "t,theta\n");
}

TEST(FitCommand, WarnsOfDeviationsThatAreTooSmall) {
  const Folder folder;
  write_data(folder);
  // The data begin at 2.2.
  const std::vector<std::string> asked{"fit",   "p.toml", "--data",  "d.csv",   "--parameters",
                                       "gamma", "--set",  "theta=2", "--noise", "0.01"};
  const auto text = run_herglotz(asked, folder.path());
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, testing::ContainsRegex("\nwarning     chi squared is .* times the degrees of freedom"));
}

TEST(FitCommand, TakesShots) {
  const Folder folder;
  write_data(folder);
  std::vector<std::string> asked{"fit", "p.toml", "--data", "d.csv", "--parameters", "gamma,theta"};
  asked.insert(asked.end(), {"--shots", "4"});
  const auto shots = run_herglotz(asked, folder.path());
  EXPECT_EQ(shots.status, 0) << shots.err;
  EXPECT_THAT(shots.out, HasSubstr("gamma = 0.35"));
  EXPECT_THAT(shots.out, testing::Not(HasSubstr("warning")));
  asked.insert(asked.end(), {"--parts", "2"});
  const auto both = run_herglotz(asked, folder.path());
  EXPECT_EQ(both.status, 2);
  EXPECT_THAT(both.err, HasSubstr("--parts"));
}

TEST(FitCommand, SharesParametersBetweenRuns) {
  const Folder folder;
  write_data(folder);
  write_data(folder, "e.csv", "theta=0.6");
  std::vector<std::string> arguments{"fit",          "p.toml",      "--data",   "d.csv",     "--data", "e.csv",
                                     "--parameters", "gamma",       "--own",    "theta",     "--set",  "theta=2",
                                     "--set",        "2:theta=0.5", "--bounds", "theta=0:3", "--out",  "f.csv"};
  const auto text = run_herglotz(arguments, folder.path());
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("theta[2] = 0.6"));
  EXPECT_THAT(text.out, HasSubstr("residuals   theta[1]: 16 values"));
  EXPECT_TRUE(folder.has("f-1.csv"));
  EXPECT_TRUE(folder.has("f-2.csv"));
  arguments.insert(arguments.end(), {"--format", "json", "--force"});
  const auto run = run_herglotz(arguments, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = nlohmann::json::parse(run.out);
  EXPECT_NEAR(found["parameters"]["gamma"]["value"], 0.35, 1e-8);
  EXPECT_NEAR(found["parameters"]["theta[1]"]["value"], 2.2, 1e-8);
  EXPECT_NEAR(found["parameters"]["theta[2]"]["value"], 0.6, 1e-8);
  EXPECT_EQ(found["parameters"]["theta[2]"]["start"], 0.5);
  EXPECT_EQ(found["samples"], 32);
  EXPECT_EQ(found["series"].size(), 2U);
}

TEST(FitCommand, StatesTheNoiseThatAFileGives) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto made =
      run_herglotz({"simulate", "p.toml", "--columns", "theta", "--output-every", "5", "--out", "-"}, folder.path());
  ASSERT_EQ(made.status, 0) << made.err;
  std::string data;
  for (const auto& line : lines_of(made.out)) data += line + (data.empty() ? ",sigma.theta\n" : ",0.03\n");
  folder.write("d.csv", data);
  const auto text = run_herglotz({"fit", "p.toml", "--data", "d.csv", "--parameters", "gamma"}, folder.path());
  EXPECT_THAT(text.out, HasSubstr("theta: 21 values, noise 0.03")) << text.err;
}

TEST(FitCommand, RefusesBadInputInOneLine) {
  const Folder folder;
  write_data(folder);
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"fit", "p.toml", "--data", "d.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto run = run_herglotz(arguments, folder.path());
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    return run.err;
  };
  EXPECT_THAT(refused({"--parameters", "gama"}), HasSubstr("gamma"));
  EXPECT_THAT(refused({}), HasSubstr("--parameters: no unknown is named"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--own", "gamma"}), HasSubstr("gamma is named twice"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--set", "2:theta=1"}), HasSubstr("--data names 1 run"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--set", "1:phi=1"}), HasSubstr("phi"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--noise", "-1"}), HasSubstr("--noise"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--bounds", "gamma"}), HasSubstr("LOWER:UPPER"));
  EXPECT_THAT(refused({"--parameters", "gamma", "--bounds", "theta=0:1"}), HasSubstr("not fitted"));
  folder.write("e.csv", "t,theta\n0,1\n1,2\n");
  EXPECT_THAT(
      refused({"--data", "e.csv", "--parameters", "gamma", "--set", "2:gamma=7"}),
      HasSubstr("starts at 0.2 in run 1 and at 7 in run 2; give all runs the same start, or each a value of its "
                "own (--own"));
  folder.write("e.csv", "t,theta,omega\n0,,\n1,,\n");
  EXPECT_THAT(refused({"--data", "e.csv", "--parameters", "gamma", "--own", "theta"}),
              HasSubstr("e.csv: the data have no value"));
  folder.write("d.csv", "time,theta\n0,1\n1,2\n");
  EXPECT_THAT(refused({"--parameters", "gamma"}), HasSubstr("no column t"));
  folder.write("d.csv", "t,phi\n0,1\n1,2\n");
  EXPECT_THAT(refused({"--parameters", "gamma"}), HasSubstr("phi"));
  EXPECT_THAT(run_herglotz({"fit", "p.toml", "--data", "none.csv", "--parameters", "gamma"}, folder.path()).err,
              HasSubstr("none.csv: there is no such file; give a .csv file of measurements with a column 't'"));
}

TEST(LineariseCommand, FindsTheEquilibriumNearby) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto down = run_herglotz({"linearise", "p.toml", "--at", "theta=0.3", "--equilibrium"}, folder.path());
  ASSERT_EQ(down.status, 0) << down.err;
  EXPECT_THAT(down.out, HasSubstr("asymptotically stable"));
  EXPECT_THAT(down.out, HasSubstr("damping ratio 0.1"));
  const auto up = run_herglotz({"linearise", "p.toml", "--at", "theta=3", "--equilibrium", "--inputs", "gamma",
                                "--outputs", "height", "--format", "json"},
                               folder.path());
  ASSERT_EQ(up.status, 0) << up.err;
  const auto linear = nlohmann::json::parse(up.out);
  EXPECT_EQ(linear["stability"], "unstable");
  EXPECT_NEAR(linear["poles"][0][0], -0.1 + std::sqrt(1.01), 1e-9);
  EXPECT_EQ(linear["B"].size(), 3U);
  const auto unknown = run_herglotz({"linearise", "p.toml", "--inputs", "gama"}, folder.path());
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(lines_of(unknown.err).size(), 1U);
}

TEST(LineariseCommand, KeepsToTheLeafOfTheStart) {
  const auto run = run_herglotz({"linearise", "heavy-top", "--equilibrium", "--format", "json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto linear = nlohmann::json::parse(run.out);
  double squares = 0;
  for (const char* g : {"g1", "g2", "g3"}) squares += std::pow(linear["at"][g].get<double>(), 2);
  EXPECT_NEAR(squares, 1, 1e-10);
  EXPECT_EQ(linear["poles"].size(), 6U);  // of seven states
}

TEST(FitCommand, KeepsAFitWhoseProfileMeetsAStartThatIsRefused) {
  const Folder folder;
  folder.write("r.toml", R"toml([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
r = 0.01
[dynamics]
lagrangian = "v^2/2"
[initial]
q = "sqrt(r)"
v = 0.5
[simulation]
tolerance = 1e-9
t_end = 1.0
)toml");
  folder.write("d.csv", "t,q\n0.2,0.2\n0.5,0.36\n0.8,0.49\n1.0,0.61\n");
  const auto run = run_herglotz(
      {"fit", "r.toml", "--data", "d.csv", "--parameters", "r,v", "--noise", "0.1", "--profile", "r"}, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("a run fails: the initial value of 'q', sqrt(r), is not finite"));
}

TEST(FitCommand, TellsTheProfileOfAnUnknown) {
  const Folder folder;
  write_data(folder);
  std::vector<std::string> arguments{"fit",         "p.toml",  "--data", "d.csv",     "--parameters",
                                     "gamma,theta", "--noise", "0.01",   "--profile", "gamma"};
  const auto text = run_herglotz(arguments, folder.path());
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("profile     gamma: 0.3"));
  EXPECT_THAT(text.out, HasSubstr("(95 %)"));
  arguments.insert(arguments.end(), {"--format", "json"});
  const auto found = nlohmann::json::parse(run_herglotz(arguments, folder.path()).out);
  const auto& profile = found["profiles"]["gamma"];
  const double deviation = found["parameters"]["gamma"]["deviation"];
  EXPECT_NEAR((profile["upper"].get<double>() - profile["lower"].get<double>()) / (2 * deviation), 1.96, 0.05);
  EXPECT_EQ(profile["values"].size(), profile["rise"].size());
  arguments[9] = "l";
  const auto refused = run_herglotz(arguments, folder.path());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("the profile of l is asked for, which is not fitted; there are gamma, theta"));
}
