// Derivatives of runs on the command line, and Lyapunov exponents and periodic orbits, with known results.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string tangent_model(const std::string& base, const std::string& fibre, const std::string& dynamics,
                          const std::string& start) {
  return "[model]\nname = \"m\"\n[algebroid]\nkind = \"tangent\"\nbase = [" + base + "]\nfibre = [" + fibre +
         "]\n[dynamics]\n" + dynamics + "\n[initial]\n" + start + "\n";
}

}  // namespace

TEST(Sensitivities, AreColumnsOfCsvAndAGroupOfHdf5) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const std::vector<std::string> how{"simulate",      "p.toml",          "--method",
                                     "runge-kutta-8", "--sensitivities", "gamma,theta"};
  auto to_csv = how;
  to_csv.insert(to_csv.end(), {"--out", "p.csv"});
  const auto run = run_herglotz(to_csv, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("variational equations"));
  const auto table = table_of(folder.read("p.csv"));
  EXPECT_THAT(table.names, Contains("d.height.d.gamma"));
  EXPECT_EQ(table.names[12], "d.theta.d.gamma");
  EXPECT_EQ(table.names[13], "d.theta.d.theta");
  auto to_hdf5 = how;
  to_hdf5.insert(to_hdf5.end(), {"--out", "p.h5"});
  ASSERT_EQ(run_herglotz(to_hdf5, folder.path()).status, 0);
  const auto derivatives = herglotz::io::read_derivatives(folder.path() / "p.h5");
  ASSERT_EQ(derivatives.size(), table.names.size() - 11);
  EXPECT_EQ(derivatives.front().name, "t");
  EXPECT_EQ(derivatives[1].values.back(), table.last("d.theta.d.gamma"));
  EXPECT_EQ(herglotz::io::read_hdf5(folder.path() / "p.h5").columns.size(), 12U);
}

TEST(Sensitivities, KeepToTheColumnsThatAreChosen) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto run = run_herglotz({"simulate", "p.toml", "--sensitivities", "gamma", "--columns", "theta", "--out", "-"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(table_of(run.out).names, (std::vector<std::string>{"t", "theta", "d.theta.d.gamma"}));
}

TEST(Sensitivities, OfEventsStandBesideTheirColumns) {
  const Folder folder;
  folder.write("p.toml", std::string(pendulum) + "\n[events]\nturning = { at = \"omega\", stop = true }\n");
  const auto run = run_herglotz({"simulate", "p.toml", "--method", "runge-kutta-8", "--sensitivities", "gamma",
                                 "--t-end", "20", "--out", "p.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(lines_of(folder.read("p.events.csv")).front(), HasSubstr(",d.t.d.gamma,"));
  EXPECT_NE(table_of(folder.read("p.csv")).last("d.t.d.gamma"), 0);
  // The time is always among the columns that are kept, and so is its derivative.
  const auto chosen = run_herglotz({"simulate", "p.toml", "--method", "runge-kutta-8", "--sensitivities", "gamma",
                                    "--t-end", "20", "--columns", "theta", "--out", "-"},
                                   folder.path());
  ASSERT_EQ(chosen.status, 0) << chosen.err;
  EXPECT_EQ(table_of(chosen.out).names, (std::vector<std::string>{"t", "theta", "d.t.d.gamma", "d.theta.d.gamma"}));
}

// A derivative that is zero has no sign.
TEST(Sensitivities, HaveNoNegativeZeros) {
  const Folder folder;
  folder.write("m.toml", tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - k*q\"\n[parameters]\nk = 1.0",
                                       "q = 0.0\nv = 0.0\n[events]\nground = { at = \"q + 0.3\", stop = true }"));
  const auto run = run_herglotz({"simulate", "m.toml", "--method", "runge-kutta-4", "--step", "0.1", "--t-end", "1",
                                 "--sensitivities", "z,k", "--out", "m.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(folder.read("m.csv"), Not(HasSubstr(",-0,")));
  EXPECT_THAT(folder.read("m.csv"), Not(HasSubstr(",-0\n")));
}

TEST(Sensitivities, AreRefusedByName) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto unknown = run_herglotz({"simulate", "p.toml", "--sensitivities", "gama"}, folder.path());
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("gamma"));
  EXPECT_EQ(lines_of(unknown.err).size(), 1U) << unknown.err;
  const auto stiff = run_herglotz(
      {"simulate", "p.toml", "--method", "stiff", "--tolerance", "1e-6", "--sensitivities", "gamma"}, folder.path());
  EXPECT_EQ(stiff.status, 2);
  EXPECT_THAT(stiff.err, HasSubstr("method stiff is not differentiated"));
}

TEST(Sensitivities, GoThroughImpactsUpToRestContact) {
  const Folder folder;
  folder.write(
      "b.toml",
      tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - 9.81*q\"",
                    "q = 1.0\n[parameters]\ne = 0.8\n[impacts]\nfloor = { gap = \"q\", restitution = \"e\" }\n"));
  std::vector<std::string> how{"simulate", "b.toml",          "--t-end", "1",     "--tolerance",
                               "1e-12",    "--sensitivities", "e,q",     "--out", "b.csv"};
  const auto run = run_herglotz(how, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto table = table_of(folder.read("b.csv"));
  const double fall = std::sqrt(2 / 9.81);
  EXPECT_NEAR(table.last("d.q.d.e"), 9.81 * fall * (1 - fall), 1e-9);
  EXPECT_NEAR(table.last("d.v.d.e"), 9.81 * fall, 1e-9);
  EXPECT_EQ(table.last("d.t.d.e"), 0);
  how[3] = "6";
  how.emplace_back("--force");
  const auto rests = run_herglotz(how, folder.path());
  EXPECT_EQ(rests.status, 2);
  EXPECT_THAT(rests.err, HasSubstr("rest contact"));
  EXPECT_EQ(lines_of(rests.err).size(), 1U) << rests.err;
}

TEST(Orbits, FindTheLimitCycleOfVanDerPol) {
  const Folder folder;
  folder.write("v.toml",
               tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - q^2/2\"\nforces = { v = \"(1 - q^2)*v\" }",
                             "q = 2.0\nv = 0.0"));
  const std::vector<std::string> how{"orbit",      "v.toml", "--period",    "6.6",   "--fixed",  "v",
                                     "--drifting", "z",      "--tolerance", "1e-12", "--format", "json"};
  const auto run = run_herglotz(how, folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = json::parse(run.out);
  EXPECT_NEAR(found["period"].get<double>(), 6.66328685932313,
              1e-10);  // [M. Urabe, IRE Trans. Circuit Theory 7 (1960) 382]
  EXPECT_NEAR(found["start"]["q"].get<double>(), 2.00861986087484, 1e-10);
  EXPECT_TRUE(found["stable"].get<bool>());
  EXPECT_NEAR(found["multipliers"][0][0].get<double>(), 1, 1e-9);
  const auto text = run_herglotz(
      {"orbit", "v.toml", "--period", "6.6", "--fixed", "v", "--drifting", "z", "--out", "v.csv"}, folder.path());
  ASSERT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("period      6.663286"));
  const auto table = table_of(folder.read("v.csv"));
  EXPECT_NEAR(table.last("q"), found["start"]["q"].get<double>(), 1e-7);
}

TEST(Orbits, HaveTheExponentsOfALinearMotion) {
  // q'' + q' + 6/25 q = 0 has the poles -2/5 and -3/5, and z falls by 1.
  const Folder folder;
  folder.write("l.toml", tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - 3*q^2/25 - z\"",
                                       "q = 1.0\n[simulation]\nt_end = 62"));
  const auto run = run_herglotz({"lyapunov", "l.toml", "--settle", "2", "--interval", "2", "--method", "runge-kutta-8",
                                 "--step", "0.1", "--format", "json", "--out", "l.csv"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = json::parse(run.out);
  EXPECT_EQ(found["intervals"], 30);
  EXPECT_NEAR(found["exponents"][0].get<double>(), -0.4, 0.03);
  EXPECT_NEAR(found["exponents"][1].get<double>(), -0.6, 0.03);
  EXPECT_NEAR(found["exponents"][2].get<double>(), -1, 0.03);
  EXPECT_NEAR(found["sum"].get<double>(), -2, 1e-9);
  EXPECT_EQ(table_of(folder.read("l.csv")).last("exponent2"), found["exponents"][1].get<double>());
}

// The motion ends at t_end whatever the interval is; one of 100 was followed to t = 100.
TEST(Orbits, ExponentsAreAveragedUpToTheEndThatIsAskedFor) {
  const Folder folder;
  folder.write("l.toml", tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - 3*q^2/25 - z\"", "q = 1.0"));
  for (const std::string interval : {"100", "0.7", "0.4", "0.25"}) {
    const auto run =
        run_herglotz({"lyapunov", "l.toml", "--t-end", "1", "--interval", interval, "--format", "json"}, folder.path());
    ASSERT_EQ(run.status, 0) << run.err;
    const auto found = json::parse(run.out);
    EXPECT_DOUBLE_EQ(found["t_end"].get<double>(), 1) << interval;
    EXPECT_NEAR(found["sum"].get<double>(), -2, 1e-9) << interval;
  }
  const auto text = run_herglotz({"lyapunov", "l.toml", "--t-end", "1", "--interval", "0.4"}, folder.path());
  EXPECT_THAT(text.out, HasSubstr("over 3 intervals of 0.333333, to t = 1\n"));
}

// A regular motion of M. Henon and C. Heiles, Astron. J. 69 (1964) 73, at the energy 1/12: all exponents tend to zero,
// as log(t)/t, and come in pairs.
TEST(Orbits, HaveVanishingExponentsWhereMotionsAreRegular) {
  const Folder folder;
  folder.write("h.toml", tangent_model("\"x\", \"y\"", "\"u\", \"v\"",
                                       "lagrangian = \"(u^2 + v^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3\"",
                                       "u = 0.3872983346207417\ny = 0.13\n"));
  const auto run = run_herglotz({"lyapunov", "h.toml", "--t-end", "600", "--interval", "5", "--method", "runge-kutta-8",
                                 "--step", "0.25", "--format", "json"},
                                folder.path());
  ASSERT_EQ(run.status, 0) << run.err;
  const auto found = json::parse(run.out);
  EXPECT_LT(found["exponents"][0].get<double>(), 3 * std::log(600) / 600);
  EXPECT_NEAR(found["exponents"][0].get<double>() + found["exponents"][4].get<double>(), 0, 1e-3);
  EXPECT_NEAR(found["sum"].get<double>(), 0, 1e-8);
}

// Of 20 intervals each would take 2e12 steps, days of work without a word.
TEST(Orbits, HaveExponentsThatComeToAnEnd) {
  const Folder folder;
  folder.write("f.toml", tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - 1e24*q^2/2\"", "q = 1.0"));
  const auto run = run_herglotz({"lyapunov", "f.toml", "--method", "reference", "--t-end", "20"}, folder.path());
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("like these are left to t_end = 20"));
}

TEST(Orbits, NameWhatIsWrong) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  const auto none = run_herglotz({"orbit", "p.toml", "--period", "1", "--fixed", "q"}, folder.path());
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("no entry 'q' of the state"));
  EXPECT_EQ(lines_of(none.err).size(), 1U) << none.err;
  EXPECT_EQ(run_herglotz({"lyapunov", "p.toml", "--interval", "-1"}, folder.path()).status, 2);
  const auto endless = run_herglotz({"lyapunov", "p.toml", "--t-end", "1e308"}, folder.path());
  EXPECT_EQ(endless.status, 2);
  EXPECT_THAT(endless.err, HasSubstr("rows"));
  const auto constrained = run_herglotz({"lyapunov", "chaplygin-sleigh"}, folder.path());
  EXPECT_EQ(constrained.status, 2);
  EXPECT_THAT(constrained.err, HasSubstr("constraints"));
  folder.write("f.toml", tangent_model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 + q\"", "q = 0.0"));
  const auto falls = run_herglotz({"orbit", "f.toml", "--period", "1"}, folder.path());
  EXPECT_EQ(falls.status, 3);
  EXPECT_EQ(lines_of(falls.err).size(), 1U) << falls.err;
}
