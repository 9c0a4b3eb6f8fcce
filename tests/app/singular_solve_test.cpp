// Two-point problems of singular Lagrangians: one line that says why they have no solution, before anything is
// computed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace {

using namespace herglotz::app::testing;
using ::testing::HasSubstr;

/// A problem in (x, y) for a time of 1.
std::string problem(const std::string& lagrangian, const std::string& initial, const std::string& boundary) {
  return "[model]\nname = \"m\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"y\"]\nfibre = [\"vx\", \"vy\"]\n"
         "[dynamics]\nlagrangian = \"" +
         lagrangian + "\"\n[initial]\n" + initial + "[boundary]\nduration = 1\n" + boundary;
}

/// Expects one line with this part, this status, and nothing on standard output.
void expect_line_about_model(const std::string& model, int status, const std::string& part) {
  const Folder folder;
  folder.write("m.toml", model);
  const auto run = run_herglotz({"solve", "m.toml", "--out", "m.csv"}, folder.path());
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
  EXPECT_THAT(run.err, HasSubstr("m.toml"));
  EXPECT_THAT(run.err, HasSubstr(part));
  EXPECT_EQ(run.out, "");
  EXPECT_FALSE(folder.has("m.csv"));
}

const std::string lever = "vx^2/2 - x*y";  // x = 0 on level 2, and y = 0 on level 4

TEST(SingularSolve, NamesTheConstraintThatTheStartMisses) {
  expect_line_about_model(problem(lever, "x = 1\n", "final = { x = 1 }\n"), 3,
                          "values that are given at the start: constraint 3 (level 2), x = 0, is 1 there");
}

TEST(SingularSolve, NamesTheConstraintThatTheEndMisses) {
  expect_line_about_model(problem(lever, "", "final = { x = 0, y = 2 }\n"), 3,
                          "values that are given at the end: constraint 5 (level 4), y = 0, is 2 there");
}

TEST(SingularSolve, NamesTheConstraintBetweenValuesThatAreGivenTogether) {
  // y is massless: y = x on level 2.
  expect_line_about_model(problem("vx^2/2 - x*y + y^2/2", "x = 1\n", "final = { x = 2 }\n"), 3,
                          "values that are given at the start: constraint 3 (level 2)");
}

TEST(SingularSolve, NamesAContradictionAndItsLevel) {
  expect_line_about_model(problem("vx^2/2 + vy - x - z/5", "", "final = { x = 1, y = 1 }\n"), 3,
                          "level 2 of its constraints demands -1/5 = 0");
}

TEST(SingularSolve, RefusesMoreConditionsThanTheFinalSetHasDimensions) {
  // A rotation of (x, y): the start determines the end.
  expect_line_about_model(
      problem("x*vy - (x^2 + y^2)/2 - z/5", "x = 1\n", "final = { x = 0, y = 1 }\n"), 2,
      "its motions have 3 dimensions, and the ends give 5 independent conditions; leave out 2 of them");
}

TEST(SingularSolve, RefusesArbitraryFunctionsOfTime) {
  expect_line_about_model(problem("(vx - vy)^2/2", "", "final = { x = 1, y = 2 }\n"), 2,
                          "is an arbitrary function of time");
}

TEST(SingularSolve, RefusesEndsThatManyMotionsJoin) {
  // x(1) is free, and momenta at free ends are conditions on tangent bundles only.
  std::string model = problem("vx^2/2 - x*y + y^2/2 - z/5", "x = 1\n", "free_initial = [\"y\"]\n");
  const std::string tangent = "kind = \"tangent\"";
  model.replace(model.find(tangent), tangent.size(), "kind = \"hamel\"\nframe = [[\"2\", \"0\"], [\"0\", \"1\"]]");
  expect_line_about_model(model, 2, "3 dimensions, and the ends give 2 independent conditions: many motions join them");
}

TEST(SingularSolve, RefusesWhatItDoesNotSeek) {
  const std::string massless = "vx^2/2 - x*y + y^2/2 - z/5";
  expect_line_about_model(
      problem(massless, "x = 1\n", "conditions = [\"x_final - y_final\"]\nfree_initial = [\"y\"]\n"), 2,
      "two-point problems of singular ones are not solved with conditions of [boundary]");
}

}  // namespace
