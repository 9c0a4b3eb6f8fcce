// Two-point problems of singular Lagrangians whose motions the ends determine.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "herglotz/io/problem_file.hpp"
#include "herglotz/solve/solve.hpp"
#include "residual.hpp"

namespace {

using namespace herglotz;

solve::Solution solved_motion(const std::string& base, const std::string& fibre, const std::string& lagrangian,
                              const std::string& rest) {
  return solve::solve(io::parse_problem("[model]\nname = \"m\"\n[algebroid]\nkind = \"tangent\"\nbase = [" + base +
                                        "]\nfibre = [" + fibre + "]\n[dynamics]\nlagrangian = \"" + lagrangian +
                                        "\"\n" + rest));
}

/// A pendulum with damping from 0.3 to 1.2 in a time of 2, whose Lagrangian is regular.
solve::Solution solved_pendulum() {
  return solved_motion("\"x\"", "\"v\"", "v^2/2 + cos(x) - z/5 - z^2/20",
                       "[initial]\nx = 0.3\n[boundary]\nduration = 2\nfinal = { x = 1.2 }\n");
}

void expect_same(const solve::Solution& a, const solve::Solution& b, const std::string& p_of_a,
                 const std::string& p_of_b) {
  ASSERT_EQ(a.status, solve::Status::solved) << a.reason;
  ASSERT_EQ(b.status, solve::Status::solved) << b.reason;
  EXPECT_NEAR(a.cost, b.cost, 1e-8);
  EXPECT_NEAR(a.trajectory["R"].front(), b.trajectory["R"].front(), 1e-8);
  EXPECT_NEAR(a.trajectory[p_of_a].front(), b.trajectory[p_of_b].front(), 1e-8);
  EXPECT_NEAR(a.trajectory[p_of_a].back(), b.trajectory[p_of_b].back(), 1e-8);
  EXPECT_NEAR(a.trajectory["hamiltonian"].front(), b.trajectory["hamiltonian"].front(), 1e-8);
}

}  // namespace

TEST(FinalSet, AMotionWithAMasslessCoordinateIsThatOfTheReducedLagrangian) {
  // y = sin(x) on the final set, so that the potential is that of the pendulum and a half of its square cancels.
  const auto found =
      solved_motion("\"x\", \"y\"", "\"v\", \"w\"", "v^2/2 + cos(x) - sin(x)^2/2 + y*sin(x) - y^2/2 - z/5 - z^2/20",
                    "[initial]\nx = 0.3\n[boundary]\nduration = 2\nfinal = { x = 1.2 }\nfree_initial = "
                    "[\"y\"]\n");
  expect_same(found, solved_pendulum(), "p_v", "p_v");
  EXPECT_EQ(found.reason, "the motion meets the values at its ends");
  const auto& run = found.trajectory;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    EXPECT_NEAR(run["y"][k], std::sin(run["x"][k]), 1e-9);
    EXPECT_NEAR(run["p_w"][k], 0, 1e-9);
    EXPECT_NEAR(run["v"][k], run["p_v"][k], 1e-9);
  }
  EXPECT_LT(solve::testing::residual(found, "constraints"), 1e-9);
  EXPECT_LT(solve::testing::residual(found, "hamiltonian"), 1e-7);
  EXPECT_LT(solve::testing::residual(found, "transversality"), 1e-9);
}

TEST(FinalSet, AnActionOfFirstOrderIsThatOfItsSecondOrderForm) {
  // L = p dx/dt - H: the momentum is a coordinate, and its own momentum vanishes.
  const auto found = solved_motion("\"x\", \"p\"", "\"v\", \"w\"", "p*v - p^2/2 + cos(x) - z/5 - z^2/20",
                                   "[initial]\nx = 0.3\n[boundary]\nduration = 2\nfinal = { x = 1.2 }\nfree_initial = "
                                   "[\"p\"]\n[guess]\np = \"0.5\"\n");
  expect_same(found, solved_pendulum(), "p_v", "p_v");
  EXPECT_NEAR(found.trajectory["p"].front(), found.trajectory["p_v"].front(), 1e-9);
}

TEST(FinalSet, SaysThatTheActionIsNotStationaryWhereAnEndIsFree) {
  // x(0) and p(1) are given: the momentum of x at its free end is p(1), which is not 0.
  const auto found =
      solved_motion("\"x\", \"p\"", "\"v\", \"w\"", "p*v - p^2/2 - x^2/2 - z/5",
                    "[initial]\nx = 1\n[boundary]\nduration = 1\nfinal = { p = 0.5 }\nfree_initial = [\"p\"]\n");
  ASSERT_EQ(found.status, solve::Status::solved) << found.reason;
  EXPECT_NEAR(found.trajectory["p"].back(), 0.5, 1e-9);
  EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("momentum p_v is not 0 at the end, but 0.5")));
}

TEST(FinalSet, FreeEndsHaveNoMomentum) {
  // The end of x is free: its momentum vanishes there, as that of the regular Lagrangian does.
  const std::string ends = "[initial]\nx = 0.3\n[boundary]\nduration = 1\n";
  const auto found =
      solved_motion("\"x\", \"p\"", "\"v\", \"w\"", "p*v - p^2/2 + cos(x) - z/5", ends + "free_initial = [\"p\"]\n");
  const auto regular = solved_motion("\"x\"", "\"v\"", "v^2/2 + cos(x) - z/5", ends);
  ASSERT_EQ(found.status, solve::Status::solved) << found.reason;
  EXPECT_NEAR(found.trajectory["p_v"].back(), 0, 1e-9);
  EXPECT_NEAR(found.cost, regular.cost, 1e-8);
}

TEST(FinalSet, RefusesMethodsOfRegularLagrangians) {
  try {
    (void)solved_motion("\"x\", \"p\"", "\"v\", \"w\"", "p*v - p^2/2 - x^2/2",
                        "[discrete]\nrule = \"midpoint\"\n[initial]\nx = 1\n[boundary]\nduration = 1\nfinal = { x = 0 "
                        "}\nfree_initial = [\"p\"]\n[mesh]\nmethod = \"direct-herglotz\"\n");
    FAIL() << "was solved";
  } catch (const std::invalid_argument& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("direct-herglotz does not follow motions of singular Lagrangians"));
  }
}
