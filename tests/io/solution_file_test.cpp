// Files of solutions, and guesses that are read from files.

#include "herglotz/io/solution_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "error_of.hpp"
#include "herglotz/io/problem_file.hpp"
#include "herglotz/io/trajectory_file.hpp"

namespace {

using namespace herglotz;
using analyse::Role;
using io::error_of;

const std::string integrator = R"toml([algebroid]
kind = "tangent"
base = ["x"]
fibre = ["v"]
[control]
controls = ["u"]
kinematics = { v = "u" }
[cost]
running = "u^2/2"
[boundary]
duration = 1
final = { x = 1 }
)toml";

std::filesystem::path place(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / ("solution_file_test_" + name);
}

analyse::Trajectory rows() {
  analyse::Trajectory trajectory;
  trajectory.columns = {{"t", Role::time, {0, 0.5, 1}},
                        {"x", Role::base, {0, 0.5, 1}},
                        {"v", Role::fibre, {1, 1, 1}},
                        {"u", Role::observable, {1, 1, 1}}};
  trajectory.facts.version = "1";
  trajectory.facts.status = "solved";
  return trajectory;
}

control::SolutionFacts facts() {
  control::SolutionFacts facts;
  facts.status = control::Status::solved;
  facts.reason = "converged";
  facts.cost = 0.5;
  facts.cost_error = 1e-15;
  facts.duration = 1;
  facts.structure = "u: inside";
  facts.switching_times = {{"u", {0.25, 0.75}}, {"w", {}}};
  facts.residuals = {{"defect", 1e-16}, {"stationarity", 2e-16}};
  facts.intervals = 2;
  facts.iterations = 7;
  facts.solvers = "solver 1.0";
  control::Iterate& iterate = facts.iterate;
  iterate.states = {"x", "zeta"};
  iterate.algebraic = {"u"};
  iterate.controls = 1;
  iterate.stages = 1;
  iterate.points = {0.5};
  iterate.times = {0, 0.5, 1};
  iterate.errors = {0, 1e-12};
  iterate.arcs = {0, 1};
  iterate.active = {0, 1};
  iterate.v = {0, 0, 0.5, 0.25, 1, 0.5};
  iterate.P = {-1, 1, -1, 1, -1, 1};
  iterate.stage_v = {0.25, 0.125, 0.75, 0.375};
  iterate.stage_P = {-1, 1, -1, 1};
  iterate.stage_w = {1, 1};
  iterate.stage_bound = {0, 0};
  return facts;
}

}  // namespace

TEST(SolutionFile, GivesBackWhatWasWritten) {
  const auto file = place("whole.h5");
  io::write_solution(rows(), facts(), file);
  const auto [trajectory, read] = io::read_solution(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(trajectory["x"], rows()["x"]);
  EXPECT_EQ(read->status, control::Status::solved);
  EXPECT_EQ(read->cost, 0.5);
  EXPECT_EQ(read->switching_times, facts().switching_times);
  EXPECT_EQ(read->residuals, facts().residuals);
  EXPECT_EQ(read->iterations, 7u);
  EXPECT_EQ(read->solvers, "solver 1.0");
  const control::Iterate before = facts().iterate;
  EXPECT_EQ(read->iterate.states, before.states);
  EXPECT_EQ(read->iterate.times, before.times);
  EXPECT_EQ(read->iterate.points, before.points);
  EXPECT_EQ(read->iterate.errors, before.errors);
  EXPECT_EQ(read->iterate.arcs, before.arcs);
  EXPECT_EQ(read->iterate.active, before.active);
  EXPECT_EQ(read->iterate.v, before.v);
  EXPECT_EQ(read->iterate.P, before.P);
  EXPECT_EQ(read->iterate.stage_w, before.stage_w);
  EXPECT_EQ(read->iterate.stage_P, before.stage_P);
  // It is a trajectory file too.
  EXPECT_EQ(io::read_hdf5(file)["x"], rows()["x"]);
}

TEST(SolutionFile, ARunIsNoSolution) {
  const auto file = place("run.h5");
  io::write_hdf5(rows(), file);
  const auto [trajectory, solution] = io::read_solution(file);
  EXPECT_FALSE(solution);
  EXPECT_EQ(trajectory["x"], rows()["x"]);
}

TEST(SolutionFile, RefusesTablesThatDoNotFitTogether) {
  auto wrong = facts();
  wrong.iterate.stage_w.push_back(1);
  const auto file = place("wrong.h5");
  io::write_solution(rows(), wrong, file);
  EXPECT_THAT(error_of([&] { io::read_solution(file); }), testing::HasSubstr("match the table stage_variables"));
  wrong = facts();
  wrong.iterate.arcs = {0, 2};
  io::write_solution(rows(), wrong, file);
  EXPECT_THAT(error_of([&] { io::read_solution(file); }), testing::HasSubstr("find the arcs of /mesh in order"));
}

TEST(Guess, IsReadFromAFileBesideTheModel) {
  io::write_csv(rows(), place("path.csv"));
  const auto model = place("model.toml").string();
  auto problem = io::parse_problem(integrator + "[guess]\nfile = \"solution_file_test_path.csv\"\n", model);
  io::read_guess(problem, problem.guess.file);
  EXPECT_EQ(problem.guess.times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(problem.guess.columns.at("u"), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(problem.guess.duration, 1);
  EXPECT_FALSE(problem.guess.iterate);
  io::write_solution(rows(), facts(), place("path.h5"));
  io::read_guess(problem, place("path.h5"));
  EXPECT_TRUE(problem.guess.iterate);
}

TEST(Guess, SaysInOneLineWhatIsWrongWithAFile) {
  auto problem = io::parse_problem(integrator);
  const auto refusal = [&](const std::string& name, const std::string& text) {
    std::ofstream(place(name)) << text;
    return error_of([&] { io::read_guess(problem, place(name)); });
  };
  EXPECT_THAT(error_of([&] { io::read_guess(problem, place("none.csv")); }),
              testing::HasSubstr("there is no such file"));
  EXPECT_THAT(error_of([&] { io::read_guess(problem, "path.txt"); }), testing::HasSubstr("give a .h5 or .csv file"));
  EXPECT_THAT(refusal("a.csv", "t,y\n0,1\n1,2\n"), testing::HasSubstr("a guess needs the column 'x'"));
  EXPECT_THAT(refusal("b.csv", "t,x\n0,1\n1,two\n"), testing::HasSubstr("b.csv:3:1: 'two' is not a number"));
  EXPECT_THAT(refusal("c.csv", "t,x\n0,1\n1\n"), testing::HasSubstr("c.csv:3:1: 1 values for 2 columns"));
  EXPECT_THAT(refusal("d.csv", "t,x\n1,1\n0,1\n"), testing::HasSubstr("the times of the guess do not increase"));
  EXPECT_THAT(refusal("e.csv", "t,x\n0,1\n"), testing::HasSubstr("a guess needs two rows"));
  EXPECT_THAT(refusal("f.csv", "t,x\n0,1\n1,nan\n"), testing::HasSubstr("values that are not finite"));
  EXPECT_THAT(error_of([] { io::parse_problem(integrator + "[guess]\nfile = \"a.csv\"\nx = \"s\"\n"); }),
              testing::HasSubstr("[guess] has a file, and the expression of 'x'"));
}

TEST(Continuation, TakesBothEnds) {
  auto problem = io::parse_problem(integrator);
  const auto steps = io::read_continuation(problem, "duration=1:2:5");
  EXPECT_EQ(steps.name, "duration");
  EXPECT_EQ(steps.values, (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
  EXPECT_EQ(io::read_continuation(problem, "x=3:4:1").values, (std::vector<double>{3}));
  EXPECT_THAT(error_of([&] { io::read_continuation(problem, "y=0:1:3"); }), testing::HasSubstr("unknown name 'y'"));
  EXPECT_THAT(error_of([&] { io::read_continuation(problem, "x=0:1"); }),
              testing::HasSubstr("'0:1' is not a range for 'x'"));
}
