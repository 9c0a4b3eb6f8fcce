// Derivatives of runs on the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/sensitivity_file.hpp"
#include "herglotz/io/trajectory_file.hpp"
#include "models.hpp"
#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string model(const std::string& base, const std::string& fibre, const std::string& dynamics,
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
  folder.write("b.toml",
               model("\"q\"", "\"v\"", "lagrangian = \"v^2/2 - 9.81*q\"",
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
