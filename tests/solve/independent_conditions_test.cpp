// Conditions at the ends that follow from each other, and extremals that are none.

#include "start/independent_conditions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "herglotz/io/problem_file.hpp"

namespace {

using namespace herglotz;

/// A point is moved from rest by the force u in one second with the least energy; `rest` follows [cost].
control::Problem moved(const std::string& rest, const std::string& sense = "minimise") {
  return io::parse_problem(
      fmt::format("[model]\nname = \"moved\"\n[algebroid]\nkind = \"tangent\"\nbase = [\"x\", \"v\"]\n"
                  "fibre = [\"rx\", \"rv\"]\n[control]\ncontrols = [\"u\"]\nkinematics = {{ rx = \"v\", rv = \"u\" }}\n"
                  "[cost]\nrunning = \"u^2/2\"\nsense = \"{}\"\n[boundary]\nduration = 1\n{}\n",
                  sense, rest));
}

std::string notes_of(const solve::Solution& solution) {
  return fmt::format("{}", fmt::join(solution.notes, "; "));
}

}  // namespace

TEST(IndependentConditions, LeavesOutOnesThatRepeatOthersAndSaysSo) {
  const auto solution = solve::solve(moved("conditions = [\"x_final - 1\", \"2*x_final - 2\"]"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.5, 1e-10);  // u = 3 (1 - t)
  EXPECT_THAT(notes_of(solution), testing::HasSubstr("condition 2 of [boundary] follows from the others and is left"));
  EXPECT_EQ(solution.iterate.ends.size(), 1U);
}

TEST(IndependentConditions, AreFoundAmongFunctionsAndWhereNothingIsAsked) {
  EXPECT_EQ(solve::dependent_conditions(moved("conditions = [\"0\"]")), (std::vector<std::size_t>{0}));
  EXPECT_EQ(solve::dependent_conditions(
                moved("free_initial = [\"x\"]\n"
                      "conditions = [\"x_final + v_final - 1\", \"v_final\", \"x_final^2 + 3*v_final - 1\"]")),
            (std::vector<std::size_t>{2}));
  EXPECT_TRUE(solve::dependent_conditions(moved("free_initial = [\"x\", \"v\"]\n"
                                                "conditions = [\"x_final - x_initial - 1\", \"v_final - v_initial\"]"))
                  .empty());
  const auto solution = solve::solve(moved("conditions = [\"0\"]"));
  EXPECT_EQ(solution.status, solve::Status::solved) << solution.reason;
}

TEST(IndependentConditions, AreNotLeftOutIfTheyDoNotHold) {
  const auto contradictory = solve::solve(moved("conditions = [\"x_final - 1\", \"2*x_final - 4\"]"));
  EXPECT_EQ(contradictory.status, solve::Status::infeasible) << contradictory.reason;
  EXPECT_THAT(contradictory.reason, testing::HasSubstr("of [boundary]"));
  // Both say x = -1, although the first alone also allows x = 1.
  const auto one_sided = solve::solve(moved("conditions = [\"x_final^2 - 1\", \"x_final + 1\"]"));
  ASSERT_EQ(one_sided.status, solve::Status::solved) << one_sided.reason;
  EXPECT_NEAR(one_sided.iterate.v[one_sided.iterate.v.size() - 3], -1, 1e-8);
}

TEST(Certificate, NeedsControlsThatMaximiseTheHamiltonian) {
  const auto solution = solve::solve(moved("final = { x = 1 }", "maximise"));
  EXPECT_EQ(solution.status, solve::Status::not_converged);
  EXPECT_THAT(solution.reason, testing::HasSubstr("do not maximise the Hamiltonian"));
}
