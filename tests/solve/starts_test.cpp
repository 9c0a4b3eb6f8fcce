// Starts of the solver and searches for paths to the ends: which of their results say that ends are out of reach.

#include "start/starts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "problems.hpp"
#include "requirements.hpp"
#include "scale/sizes.hpp"

namespace {

using namespace herglotz;
using namespace herglotz::solve::testing;

solve::NearestEnd nearest(const std::string& text, const solve::Bend& bend) {
  const auto problem = io::parse_problem(text);
  solve::Setup model(problem, solve::PathIndependentCosts::taken);
  model.sizes = solve::sizes_of(model);
  const solve::Setup setup = model.divided_by(model.sizes);
  const solve::Collocation method = solve::collocation_of("direct-gauss-6");
  const solve::Mesh mesh = solve::in_units(setup.units, solve::uniform_mesh(model));
  const solve::Path guess = solve::in_units(setup.units, solve::guessed_path(model, method, mesh, bend));
  return solve::nearest_end(model, setup, method, mesh, guess, {});
}

}  // namespace

TEST(NearestEnd, OfAGuessThatControlsDoNotMoveToFirstOrderIsNotTheNearest) {
  const solve::NearestEnd at_rest = nearest(loop_of_area(1), {});
  EXPECT_TRUE(at_rest.found);
  EXPECT_NEAR(at_rest.distance, 1, 1e-6);
  EXPECT_TRUE(at_rest.is_free);
  EXPECT_FALSE(at_rest.is_nearest);
  EXPECT_THAT(solve::out_of_reach(at_rest), testing::HasSubstr("no path to the ends was found"));
  EXPECT_THAT(solve::out_of_reach(at_rest), testing::HasSubstr("farthest from holding is z = 1 at the end, by 1"));
  EXPECT_LT(nearest(loop_of_area(1), {1, 0.5, 1}).distance, 1e-6);
}

// In the time T the largest area is that of a square whose diagonals are those of the axes' directions: T^2/8 = 3.125.
TEST(NearestEnd, BeyondWhatBoundsAllowIsTheNearest) {
  const solve::NearestEnd outside = nearest(loop_of_area(4), {1, 0.5, 1});
  EXPECT_TRUE(outside.is_nearest);
  EXPECT_FALSE(outside.is_free);
  EXPECT_THAT(solve::out_of_reach(outside), testing::HasSubstr("the conditions at the ends cannot all hold near here"));
  const auto solution = solve::solve(io::parse_problem(loop_of_area(4)));
  EXPECT_EQ(solution.status, solve::Status::infeasible) << solution.reason;
  EXPECT_THAT(solution.reason, testing::HasSubstr("farthest from holding is"));
}

// The guess at rest is a stationary point of the distance, and steps from other guesses are many: costs that are
// nearly |u| + |w| hardly depend on how fast the loop is followed. Paths to the ends were found all the same.
TEST(NearestEnd, ThatIsReachedIsNotCalledOutOfReach) {
  const auto solution = solve::solve(io::parse_problem(loop_of_area(1, "sqrt(u^2 + 1e-6) + sqrt(w^2 + 1e-6)")));
  EXPECT_NE(solution.status, solve::Status::infeasible) << solution.reason;
  EXPECT_THAT(solution.reason, testing::Not(testing::HasSubstr("cannot")));
  EXPECT_THAT(solution.reason, testing::Not(testing::HasSubstr("no small change")));
}

// From this guess of the flat Martinet distribution [ABCK97] steps creep along the abnormal line, and go on for more
// than 500; Newton's method takes 12 to the extremal.
TEST(Starts, CreepingStepsGiveWay) {
  const auto solution = solve::solve(io::parse_problem(
      "[model]\nname = \"martinet\"\n[algebroid]\nkind = \"hamel\"\nbase = [\"x\", \"y\", \"s\"]\n"
      "fibre = [\"a\", \"b\", \"c\"]\nframe = [[\"1\", \"0\", \"y^2/2\"], [\"0\", \"1\", \"0\"], [\"0\", \"0\", "
      "\"1\"]]\n"
      "[control]\ncontrols = [\"u\", \"v\"]\nkinematics = { a = \"u\", b = \"v\", c = \"0\" }\n"
      "[cost]\nrunning = \"(u^2 + v^2)/2\"\n[boundary]\nduration = 1\nfinal = { x = 1, y = 0, s = 0.1 }\n"
      "[guess]\ny = \"sin(pi*s)\"\n"));
  ASSERT_EQ(solution.status, solve::Status::solved) << solution.reason;
  EXPECT_NEAR(solution.cost, 1.344069367628464, 1e-11);
  EXPECT_LT(solution.iterations, 250U);
  EXPECT_TRUE(solution.notes.empty()) << solution.notes.front();
}

// The steps of discrete mechanics stay where small changes of them help no more: that is no proof. The nearest path of
// collocation is one, as a force of at most 1 moves a mass at rest by less than 1/4 in the time 1.
TEST(NearestEnd, IsWhatDiscreteMechanicsNamesToo) {
  const auto far =
      with(mass_in("1"), "[mesh]\n", "[discrete]\nrule = \"midpoint\"\n[mesh]\nmethod = \"direct-herglotz\"\n");
  const auto solution = solve::solve(io::parse_problem(far));
  EXPECT_EQ(solution.status, solve::Status::infeasible);
  EXPECT_THAT(solution.reason, testing::HasSubstr("the conditions at the ends cannot all hold near here"));
  EXPECT_THAT(solution.reason, testing::HasSubstr("farthest from holding is x = 2 at the end"));
}
