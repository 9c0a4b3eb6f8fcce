// Paths that are not motions, on the command line. [ASC25, Sec. 3; GG08, Secs. 2-4].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

constexpr const char* oscillator = R"([algebroid]
kind = "tangent"
base = ["q"]
fibre = ["v"]
[parameters]
gamma = 0.3
[dynamics]
lagrangian = "v^2/2 - q^2/2 - gamma*z"
[initial]
q = 1
z = 0.2
)";

/// Returns the oscillator with another potential.
std::string with_potential(const std::string& potential) {
  std::string text = oscillator;
  const std::string known = "q^2/2";
  return text.replace(text.find(known), known.size(), potential);
}

nlohmann::json of_path(const Folder& folder, std::vector<std::string> words) {
  std::vector<std::string> all{"path", "m.toml", "--format", "json"};
  all.insert(all.end(), words.begin(), words.end());
  const auto run = run_herglotz(all, folder.path());
  EXPECT_EQ(run.status, 0) << run.err;
  return nlohmann::json::parse(run.out);
}

// Along q = sin t: dz/dt = cos(2t)/2 - gamma z, whose solution is elementary. [ASC25, Eq. 6].
TEST(Path, HasItsActionAndFirstVariation) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const double g = 0.3;
  const auto action = [&](double t) {  // of z' = cos(2t)/2 - g z, z(0) = 0
    return (g * std::cos(2 * t) + 2 * std::sin(2 * t) - g * std::exp(-g * t)) / (2 * (g * g + 4));
  };
  const auto found = of_path(folder, {"--along", "q=sin(t)", "--t-end", "2", "--section", "v=t*(2 - t)"});
  EXPECT_TRUE(found["admissible"].get<bool>());
  EXPECT_NEAR(found["z_end"].get<double>(), action(2), 1e-13);
  // The force of the path is p' + q + gamma p = gamma cos t, and delta z(2) = -int e^(-gamma (2 - t)) xi gamma cos t
  // dt.
  EXPECT_NEAR(found["largest_force"].get<double>(), g, 1e-13);
  const int n = 4000;
  double sum = 0;
  for (int k = 0; k <= n; ++k) {
    const double t = 2.0 * k / n;
    const double weight = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
    sum -= weight * std::exp(-g * (2 - t)) * t * (2 - t) * g * std::cos(t);
  }
  EXPECT_NEAR(found["first_variation"].get<double>(), sum * 2 / n / 3, 1e-12);
  EXPECT_EQ(found["along"]["force.v"].size(), 101U);
  const auto spaced = of_path(folder, {"--along", " q = sin(t)", "--t-end", "2", "--rows", "3"});
  EXPECT_EQ(spaced["along"]["q"][2], found["along"]["q"][100]) << "blanks around the name say nothing";
  EXPECT_EQ(spaced["along"]["q"].size(), 3U);
}

// 101 rows of 200 turns, or of a pulse, show something else; a kink and a jump need no more rows.
TEST(Path, SaysHowManyRowsShowIt) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const auto notes = [&](const std::string& q, const std::string& rows) {
    const auto found = of_path(folder, {"--along", "q=" + q, "--t-end", "2", "--rows", rows});
    return found.contains("notes") ? found["notes"].dump() : "";
  };
  EXPECT_THAT(notes("sin(200*pi*t)", "101"), HasSubstr("101 rows are too few for this path"));
  EXPECT_THAT(notes("sin(200*pi*t)", "101"), HasSubstr("give --rows 1601"));
  EXPECT_EQ(notes("sin(200*pi*t)", "1601"), "");
  EXPECT_THAT(notes("exp(-10^4*(t - 1.234)^2)", "101"), HasSubstr("give --rows"));
  for (const char* q : {"sin(3*t)", "abs(t - 1/3)", "sign(t - 1)", "2", "0"}) EXPECT_EQ(notes(q, "101"), "") << q;
}

// A run is a path, and a critical point: its force and its variation vanish.
TEST(Path, OfARunIsACriticalPoint) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  for (const std::string file : {"run.csv", "run.h5"}) {
    const auto run =
        run_herglotz({"simulate", "m.toml", "--t-end", "1", "--tolerance", "1e-13", "--out", file}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto found =
        of_path(folder, {"--rows-of", file, "--section", "v=t*(1 - t)", "--out", "along.csv", "--force"});
    EXPECT_LT(found["largest_force"].get<double>(), 1e-9);
    EXPECT_NEAR(found["first_variation"].get<double>(), 0, 1e-11);
    EXPECT_NEAR(table_of(folder.read("along.csv")).last("z"), found["z_end"].get<double>(), 1e-15);
  }
}

// A path goes forwards: that of a run to t = -1 begins there, with the action of the last row.
TEST(Path, OfARunBackwardsBeginsAtItsEnd) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const auto run =
      run_herglotz({"simulate", "m.toml", "--t-end", "-1", "--tolerance", "1e-13", "--out", "run.csv"}, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = of_path(folder, {"--rows-of", "run.csv"});
  EXPECT_EQ(found["t0"].get<double>(), -1);
  EXPECT_EQ(found["z0"].get<double>(), table_of(folder.read("run.csv")).last("z"));
  EXPECT_NEAR(found["z_end"].get<double>(), 0.2, 1e-11);
  EXPECT_LT(found["largest_force"].get<double>(), 1e-9);
}

TEST(Path, RefusesWhatIsNoPath) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& what, int status = 2) {
    std::vector<std::string> all{"path", "m.toml"};
    all.insert(all.end(), words.begin(), words.end());
    const auto run = run_herglotz(all, folder.path());
    EXPECT_EQ(run.status, status) << what;
    EXPECT_THAT(run.err + run.out, HasSubstr(what));
  };
  refused({}, "no path is given");
  refused({"--along", "q=t"}, "the end of a path that is given by expressions is not known; give --t-end T");
  refused({"--along", "q=t", "--t-end", "0"}, "a path from 0 to 0 has no duration");
  refused({"--along", "q", "--t-end", "1"}, "'q' is not an assignment");
  refused({"--along", "q=t", "--along", "q=1", "--t-end", "1"}, "'q' is given twice");
  refused({"--along", "x=t", "--t-end", "1"}, "unknown coordinate 'x' of the path; use q, v");
  refused({"--along", "v=t", "--t-end", "1"}, "the path lacks the base coordinate 'q'");
  refused({"--along", "q=w", "--t-end", "1"}, "unknown name 'w'");
  refused({"--along", "q=t", "--section", "q=1", "--t-end", "1"}, "unknown coordinate 'q' of the section; use v");
  refused({"--along", "q=t", "--rows", "1", "--t-end", "1"}, "1 rows are not a path");
  refused({"--along", "q=t", "--z0", "nan", "--t-end", "1"}, "nan is not a finite action");
  refused({"--along", " =t", "--t-end", "1"}, "' =t' is not an assignment");
  refused({"--rows-of", "none.csv"}, "there is no such file");
  refused({"--rows-of", "none.csv", "--rows", "5"}, "excludes --rows");
  folder.write("one.csv", "t,q,v\n0,1,0\n");
  refused({"--rows-of", "one.csv"}, "one.csv: a path needs at least two rows; give the rows of a run");
  refused({"--along", "q=t", "--along", "v=2", "--t-end", "1"}, "no: dx/dt - rho y reaches 1 of the velocities", 3);
  refused({"--along", "q=1/t", "--t-end", "1"}, "the path is not finite at t = 0", 3);
  refused({"--along", "q=t", "--rows", "2147483647", "--t-end", "1"}, "2147483647 rows are too many; give at most");
  refused({"--along", "q=t", "--z0", "nan", "--t-end", "1"}, "nan is not a finite action; give a finite number");
  refused({"--along", "q=t", "--t0", "-1e308", "--t-end", "1e308"}, "a path from -1e+308 to 1e+308 has no duration");
}

// A path that turns 1.6e8 times in a unit of time needs more intervals than can be made.
TEST(Path, EndsInBoundedTimeWhereItVariesTooFast) {
  const Folder folder;
  folder.write("m.toml", oscillator);
  const auto run = run_herglotz({"path", "m.toml", "--along", "q=sin(1e9*t)", "--t-end", "2"}, folder.path());
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("it varies too fast, or its values have too few digits"));
}

// The root has no derivative at q = 0, so that no force is known along a path that rests there.
TEST(Path, DoesNotTakeAForceThatIsNotFiniteForNone) {
  const Folder folder;
  folder.write("m.toml", with_potential("sqrt(abs(q))"));
  const auto run = run_herglotz({"path", "m.toml", "--along", "q=0", "--t-end", "1"}, folder.path());
  EXPECT_EQ(run.status, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("the force along v is not finite at t = 0"));
}

}  // namespace
